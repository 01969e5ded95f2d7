"""Tools of the handshake revisions, which ask the client while they run."""

from typing import Any, Final

import mcp_types as types

from .offer import Called, Context, Offer, argument, offer, strings, text

_DEFAULTS: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    },
}
_CHOICES: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
        "titledSingle": {
            "type": "string",
            "oneOf": [{"const": f"value{n}", "title": f"Option {n}"} for n in (1, 2, 3)],
        },
        "legacyEnum": {
            "type": "string",
            "enum": ["opt1", "opt2", "opt3"],
            "enumNames": ["Option One", "Option Two", "Option Three"],
        },
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
        "titledMulti": {
            "type": "array",
            "items": {"anyOf": [{"const": f"value{n}", "title": f"Choice {n}"} for n in (1, 2, 3)]},
        },
    },
}


async def _sample(context: Context, params: types.CallToolRequestParams) -> Called:
    question = types.SamplingMessage(role="user", content=types.TextContent(text=argument(params, "prompt")))
    # Deprecated, and clients of four revisions have it.
    answer = await context.session.create_message(  # type: ignore[deprecated]
        [question], max_tokens=100, related_request_id=context.request_id
    )
    content = answer.content
    return text(f"LLM response: {content.text if isinstance(content, types.TextContent) else content}")


async def _ask(context: Context, message: str, schema: dict[str, Any]) -> Called:
    answer = await context.session.elicit_form(message, schema, related_request_id=context.request_id)
    return text(f"User response: action={answer.action}, content={answer.content or {}}")


async def _elicit(context: Context, params: types.CallToolRequestParams) -> Called:
    return await _ask(context, argument(params, "message"), strings("response"))


async def _elicit_defaults(context: Context, _: types.CallToolRequestParams) -> Called:
    return await _ask(context, "Please review the values", _DEFAULTS)


async def _elicit_choices(context: Context, _: types.CallToolRequestParams) -> Called:
    return await _ask(context, "Please choose", _CHOICES)


ASKING: Final[tuple[Offer, ...]] = (
    offer("test_sampling", "Asks the client's model.", _sample, strings("prompt")),
    offer("test_elicitation", "Asks the user.", _elicit, strings("message")),
    offer("test_elicitation_sep1034_defaults", "Asks the user, with defaults.", _elicit_defaults),
    offer("test_elicitation_sep1330_enums", "Asks the user to choose.", _elicit_choices),
)
