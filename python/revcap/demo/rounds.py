"""Tools of the modern revisions, which ask by an answer that wants another round."""

from typing import Any, Final

import mcp_types as types
from mcp.shared.exceptions import MCPError

from .offer import Called, Context, Offer, offer, strings, text

_OK: Final[dict[str, Any]] = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}


def form(message: str, schema: dict[str, Any]) -> types.ElicitRequest:
    """A question for the user."""
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message=message, requested_schema=schema))


def _sampling(question: str, max_tokens: int) -> types.CreateMessageRequest:
    message = types.SamplingMessage(role="user", content=types.TextContent(text=question))
    return types.CreateMessageRequest(
        params=types.CreateMessageRequestParams(messages=[message], max_tokens=max_tokens)
    )


def _roots() -> types.ListRootsRequest:
    return types.ListRootsRequest(params=types.RequestParams())


def accepted(params: types.InputResponseRequestParams, key: str) -> dict[str, Any] | None:
    """What the user filled in under this key; None: not answered, or not accepted."""
    answer = (params.input_responses or {}).get(key)
    if isinstance(answer, types.ElicitResult) and answer.action == "accept":
        return dict(answer.content or {})
    return None


def _ask(state: str | None = None, /, **requests: types.InputRequest) -> types.InputRequiredResult:
    return types.InputRequiredResult(input_requests=requests, request_state=state)


async def _elicitation(_: Context, params: types.CallToolRequestParams) -> Called:
    answer = accepted(params, "user_name")
    if answer is None or not isinstance(answer.get("name"), str):
        return _ask(user_name=form("What is your name?", strings("name")))
    return text(f"Hello, {answer['name']}!")


async def _streaming(context: Context, params: types.CallToolRequestParams) -> Called:
    await context.session.report_progress(1, 2)
    return await _elicitation(context, params)


async def _sampled(_: Context, params: types.CallToolRequestParams) -> Called:
    answer = (params.input_responses or {}).get("capital_question")
    if not isinstance(answer, types.CreateMessageResult):
        return _ask(capital_question=_sampling("What is the capital of France?", 100))
    return text(answer.content.text if isinstance(answer.content, types.TextContent) else "No text.")


async def _listed(_: Context, params: types.CallToolRequestParams) -> Called:
    answer = (params.input_responses or {}).get("client_roots")
    if not isinstance(answer, types.ListRootsResult):
        return _ask(client_roots=_roots())
    return text(f"Roots: {', '.join(str(root.uri) for root in answer.roots)}")


async def _stated(_: Context, params: types.CallToolRequestParams) -> Called:
    if accepted(params, "confirm") is None:
        return _ask("confirming", confirm=form("Please confirm", _OK))
    if params.request_state != "confirming":
        raise MCPError(types.INVALID_PARAMS, "requestState is missing")
    return text("state-ok")


async def _several(_: Context, params: types.CallToolRequestParams) -> Called:
    asked: dict[str, types.InputRequest] = {
        "user_name": form("What is your name?", strings("name")),
        "greeting": _sampling("Generate a greeting", 50),
        "client_roots": _roots(),
    }
    if not asked.keys() <= (params.input_responses or {}).keys():
        return _ask("asking", **asked)
    return text("All three were answered.")


async def _twice(_: Context, params: types.CallToolRequestParams) -> Called:
    if params.request_state == "second" and accepted(params, "step2") is not None:
        return text("Both rounds were answered.")
    if params.request_state == "first" and accepted(params, "step1") is not None:
        return _ask("second", step2=form("Step 2: What is your favorite color?", strings("color")))
    return _ask("first", step1=form("Step 1: What is your name?", strings("name")))


async def _able(context: Context, _: types.CallToolRequestParams) -> Called:
    declared = context.session.client_capabilities or types.ClientCapabilities()
    asked: dict[str, types.InputRequest] = {}
    if declared.elicitation is not None:
        asked["confirm"] = form("Please confirm", _OK)
    if declared.sampling is not None:
        asked["greeting"] = _sampling("Generate a greeting", 50)
    if declared.roots is not None:
        asked["client_roots"] = _roots()
    return _ask(None, **asked) if asked else text("The client declared nothing to ask it with.")


ROUNDS: Final[tuple[Offer, ...]] = (
    offer("test_input_required_result_elicitation", "Asks the user in a second round.", _elicitation),
    offer("test_streaming_elicitation", "The same, with progress first.", _streaming),
    offer("test_input_required_result_sampling", "Asks the model in a second round.", _sampled),
    offer("test_input_required_result_list_roots", "Asks for roots in a second round.", _listed),
    offer("test_input_required_result_request_state", "Gets its state back.", _stated),
    offer("test_input_required_result_tampered_state", "Gets its state back, or refuses it.", _stated),
    offer("test_input_required_result_multiple_inputs", "Asks for three things at once.", _several),
    offer("test_input_required_result_multi_round", "Asks in two rounds.", _twice),
    offer("test_input_required_result_capabilities", "Asks what the client can answer.", _able),
)
