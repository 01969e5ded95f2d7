//! An event stream gives the same bytes in whatever chunks it comes, and the same faults.
#![no_main]

use libfuzzer_sys::fuzz_target;
use revcap::shape::{Fed, OnInvalid, Reader, SseShaper};
use revcap::table::{Method, Revision};

fuzz_target!(|input: &[u8]| {
    let [choice, step, stream @ ..] = input else { return };
    let reader = Reader::of(Revision::ALL[usize::from(*choice & 7) % Revision::COUNT]);
    let on_invalid = if choice & 8 == 0 { OnInvalid::Pass } else { OnInvalid::Error };
    let max_event_bytes = if choice & 16 == 0 { 1 << 16 } else { 64 };
    let method = [None, Some(Method::ToolsCall), Some(Method::ToolsList)][usize::from(choice >> 5) % 3];
    let read = |size: usize| {
        let mut shaper = SseShaper::new(method, &reader, on_invalid, max_event_bytes);
        let (mut whole, mut faults) = (Fed::default(), Vec::new());
        let mut keep = |fed: Fed| {
            whole.to_client.extend(fed.to_client);
            whole.to_server.extend(fed.to_server);
        };
        for chunk in stream.chunks(size.max(1)) {
            let mut fed = shaper.feed(chunk);
            while let Err(fault) = fed {
                faults.push(fault);
                fed = shaper.feed(b"");
            }
            fed.into_iter().for_each(&mut keep);
        }
        let mut fed = shaper.close();
        while let Err(fault) = fed {
            faults.push(fault);
            fed = shaper.close();
        }
        fed.into_iter().for_each(&mut keep);
        (whole, faults)
    };
    let at_once = read(stream.len());
    assert_eq!(read(1), at_once);
    assert_eq!(read(usize::from(*step)), at_once);
    assert!(at_once.0.to_client.len() <= 8 * stream.len() + 1024);
    if on_invalid == OnInvalid::Pass {
        assert!(at_once.1.is_empty());
    }
});
