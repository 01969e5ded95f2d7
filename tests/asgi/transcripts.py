"""What clients met, compared."""

from typing import Any

# Members that some revision lacks, as an application that does not shape gives them to every client.
LATER = {"structuredContent", "title", "outputSchema", "_meta", "annotations", "completions", "message"}


def common(seen: Any) -> Any:
    """What every revision has of it: without later members, promises that are none, and the newest error's number."""
    if isinstance(seen, dict):
        kept = {name: common(value) for name, value in seen.items() if name not in LATER and value is not False}
        return kept | {"code": "not found"} if set(kept) == {"code"} and kept["code"] in {-32602, -32002} else kept
    if isinstance(seen, (tuple, list)):
        is_progress = len(seen) == 3 and isinstance(seen[0], float)  # done, total, message
        return [common(one) for one in seen[:2]] if is_progress else [common(one) for one in seen]
    return seen
