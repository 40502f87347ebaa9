"""Tokens of what was cut off before the provider had counted it, from the text that passed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

from .exchange import Answer
from .json_values import Json, at, entries, has
from .shape import Usage

_CHARACTERS_PER_TOKEN = 4

_WORDS = {
    "text",
    "content",
    "thinking",
    "reasoning",
    "reasoning_content",
    "reasoningContent",
    "refusal",
    "partial_json",
    "arguments",
    "input",
    "outputText",
    "generation",
    "response",
}
"""Under these keys providers put what a model reads or writes; sounds, pictures and names stand under others."""

_AROUND = {"message", "tool_calls", "function", "function_call", "parts", "toolUse"}
"""What holds such keys further in."""

_REQUEST = (
    "messages",
    "input",
    "contents",
    "prompt",
    "system",
    "systemInstruction",
    "system_instruction",
    "instructions",
    "preamble",
    "message",
    "chat_history",
    "inputText",
)


def _characters_in(value: Json) -> int:
    """Characters of the words in a value; `args` of a function that is called are written as JSON."""
    if isinstance(value, str):
        return len(value)
    if isinstance(value, list):
        return sum(map(_characters_in, value))
    if not isinstance(value, dict):
        return 0
    total = 0
    for key, inner in value.items():
        if key in _WORDS or key in _AROUND:
            total += _characters_in(inner)
        elif key == "functionCall":
            args = at(inner, "args")
            written = json.dumps({} if args is None else args, ensure_ascii=False, separators=(",", ":"))
            total += len(written)
    return total


def _written_in(part: Json) -> Iterable[Json]:
    """Where one event of a stream has what the model wrote; the events that repeat the whole of it are left out."""
    yield from (at(part, "delta"), at(part, "contentBlockDelta", "delta"))
    for choice in entries(at(part, "choices")):
        yield from (at(choice, "delta"), at(choice, "text"))
    for candidate in entries(at(part, "candidates")):
        yield at(candidate, "content")
    # Ollama's lines, and those of families at Amazon.
    if has(part, "done"):
        yield from (at(part, "message"), at(part, "response"))
    yield from (at(part, "outputText"), at(part, "generation"), at(part, "outputs"))
    if at(part, "event_type") == "text-generation":
        yield at(part, "text")
    if at(part, "type") == "message.output.delta":
        yield at(part, "content")


def _tokens_of(characters: int) -> int | None:
    return -(-characters // _CHARACTERS_PER_TOKEN) or None


def with_estimates(usage: Usage, answer: Answer) -> Usage:
    """
    What a call used that was cut off: what the provider had counted stands, the rest is estimated at four characters a
    token. Says whether something was.
    """
    exchange = answer.exchange
    if not exchange.aborted or exchange.status >= 400:
        return usage
    eingabe, ausgabe = usage.eingabe_token, usage.ausgabe_token
    if eingabe is None:
        eingabe = _tokens_of(_characters_in([at(exchange.request, key) for key in _REQUEST]))
    if ausgabe is None:
        ausgabe = _tokens_of(_characters_in([each for part in answer.parts for each in _written_in(part)]))
    if (eingabe, ausgabe) == (usage.eingabe_token, usage.ausgabe_token):
        return usage
    return replace(usage, eingabe_token=eingabe, ausgabe_token=ausgabe, geschaetzt=True)
