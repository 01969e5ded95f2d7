"""Which MCP revision a request speaks, what it permits, and whether it may go on."""

__all__: list[str] = []
