//! Client capabilities: trimmed twice is trimmed once, what is missing satisfies, and what is declared is what stands
//! there.
#![no_main]

use libfuzzer_sys::fuzz_target;
use revcap::capabilities::{ClientCapabilities, Requirement};
use revcap::table::{ClientFeature, Revision};
use serde_json::Value;

fuzz_target!(|text: &[u8]| {
    // The witness's own name for a number of any precision, which it takes for one.
    if text.windows(21).any(|window| window == b"$serde_json::private:") {
        return;
    }
    for revision in Revision::ALL.iter().copied().map(Some).chain([None]) {
        let Ok(client) = ClientCapabilities::parse(text, revision) else { continue };
        let said: Value = serde_json::from_slice(client.as_json()).expect("JSON");
        for (flag, name) in [
            (ClientFeature::ROOTS, "roots"),
            (ClientFeature::SAMPLING, "sampling"),
            (ClientFeature::ELICITATION, "elicitation"),
        ] {
            assert!(!client.supports(flag) || said[name].is_object(), "{name} was declared");
        }
        check_missing(&client, &ClientFeature::all().into());
        check_missing(&client, &Requirement::from(&client));
        for under in Revision::ALL.iter().copied() {
            let trimmed = client.trimmed(under, true);
            let again = ClientCapabilities::parse(&trimmed, Some(under)).expect("a trimmed object reads");
            assert_eq!(again.trimmed(under, true), trimmed);
            check_missing(&client, &Requirement::from(&again));
        }
    }
});

/// Who declares what was missing, and what is declared, lacks nothing.
fn check_missing(client: &ClientCapabilities, required: &Requirement) {
    let Some(missing) = client.missing(required) else { return };
    let added = ClientCapabilities::parse(&missing, None).expect("a capability object");
    let has = client.features() | added.features();
    let lacking = required.features().difference(has);
    assert!(lacking.is_empty(), "{lacking:?} of {required:?} is in neither");
}
