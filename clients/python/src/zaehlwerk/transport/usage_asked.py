"""
Streams of OpenAI's chat say their counts only where they are asked for them, in a piece of its own. It is asked for on the
caller's behalf, and the piece is taken out again of what the caller gets.
"""

from __future__ import annotations

import json
import re

from ..conversion.exchange import origin_of
from ..conversion.json_values import Json
from ..conversion.shape import Shape

_ON_REQUEST = ("openai-chat", "openai-completions")
_ALWAYS = ("https://openrouter.ai",)
"""Who says counts in any case: callers rely on the piece."""
_unwilling: set[str | None] = set()
"""Servers that refuse to be asked for counts."""

_STREAMS = re.compile(rb'"stream"\s*:\s*true')
_OPTIONS = b'{"stream_options":{"include_usage":true},'


def body_that_asks(uri: str, form: Shape | None, body: Json) -> bytes | None:
    """The body that asks; None where the caller says something of it, or there is nothing to ask."""
    if form is None or form.name not in _ON_REQUEST or not isinstance(body, bytes):
        return None
    if not body.startswith(b"{") or _STREAMS.search(body) is None:
        return None
    origin = origin_of(uri)
    if origin in _unwilling or origin in _ALWAYS:
        return None
    try:
        request = json.loads(body)
    except ValueError:
        return None
    if request.get("stream") is not True or "stream_options" in request:
        return None
    return body.replace(b"{", _OPTIONS, 1)


def may_refuse(status: int) -> bool:
    """Whether an answer of this status has to be read before it is known whether the question is what is refused."""
    return status in (400, 422)


def refuses_to_say(uri: str, status: int, answer: bytes) -> bool:
    """Whether a server does not know the question; then it is never asked again."""
    is_refused = may_refuse(status) and b"stream_options" in answer
    if is_refused:
        _unwilling.add(origin_of(uri))
    return is_refused


_NO_CHOICES = re.compile(rb'"choices"\s*:\s*\[\s*\]')
_BOUNDARY = re.compile(rb"(?<=\r\n\r\n)|(?<=\n\n)|(?<=\r\r)")
_ENDS_AN_EVENT = (b"\r\n\r\n", b"\n\n", b"\r\r")
_NO_COUNTS = re.compile(rb',\s*"usage"\s*:\s*null(?=\s*[,}])')
"""Beside the piece itself, every other one says that it has no counts. No text of an answer has a quote without a backslash."""


def _is_counts(event: bytes) -> bool:
    """Whether an event of the stream is the one with the counts, and nothing else."""
    if b'"usage"' not in event or _NO_CHOICES.search(event) is None:
        return False
    try:
        data = json.loads(event[event.index(b"data:") + 5 :])
    except ValueError:
        return False
    return data.get("choices") == [] and isinstance(data.get("usage"), dict)


class CountsOut:
    """Takes the counts out of a stream; whole events pass as they come."""

    def __init__(self) -> None:
        self._rest = b""

    def passes(self, piece: bytes) -> bytes:
        """What of a piece passes on, and of what came before it."""
        text = self._rest + piece
        is_whole = text.endswith(_ENDS_AN_EVENT)
        if is_whole and not self._rest and b'"usage"' not in text:
            return piece
        events = _BOUNDARY.split(text)
        self._rest = events.pop()
        return b"".join(_NO_COUNTS.sub(b"", event) for event in events if not _is_counts(event))

    def rest(self) -> bytes:
        """What is there at the end without having ended itself."""
        rest, self._rest = self._rest, b""
        return rest
