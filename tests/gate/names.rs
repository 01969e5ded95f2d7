//! By which keys members are known.

use revcap::gate::Reason;
use revcap::table::meta_key;

use crate::{gate, reason_of};

#[test]
fn a_name_is_told_only_where_every_byte_of_it_stands() {
    let claim = |name: &str| {
        let lines: [(&[u8], &[u8]); 2] = [(b"mcp-protocol-version", b"2026-07-28"), (b"mcp-method", b"tools/list")];
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{"_meta":{{"{name}":"2025-06-18","io.modelcontextprotocol/clientCapabilities":{{}}}}}}}}"#
        );
        reason_of(&gate(|_| {}), &lines, &body).0
    };
    let opening = |name: &str| {
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{"{name}":"2025-06-18","capabilities":{{}},"clientInfo":{{"name":"c","version":"1"}}}}}}"#
        );
        reason_of(&gate(|_| {}), &[], &body).0
    };
    let claims = (meta_key::PROTOCOL_VERSION, &claim as &dyn Fn(&str) -> Reason);
    for (name, reason) in [claims, ("protocolVersion", &opening)] {
        let absent = reason("x");
        assert_ne!(reason(name), absent, "{name}");
        for at in 0..name.len() {
            let mut other = name.to_owned();
            other.replace_range(at..=at, "~");
            assert_eq!(reason(&other), absent, "{other}");
        }
    }
}

#[test]
fn a_capability_said_in_other_letters_is_a_case_variant() {
    let gate = gate(|config| config.policy.reject_case_variants = true);
    let reason = |capabilities: &str| {
        let body = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{{"protocolVersion":"2025-06-18","capabilities":{capabilities},"clientInfo":{{"name":"c","version":"1"}}}}}}"#
        );
        let (reason, words) = reason_of(&gate, &[], &body);
        (reason, words.unwrap_or_default().contains("differ only by case"))
    };
    assert_eq!(reason(r#"{"sampling":{},"x":{},"s\u0061mpling2":{}}"#), (Reason::Admitted, false));
    for variant in [
        r#"{"Sampling":{}}"#,
        r#"{"Sampling":{},"sampling":{}}"#,
        r#"{"Sampling":{},"s\u0061mpling":{}}"#,
        r#"{"sampling":{},"sAmpling":{}}"#,
        r#"{"roots":{"listchanged":true}}"#,
        r#"{"x":{},"X":{}}"#,
    ] {
        assert_eq!(reason(variant), (Reason::DuplicateKey, true), "{variant}");
    }
}
