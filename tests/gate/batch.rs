//! Arrays of messages.

use revcap::gate::{Lookup, Reason, Served};
use revcap::table::Revision;

use crate::{admit, gate, reason_of};

#[test]
fn a_batch_is_refused_for_its_header_before_it_is_looked_into() {
    let said = |lines: &[(&[u8], &[u8])]| reason_of(&gate(|_| {}), lines, "[]").1.unwrap();
    assert!(said(&[(b"mcp-protocol-version", b"2026-07-28")]).contains("batches are not part"));
    assert!(said(&[(b"mcp-protocol-version", b"2025-06-18")]).contains("empty batch"));
    assert!(said(&[]).contains("empty batch"));
}

#[test]
fn an_element_names_no_version_where_claims_are_read() {
    let element = r#"[{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-06-18"}}}]"#;
    let (reason, words) = reason_of(&gate(|_| {}), &[], element);
    assert_eq!(reason, Reason::BatchRefused);
    assert!(words.unwrap().contains("a protocol version of its own"));
    let legacy = gate(|config| config.served = Served::of([Revision::V2025_03_26]).unwrap());
    assert_eq!(reason_of(&legacy, &[], element).0, Reason::Admitted);
}

#[test]
fn a_key_that_stands_twice_is_told_before_keys_that_differ_by_case() {
    let strict = gate(|config| config.policy.reject_case_variants = true);
    let variant = r#"{"jsonrpc":"2.0","id":1,"ID":2,"method":"ping"}"#;
    let twice = r#"{"jsonrpc":"2.0","id":3,"id":3,"method":"ping"}"#;
    let plain = r#"{"jsonrpc":"2.0","id":4,"method":"ping"}"#;
    let (by_case, by_name) = ("object keys differ only by case", "duplicate object key");
    for (batch, reason, words) in [
        (format!("[{variant},{twice}]"), Reason::DuplicateKey, by_name),
        (format!("[{twice},{variant}]"), Reason::DuplicateKey, by_name),
        (format!("[{plain},{twice}]"), Reason::DuplicateKey, by_name),
        (format!("[{variant},{plain}]"), Reason::DuplicateKey, by_case),
    ] {
        let (found, said) = reason_of(&strict, &[], &batch);
        assert!(found == reason && said.unwrap().contains(words), "{batch}");
    }
    assert_eq!(reason_of(&gate(|_| {}), &[], &format!("[{variant},{plain}]")).0, Reason::Admitted);
}

#[test]
fn a_batch_of_which_nothing_goes_on_is_answered_at_once() {
    let gate = gate(|_| {});
    let answer = |batch: &'static str| {
        let verdict = admit(&gate, batch.as_bytes(), &|_| Lookup::Unknown);
        let reply = verdict.decision().reply(batch.as_bytes()).map(|reply| (reply.status, reply.body.clone()));
        assert_eq!(reply.is_none(), !verdict.forward().is_empty(), "{batch}");
        reply.map(|(status, body)| (status, String::from_utf8(body).unwrap()))
    };
    // No client sends it: it is dropped, and says nothing.
    let dropped = r#"{"jsonrpc":"2.0","method":"notifications/message"}"#;
    let refused = r#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#;
    let words =
        r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32600,"message":"Invalid Request: jsonrpc must be \"2.0\""}}"#;
    let leak = |batch: String| -> &'static str { Box::leak(batch.into_boxed_str()) };
    assert_eq!(answer(leak(format!("[{dropped}]"))), Some((202, String::new())));
    assert_eq!(answer(leak(format!("[{dropped},{refused}]"))), Some((200, format!("[{words}]"))));
    assert_eq!(answer(leak(format!(r#"[{refused},{{"jsonrpc":"2.0","id":1,"method":"ping"}}]"#))), None);
}
