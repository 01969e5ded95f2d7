//! Client capabilities: trimmed twice is trimmed once, and what is missing satisfies.
#![no_main]

use libfuzzer_sys::fuzz_target;
use revcap::capabilities::{ClientCapabilities, Requirement};
use revcap::table::{ClientFeature, Revision};

fuzz_target!(|text: &[u8]| {
    for revision in Revision::ALL.iter().copied().map(Some).chain([None]) {
        let Ok(client) = ClientCapabilities::parse(text, revision) else { continue };
        let everything: Requirement = ClientFeature::all().into();
        let _ = client.missing(&everything);
        for under in Revision::ALL.iter().copied() {
            let trimmed = client.trimmed(under, true);
            let again = ClientCapabilities::parse(&trimmed, Some(under)).expect("a trimmed object reads");
            assert_eq!(again.trimmed(under, true), trimmed);
        }
    }
});
