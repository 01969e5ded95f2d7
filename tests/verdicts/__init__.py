"""Generated requests with their verdicts, for the tests of the crate."""
