"""Prompts, and the completion of their arguments."""

from collections.abc import Sequence
from typing import Final

import mcp_types as types
from mcp.shared.exceptions import MCPError

from .offer import Context, strings
from .plain import PNG
from .rounds import accepted, form


def _argument(name: str) -> types.PromptArgument:
    return types.PromptArgument(name=name, description=f"The value of {name}.", required=True)


_PROMPTS: Final = (
    types.Prompt(name="test_simple_prompt", description="One message."),
    types.Prompt(
        name="test_prompt_with_arguments",
        title="With arguments",
        description="A message with two values.",
        arguments=[_argument("arg1"), _argument("arg2")],
    ),
    types.Prompt(
        name="test_prompt_with_embedded_resource",
        description="A resource and a message.",
        arguments=[_argument("resourceUri")],
    ),
    types.Prompt(name="test_prompt_with_image", description="A picture and a message."),
    types.Prompt(name="test_input_required_result_prompt", description="Asks the user first."),
)
_SUGGESTIONS: Final = ("paris", "park", "party")


async def prompts(_: Context, __: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
    """``prompts/list``."""
    return types.ListPromptsResult(prompts=list(_PROMPTS))


async def get(_: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult | types.InputRequiredResult:
    """``prompts/get``."""
    given = params.arguments or {}
    match params.name:
        case "test_simple_prompt":
            return _messages(types.TextContent(text="This is a simple prompt for testing."))
        case "test_prompt_with_arguments":
            values = ", ".join(f"{name}={given.get(name, '')!r}" for name in ("arg1", "arg2"))
            return _messages(types.TextContent(text=f"Prompt with arguments: {values}"))
        case "test_prompt_with_embedded_resource":
            content = types.TextResourceContents(
                uri=given.get("resourceUri", "test://static-text"), mime_type="text/plain", text="An embedded resource."
            )
            return _messages(types.EmbeddedResource(resource=content), types.TextContent(text="Read the above."))
        case "test_prompt_with_image":
            return _messages(
                types.ImageContent(data=PNG, mime_type="image/png"), types.TextContent(text="Look at the above.")
            )
        case "test_input_required_result_prompt":
            answer = accepted(params, "user_context")
            if answer is None:
                question = form("What context should the prompt use?", strings("context"))
                return types.InputRequiredResult(input_requests={"user_context": question})
            return _messages(types.TextContent(text=f"In the context of {answer.get('context')}."))
        case _:
            raise MCPError(types.INVALID_PARAMS, f"Unknown prompt: {params.name}")


async def complete(_: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
    """``completion/complete``."""
    values = [value for value in _SUGGESTIONS if value.startswith(params.argument.value)]
    return types.CompleteResult(completion=types.Completion(values=values, total=len(values), has_more=False))


def _messages(*content: types.ContentBlock) -> types.GetPromptResult:
    return types.GetPromptResult(messages=_of_user(content))


def _of_user(content: Sequence[types.ContentBlock]) -> list[types.PromptMessage]:
    return [types.PromptMessage(role="user", content=block) for block in content]
