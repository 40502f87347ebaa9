"""How a provider would say that a call is over, so that its library understands."""

from __future__ import annotations

import json
import struct
import zlib

from ..conversion.exchange import host_and_path
from ..conversion.shape import Shape


def _sse(data: object, event: str | None = None) -> bytes:
    named = "" if event is None else f"event: {event}\n"
    # What was cut in the middle of a piece ends there.
    return f"\n\n{named}data: {json.dumps(data)}\n\n".encode()


def openai_error(message: str) -> dict[str, object]:
    """OpenAI's form, which many share."""
    return {"error": {"message": message, "type": "eingriff", "param": None, "code": "eingriff"}}


def anthropic_error(message: str) -> dict[str, object]:
    """Anthropic's form."""
    return {"type": "error", "error": {"type": "billing_error", "message": message}}


def _header(name: str, value: str) -> bytes:
    written = value.encode()
    return struct.pack("!B", len(name)) + name.encode() + struct.pack("!BH", 7, len(written)) + written


def _aws_exception(message: str) -> bytes:
    """A frame of an AWS event stream that is an exception."""
    kind = "validationException"
    headers = b"".join(
        _header(name, value)
        for name, value in (
            (":exception-type", kind),
            (":content-type", "application/json"),
            (":message-type", "exception"),
        )
    )
    payload = json.dumps({"message": message}).encode()
    prelude = struct.pack("!II", 16 + len(headers) + len(payload), len(headers))
    frame = prelude + struct.pack("!I", zlib.crc32(prelude)) + headers + payload
    return frame + struct.pack("!I", zlib.crc32(frame))


def error_event(form: Shape | None, uri: str, message: str) -> bytes | None:
    """What ends a stream with an error in the library; None where the library has no such event."""
    name = "" if form is None else form.name
    if name == "anthropic":
        return _sse(anthropic_error(message), "error")
    if name == "gemini" and "alt=sse" in uri:
        return _sse({"error": {"code": 400, "message": message, "status": "FAILED_PRECONDITION"}})
    if name == "openai-responses":
        # One library looks for `type`, another for `error`.
        own = {"type": "error", "code": "eingriff", "message": message, "param": None, "sequence_number": 0}
        return _sse({**own, **openai_error(message)}, "error")
    if name == "bedrock" and host_and_path(uri)[1].endswith("stream"):
        return _aws_exception(message)
    if name in ("openai-chat", "openai-completions"):
        return _sse(openai_error(message))
    return None


def error_body(form: Shape | None, message: str) -> bytes:
    """An answer that is an error in the library, to be sent with 400 and `x-should-retry: false`."""
    said = anthropic_error(message) if form is not None and form.name == "anthropic" else openai_error(message)
    return json.dumps(said).encode()
