//! What a server may publish under a revision.
