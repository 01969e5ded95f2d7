//! The one-pass JSON scanner; it knows no MCP.
