//! Shaping: valid JSON out, and shaping what was shaped changes nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use revcap::shape::{Reader, shape_notification, shape_response, shape_server_request};
use revcap::table::{Method, Revision};

fuzz_target!(|input: &[u8]| {
    let [choice, of, text @ ..] = input else { return };
    let revision = Revision::ALL[usize::from(*choice) % Revision::COUNT];
    let method = Method::ALL.get(usize::from(*of) % (Method::COUNT + 1)).copied();
    let reader = Reader::of(revision);
    let is_json = |body: &[u8]| assert!(serde_json::from_slice::<serde_json::Value>(body).is_ok());
    if let Ok(shaped) = shape_response(text, method, &reader) {
        is_json(&shaped.body);
        let again = shape_response(&shaped.body, method, &reader).expect("what was shaped is well formed");
        assert_eq!(again.body, shaped.body);
    }
    if let Ok(Some(shaped)) = shape_notification(text, &reader) {
        is_json(&shaped.body);
        let again = shape_notification(&shaped.body, &reader).expect("well formed").expect("still sent");
        assert_eq!(again.body, shaped.body);
    }
    if let Ok(shaped) = shape_server_request(text, &reader) {
        is_json(&shaped.body);
    }
});
