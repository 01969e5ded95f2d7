"""Contestants, the bars they are held to, and the report of a run."""
