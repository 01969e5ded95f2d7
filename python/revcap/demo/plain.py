"""Tools that answer by themselves."""

from typing import Any, Final

import anyio
import mcp_types as types
from mcp.shared.exceptions import MCPError

from .offer import NO_ARGUMENTS, Called, Context, Offer, argument, offer, strings, text

# The smallest picture and the shortest sound: one pixel, one sample.
PNG: Final = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
WAV: Final = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA=="
# Seconds between two notifications of one call: long enough that a buffering proxy shows.
PAUSE: Final = 0.05

_SCHEMA_2020_12: Final[dict[str, Any]] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
_FORECAST: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "celsius": {"type": "number"}},
    "required": ["city", "celsius"],
}
_QUERY: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"region": {"type": "string", "x-mcp-header": "Region"}, "query": {"type": "string"}},
    "required": ["region"],
}


async def _line(_: Context, __: types.CallToolRequestParams) -> Called:
    return text("One line of text.")


async def _picture(_: Context, __: types.CallToolRequestParams) -> Called:
    return types.CallToolResult(content=[types.ImageContent(data=PNG, mime_type="image/png")])


async def _sound(_: Context, __: types.CallToolRequestParams) -> Called:
    return types.CallToolResult(content=[types.AudioContent(data=WAV, mime_type="audio/wav")])


def _embedded(uri: str, mime_type: str, content: str) -> types.EmbeddedResource:
    return types.EmbeddedResource(resource=types.TextResourceContents(uri=uri, mime_type=mime_type, text=content))


async def _resource(_: Context, __: types.CallToolRequestParams) -> Called:
    return types.CallToolResult(content=[_embedded("test://embedded-resource", "text/plain", "An embedded resource.")])


async def _mixture(_: Context, __: types.CallToolRequestParams) -> Called:
    return types.CallToolResult(
        content=[
            types.TextContent(text="Text, a picture and a resource:"),
            types.ImageContent(data=PNG, mime_type="image/png"),
            _embedded("test://mixed-content-resource", "application/json", '{"value": 123}'),
        ]
    )


async def _failure(_: Context, __: types.CallToolRequestParams) -> Called:
    return types.CallToolResult(content=[types.TextContent(text="This tool always fails.")], is_error=True)


async def _logging(context: Context, _: types.CallToolRequestParams) -> Called:
    for line in ("begun", "under way", "done"):
        # Deprecated, and clients of four revisions have it.
        await context.session.send_log_message(  # type: ignore[deprecated]
            level="info", data=line, related_request_id=context.request_id
        )
        await anyio.sleep(PAUSE)
    return text("Three lines were logged.")


async def _progress(context: Context, _: types.CallToolRequestParams) -> Called:
    for percent in (0, 50, 100):
        await context.session.report_progress(percent, 100, f"{percent} of 100")
        await anyio.sleep(PAUSE)
    return text("Progress was reported three times.")


async def _described(_: Context, params: types.CallToolRequestParams) -> Called:
    return text(f"Called with {sorted(params.arguments or {})}.")


async def _needs_sampling(context: Context, _: types.CallToolRequestParams) -> Called:
    declared = context.session.client_capabilities
    if declared is None or declared.sampling is None:
        raise MCPError(
            types.MISSING_REQUIRED_CLIENT_CAPABILITY,
            "Missing required client capability",
            {"requiredCapabilities": {"sampling": {}}},
        )
    return text("The client can sample.")


async def _echo(_: Context, params: types.CallToolRequestParams) -> Called:
    return text(argument(params, "message"))


async def _forecast(_: Context, params: types.CallToolRequestParams) -> Called:
    city = argument(params, "city")
    return types.CallToolResult(
        content=[types.TextContent(text=f"{city}: 21 °C")], structured_content={"city": city, "celsius": 21.0}
    )


async def _query(_: Context, params: types.CallToolRequestParams) -> Called:
    return text(f"Nothing was found in {argument(params, 'region')}.")


PLAIN: Final[tuple[Offer, ...]] = (
    offer("echo", "Answers with the message.", _echo, strings("message")),
    Offer(
        types.Tool(
            name="forecast",
            title="Forecast",
            description="Tells a city's temperature, as text and as an object.",
            input_schema=strings("city"),
            output_schema=_FORECAST,
            annotations=types.ToolAnnotations(read_only_hint=True),
        ),
        _forecast,
    ),
    offer("query_region", "Asks a region's database; the region is mirrored in a header.", _query, _QUERY),
    offer("test_simple_text", "Answers with text.", _line),
    offer("test_image_content", "Answers with a picture.", _picture),
    offer("test_audio_content", "Answers with a sound.", _sound),
    offer("test_embedded_resource", "Answers with a resource.", _resource),
    offer("test_multiple_content_types", "Answers with three kinds of content.", _mixture),
    offer("test_error_handling", "Always fails.", _failure),
    offer("test_tool_with_logging", "Logs while it runs.", _logging),
    offer("test_logging_tool", "Logs while it runs.", _logging),
    offer("test_tool_with_progress", "Reports progress while it runs.", _progress),
    offer("json_schema_2020_12_tool", "Takes what its schema describes.", _described, _SCHEMA_2020_12),
    offer("test_missing_capability", "Needs a client that can sample.", _needs_sampling, NO_ARGUMENTS),
)
