"""A `tools/list` answer cut to 2025-06-18 as a careful author writes it."""

from typing import Any, Final

import msgspec
import orjson


class Tool(msgspec.Struct, omit_defaults=True):
    """A tool, with the members that 2025-06-18 has; whatever else stands there is lost."""

    name: str
    inputSchema: msgspec.Raw  # noqa: N815 - the member's name
    title: str | msgspec.UnsetType = msgspec.UNSET
    description: str | msgspec.UnsetType = msgspec.UNSET
    outputSchema: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET  # noqa: N815 - the member's name
    annotations: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET
    meta: dict[str, Any] | msgspec.UnsetType = msgspec.field(default=msgspec.UNSET, name="_meta")


class Result(msgspec.Struct, omit_defaults=True):
    """The result of `tools/list`."""

    tools: list[Tool]
    nextCursor: str | msgspec.UnsetType = msgspec.UNSET  # noqa: N815 - the member's name
    meta: dict[str, Any] | msgspec.UnsetType = msgspec.field(default=msgspec.UNSET, name="_meta")


class Answer(msgspec.Struct):
    """The answer around it."""

    jsonrpc: str
    id: str | int
    result: Result


DECODER: Final = msgspec.json.Decoder(Answer)
ENCODER: Final = msgspec.json.Encoder()


def typed(message: bytes) -> bytes:
    """Decoded to what 2025-06-18 has, and encoded."""
    answer = DECODER.decode(message)
    for tool in answer.result.tools:
        if isinstance(tool.outputSchema, dict) and tool.outputSchema.get("type") != "object":
            tool.outputSchema = msgspec.UNSET
    return ENCODER.encode(answer)


def edited(message: bytes) -> bytes:
    """Decoded to dicts, what 2025-06-18 lacks taken out, and encoded; vendor members stay."""
    answer = orjson.loads(message)
    result = answer["result"]
    for member in ("resultType", "ttlMs", "cacheScope"):
        result.pop(member, None)
    for tool in result["tools"]:
        tool.pop("icons", None)
        tool.pop("execution", None)
        schema = tool.get("outputSchema")
        if schema is not None and schema.get("type") != "object":
            del tool["outputSchema"]
    return orjson.dumps(answer)
