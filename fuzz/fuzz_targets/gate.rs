//! The gates that the targets judge with.

use revcap::advertise::{Implementation, ServerIdentity, Switches};
use revcap::gate::{Annotations, Gate, GateConfig, Policy, Requirements, Served, SessionMode, ToolAnnotations};
use revcap::json::Limits;
use revcap::table::{Reading, Revision};

/// A gate by a byte of the input: its bits choose modes and policies.
pub fn gate(choice: u8) -> Gate {
    let bit = |place: u8| choice >> place & 1 == 1;
    let mut annotations = Annotations::default();
    let tool = ToolAnnotations::new([(vec!["region"], "Region"), (vec!["filter", "tenant"], "Tenant")]);
    annotations.insert("t", tool.expect("two names"));
    let served = if bit(0) {
        Served::all()
    } else {
        Served::of(Revision::ALL.iter().copied().filter(|revision| revision.index() % 2 == usize::from(bit(1))))
            .expect("some")
    };
    let policy = Policy {
        unique_keys_everywhere: bit(2),
        reject_case_variants: bit(3),
        collapse_header_copies: bit(4),
        limits: Limits { max_depth: 20, max_number_chars: 40 },
        ..Policy::default()
    };
    let sessions = if bit(5) { SessionMode::Store } else { SessionMode::Stateless };
    Gate::new(GateConfig {
        served,
        reading: Reading::Record,
        sessions,
        can_revoke: false,
        server: ServerIdentity::new(Implementation::new("fuzz", "1"), &Switches::default()).expect("a server"),
        answer_handshake: bit(6),
        annotations,
        requirements: Requirements::default(),
        policy,
    })
}
