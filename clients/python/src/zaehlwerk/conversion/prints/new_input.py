"""What a request asks that the model has not answered yet: step 1 of docs/fingerprints.md."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..json_values import Json, at, entries, has, text
from .canonical_json import canonical_json
from .words import Word, last_of, length_of, mark, words_of

_INSTRUCTIONS = {"system", "developer"}
_MODEL = {"assistant", "model", "chatbot"}
_WRITTEN_BY_MODEL = re.compile(r"(^reasoning|_call|^item_reference|^compaction)$")
"""Items of OpenAI's responses that the model has written, besides messages."""
_TEXTS = ("prompt", "input", "inputText", "message", "query", "texts", "inputs", "content", "text")
"""Under which names requests without messages have their text, the first of them that is there."""
_CONTENTS = ("content", "parts", "output", "message")
"""Where messages have what they say, the first of them that is there."""
_READ_AT_MOST = 32
"""Pieces that are read, the last ones."""

_Piece = str | Word
"""A text, or what stands for something that is no text."""


def _first_there(value: Json, names: Iterable[str]) -> Json:
    return next((found for name in names if (found := at(value, name)) is not None), None)


def _role_of(message: Json) -> str:
    return (text(at(message, "role")) or "").lower()


def _is_by_model(message: Json) -> bool:
    kind = text(at(message, "type")) or ""
    return _role_of(message) in _MODEL or _WRITTEN_BY_MODEL.search(kind) is not None


def _messages_of(request: Json) -> list[Json] | None:
    """The messages, where the request has any."""
    places = (at(request, name) for name in ("messages", "contents", "input"))
    found = next((place for place in places if isinstance(place, list)), None)
    if found is None or not any(each is None or isinstance(each, (dict, list)) for each in found):
        return None
    return found


def _unanswered(messages: list[Json]) -> list[Json]:
    """
    The last messages that the model did not write: those after its last answer; those before it, where an answer of it is
    begun at the end.
    """
    asked = [message for message in messages if _role_of(message) not in _INSTRUCTIONS]
    end = len(asked)
    while end > 0 and _is_by_model(asked[end - 1]):
        end -= 1
    begin = end
    while begin > 0 and not _is_by_model(asked[begin - 1]):
        begin -= 1
    return asked[begin:end]


def _longest_text(value: Json) -> str:
    """The longest text anywhere in a value: the bytes or the address of a picture."""
    if isinstance(value, str):
        return value
    inner = value.values() if isinstance(value, dict) else entries(value)
    longest, length = "", 0
    for each in map(_longest_text, inner):
        if (own := length_of(each)) > length:
            longest, length = each, own
    return longest


def _attachment_of(block: Json) -> Word:
    """A picture, a file: its length and its end tell it from others."""
    longest = _longest_text(block)
    return mark(f"{length_of(longest)}.{last_of(longest, 32)}")


def _tool_result_in(block: Json) -> Json:
    """What a tool has answered, in the forms of the providers; None where the block is none."""
    for place in (("functionResponse", "response"), ("toolResult", "content")):
        found = at(block, *place)
        if found is not None:
            return found
    if at(block, "type") != "tool_result":
        return None
    content = at(block, "content")
    return "" if content is None else content


def _pieces_of_block(block: Json) -> list[_Piece]:
    """What a block of a message says: a text, what a tool answered, something else."""
    if isinstance(block, str):
        return [block]
    said = at(block, "text")
    if isinstance(said, str):
        return [said]
    result = _tool_result_in(block)
    if result is not None:
        return _pieces_of_content(result)
    return [canonical_json(at(block, "json")) if has(block, "json") else _attachment_of(block)]


def _pieces_of_content(content: Json) -> list[_Piece]:
    """Blocks in their order; a value that is no block as its JSON text."""
    if isinstance(content, list):
        return [piece for block in content for piece in _pieces_of_block(block)]
    return [content if isinstance(content, str) else canonical_json(content)]


def _pieces_of_message(message: Json) -> list[_Piece]:
    content = _first_there(message, _CONTENTS)
    return _pieces_of_block(message) if content is None else _pieces_of_content(content)


def _pieces_of_texts(request: Json) -> list[_Piece]:
    """Pieces of a request without messages."""
    asked = [_first_there(request, _TEXTS), *entries(at(request, "documents"))]
    said = [each for place in asked if place is not None for each in (place if isinstance(place, list) else [place])]
    return [piece for each in said for piece in _pieces_of_message(each)]


def new_input(request: Json) -> list[Word]:
    """The words of what a request asks anew, in their order; none where it asks nothing that can be read."""
    messages = _messages_of(request)
    if messages is None:
        pieces = _pieces_of_texts(request)
    else:
        pieces = [piece for message in _unanswered(messages) for piece in _pieces_of_message(message)]
    read = pieces[-_READ_AT_MOST:]
    words = [word for piece in read for word in (words_of(piece) if isinstance(piece, str) else [piece])]
    return [*words, mark(str(len(pieces)))] if len(pieces) > len(read) else words
