//! Shaping: valid JSON out, shaping what was shaped changes nothing, and no message grows beyond measure.
#![no_main]

use std::borrow::Cow;

use libfuzzer_sys::fuzz_target;
use revcap::json::{forget_work, work};
use revcap::shape::{
    IncludeContext, LogLevel, Reader, Request, ShapePolicy, SubscriptionFilter, shape_client_request,
    shape_notification, shape_response, shape_server_request,
};
use revcap::table::{ClientFeature, Method, Revision, ServerFeature};

fuzz_target!(|input: &[u8]| {
    let [choice, of, more, text @ ..] = input else { return };
    // The witness's own name for a number of any precision, which it takes for one.
    if text.windows(21).any(|window| window == b"$serde_json::private:") {
        return;
    }
    let bit = |place: u8| more >> place & 1 == 1;
    let revision = Revision::ALL[usize::from(*choice) % Revision::COUNT];
    let method = Method::ALL.get(usize::from(*of) % (Method::COUNT + 1)).copied();
    let request = Request {
        id: Some(Cow::Borrowed(b"7")),
        asked_as: None,
        retry: bit(0),
        progress_token: Some(Cow::Borrowed(b"\"p\"")),
        log_level: bit(1).then_some(LogLevel::Info),
        subscription_filter: bit(2)
            .then(|| SubscriptionFilter { tools_list_changed: true, ..SubscriptionFilter::default() }),
    };
    let policy = ShapePolicy {
        per_caller: bit(3),
        elicitation: !bit(4),
        include_context: if bit(5) { IncludeContext::Require } else { IncludeContext::Strip },
        server: if bit(5) { ServerFeature::empty() } else { ServerFeature::all() },
        ..ShapePolicy::DEFAULT
    };
    let client = match (bit(6), bit(7)) {
        (false, _) => None,
        (true, false) => Some(ClientFeature::empty()),
        (true, true) => Some(ClientFeature::ELICITATION | ClientFeature::ELICITATION_FORM | ClientFeature::SAMPLING),
    };
    let request = (choice & 0x80 != 0).then_some(&request);
    let reader = Reader { client, request, policy: &policy, ..Reader::of(revision) };
    let check = |body: &[u8]| {
        assert!(serde_json::from_slice::<serde_json::Value>(body).is_ok());
        assert!(body.len() <= 8 * text.len() + 1024, "{} of {}", body.len(), text.len());
        let work = work();
        assert!(work.bytes <= 12 * text.len() as u64 + 512, "{work:?} over {}", text.len());
    };
    forget_work();
    if let Ok(shaped) = shape_response(text, method, &reader) {
        check(&shaped.body);
        let again = shape_response(&shaped.body, method, &reader).expect("what was shaped is well formed");
        assert_eq!(again.body, shaped.body);
    }
    forget_work();
    if let Ok(Some(shaped)) = shape_notification(text, &reader) {
        check(&shaped.body);
        let again = shape_notification(&shaped.body, &reader).expect("well formed").expect("still sent");
        assert_eq!(again.body, shaped.body);
    }
    forget_work();
    if let Ok(shaped) = shape_server_request(text, &reader) {
        check(&shaped.body);
    }
    forget_work();
    if let Ok(shaped) = shape_client_request(text, b"{}", &reader) {
        check(&shaped.body);
    }
});
