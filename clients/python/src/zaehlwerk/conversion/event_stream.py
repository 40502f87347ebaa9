"""AWS event streams (`application/vnd.amazon.eventstream`): binary frames around JSON."""

from __future__ import annotations

import base64
import binascii
import re

from .json_values import Json, at, parse_json, text

_EXCEPTION = re.compile(r":exception-type[^\w]{1,4}(\w+)")


def _end_of_string(body: str, start: int) -> int:
    i = start + 1
    while i < len(body):
        if body[i] == "\\":
            i += 1
        elif body[i] == '"':
            return i
        i += 1
    return len(body)


def _end_of_object(body: str, start: int) -> int:
    """Index after the object that opens at `start`, or -1 where it never closes."""
    depth = 0
    i = start
    while i < len(body):
        char = body[i]
        if char == '"':
            i = _end_of_string(body, i)
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if depth == 0:
                return i + 1
        i += 1
    return -1


def _parsed(source: str) -> Json:
    try:
        return parse_json(source)
    except ValueError:
        return None


def embedded_objects(body: str) -> list[Json]:
    """
    Every JSON object that stands in the text, whatever stands between them. Reads AWS event streams even where decoding
    as text broke the frame lengths, and arrays that were cut off.
    """
    found: list[Json] = []
    start = body.find("{")
    while start >= 0:
        end = _end_of_object(body, start)
        value = None if end < 0 else _parsed(body[start:end])
        if value is not None:
            found.append(value)
        start = body.find("{", start + 1 if value is None else end)
    return found


def is_event_stream(body: str, content_type: str) -> bool:
    """Whether the text is an AWS event stream."""
    return "vnd.amazon.eventstream" in content_type or ":event-type" in body


def _unwrapped(event: Json) -> Json:
    wrapped = text(at(event, "bytes"))
    if wrapped is None:
        return event
    try:
        decoded = base64.b64decode(wrapped + "=" * (-len(wrapped) % 4)).decode(errors="replace")
    except (binascii.Error, ValueError):
        return event
    inner = _parsed(decoded)
    return event if inner is None else inner


def event_stream_parts(body: str) -> list[Json]:
    """
    The events of a Bedrock stream. `InvokeModelWithResponseStream` wraps the model's own chunk in base64 (`bytes`). An
    exception names itself in a frame header only, so it is added as `{error: {type}}`.
    """
    parts = [_unwrapped(event) for event in embedded_objects(body)]
    exception = _EXCEPTION.search(body)
    return parts if exception is None else [*parts, {"error": {"type": exception[1]}}]
