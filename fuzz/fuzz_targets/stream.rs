//! An event stream gives the same bytes in whatever chunks it comes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use revcap::shape::{Fed, OnInvalid, Reader, SseShaper};
use revcap::table::Revision;

fuzz_target!(|input: &[u8]| {
    let [choice, step, stream @ ..] = input else { return };
    let reader = Reader::of(Revision::ALL[usize::from(*choice) % Revision::COUNT]);
    let read = |size: usize| {
        let mut shaper = SseShaper::new(None, &reader, OnInvalid::Pass, 1 << 16);
        let mut whole = Fed::default();
        for chunk in stream.chunks(size.max(1)) {
            match shaper.feed(chunk) {
                Ok(fed) => {
                    whole.to_client.extend(fed.to_client);
                    whole.to_server.extend(fed.to_server);
                }
                Err(_) => return None,
            }
        }
        let fed = shaper.close().ok()?;
        whole.to_client.extend(fed.to_client);
        whole.to_server.extend(fed.to_server);
        Some(whole)
    };
    let at_once = read(stream.len());
    assert_eq!(read(1), at_once);
    assert_eq!(read(usize::from(*step)), at_once);
});
