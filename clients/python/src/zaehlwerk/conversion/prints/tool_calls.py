"""The tools that an answer asks for, with what they are asked: step 4 of docs/fingerprints.md."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..json_values import Json, at, entries, has, no_constant, text


@dataclass
class _Piece:
    """A call, or more of one: a stream sends the arguments in pieces, under the place at which the call began."""

    place: str
    args: Json
    """A value, or (a part of) its JSON text."""
    name: str | None = None
    """Where a call begins."""
    id: str | None = None
    """Tells calls at one place apart."""


def _or(value: Json, otherwise: Json) -> Json:
    return otherwise if value is None else value


def _of_chat(call: Json, place: str) -> _Piece:
    function = at(call, "function")
    return _Piece(place, at(function, "arguments"), text(at(function, "name")), text(at(call, "id")))


def _in_chat(part: Json) -> Iterator[_Piece]:
    """OpenAI's chat and all who speak it; messages of Cohere and Ollama have the same calls."""
    choices = [_or(at(choice, "delta"), at(choice, "message")) for choice in entries(at(part, "choices"))]
    for choice, message in enumerate([*choices, at(part, "message")]):
        for position, call in enumerate(entries(at(message, "tool_calls"))):
            yield _of_chat(call, f"chat {choice} {_or(at(call, 'index'), position)}")


def _in_cohere(part: Json) -> Iterator[_Piece]:
    """Streams of Cohere: one call in each event."""
    call = at(part, "delta", "message", "tool_calls")
    if isinstance(call, dict):
        yield _of_chat(call, f"cohere {at(part, 'index')}")


def _in_cohere_first(part: Json) -> Iterator[_Piece]:
    """Cohere's first version: whole calls beside the text, in a stream once as they are made and once more at its end."""
    calls = _or(at(part, "tool_calls"), at(part, "response", "tool_calls"))
    for position, call in enumerate(entries(calls)):
        yield _Piece(f"cohere first {position}", _or(at(call, "parameters"), {}), text(at(call, "name")))


def _in_responses(part: Json) -> Iterator[_Piece]:
    """OpenAI's responses: whole items, in a stream when each is done."""
    done = [at(part, "item")] if at(part, "type") == "response.output_item.done" else []
    for item in [*entries(at(part, "output")), *done]:
        if at(item, "type") in ("function_call", "custom_tool_call"):
            args = _or(at(item, "arguments"), at(item, "input"))
            yield _Piece(f"item {text(at(item, 'call_id')) or ''}", args, text(at(item, "name")))


def _in_anthropic(part: Json) -> Iterator[_Piece]:
    """Anthropic's messages: whole blocks, or one that begins and the pieces of its input."""
    for position, block in enumerate(entries(at(part, "content"))):
        if at(block, "type") == "tool_use":
            yield _Piece(f"content {position}", at(block, "input"), text(at(block, "name")))
    place = f"block {at(part, 'index')}"
    begun = at(part, "content_block")
    if at(begun, "type") == "tool_use":
        yield _Piece(place, "", text(at(begun, "name")))
    more = at(part, "delta", "partial_json")
    if isinstance(more, str):
        yield _Piece(place, more)


def _in_gemini(part: Json, chunk: int) -> Iterator[_Piece]:
    """Gemini: whole calls, in whichever chunk they come."""
    blocks = [block for each in entries(at(part, "candidates")) for block in entries(at(each, "content", "parts"))]
    calls = [at(block, "functionCall") for block in blocks if has(block, "functionCall")]
    for position, call in enumerate(calls):
        yield _Piece(f"gemini {chunk} {position}", _or(at(call, "args"), {}), text(at(call, "name")))


def _in_converse(part: Json) -> Iterator[_Piece]:
    """Bedrock's Converse: whole blocks, or one that begins and the pieces of its input; events bare or wrapped."""
    for position, block in enumerate(entries(at(part, "output", "message", "content"))):
        call = at(block, "toolUse")
        yield _Piece(f"converse {position}", at(call, "input"), text(at(call, "name")))
    start = _or(at(part, "contentBlockStart"), part)
    yield _Piece(f"stream {at(start, 'contentBlockIndex')}", "", text(at(start, "start", "toolUse", "name")))
    delta = _or(at(part, "contentBlockDelta"), part)
    more = at(delta, "delta", "toolUse", "input")
    if isinstance(more, str):
        yield _Piece(f"stream {at(delta, 'contentBlockIndex')}", more)


def _pieces_in(part: Json, chunk: int) -> Iterator[_Piece]:
    yield from _in_chat(part)
    yield from _in_cohere(part)
    yield from _in_cohere_first(part)
    yield from _in_responses(part)
    yield from _in_anthropic(part)
    yield from _in_gemini(part, chunk)
    yield from _in_converse(part)


def _args_of(args: Json) -> Json:
    """A value from its JSON text; nothing at all is an empty object, what is no JSON stays a text."""
    if not isinstance(args, str):
        return _or(args, {})
    if not args.strip():
        return {}
    try:
        return json.loads(args, parse_constant=no_constant)
    except ValueError:
        return args


def tool_calls_of(parts: Sequence[Json]) -> list[list[Json]]:
    """The calls of tools in an answer, `[name, arguments]` each, in the order in which they began."""
    calls: dict[str, _Piece] = {}
    open_at: dict[str, str] = {}
    for chunk, part in enumerate(parts):
        for piece in _pieces_in(part, chunk):
            key = open_at.get(piece.place, piece.place) if piece.id is None else f"{piece.place} {piece.id}"
            known = calls.get(key)
            if known is None:
                if piece.name is not None:
                    calls[key] = piece
            elif isinstance(known.args, str) and isinstance(piece.args, str):
                known.args += piece.args
            open_at[piece.place] = key
    return [[call.name, _args_of(call.args)] for call in calls.values()]
