"""How a call ended."""

from __future__ import annotations

from .exchange import Answer
from .json_values import Json, at, first, object_at, text


def _error_in(part: Json) -> Json:
    """The error an answer or one part of its stream carries; None where it carries none."""
    if at(part, "type") == "error" or at(part, "object") == "error":
        error = at(part, "error")
        return part if error is None else error
    finish = text(at(part, "finish_reason")) or text(at(part, "delta", "finish_reason"))
    if finish is not None and finish.startswith("ERROR"):
        return {"code": finish}
    places = (at(part, "error"), at(part, "response", "error"), at(part, "last_error"))
    error = next((place for place in places if place is not None), None)
    return None if error in ("", False) else error


def _code_of(error: Json) -> str | None:
    """
    Most telling name first: OpenAI's `code` is finer than its `type`; Google's `code` is the HTTP status again and its
    `status` the name; AWS prefixes `__type` with a namespace.
    """
    named = first((at(error, "code"), at(error, "status"), at(error, "type")), text)
    kind = text(at(error, "__type"))
    code = named or (None if kind is None else kind.rsplit("#", 1)[-1])
    return None if code is None else code[:200] or None


def outcome_of(answer: Answer) -> dict[str, Json]:
    """`fehler` from HTTP 400 up or where the body carries an error, with the provider's code or type."""
    status = answer.exchange.status
    error = first(answer.parts, _error_in)
    if status < 400 and error is None:
        return {"status": "erfolgreich", "fehlercode": None}
    bare = None if status < 400 else first(answer.parts, object_at)
    fallback = f"http_{status}" if status >= 400 else "unbekannt"
    return {"status": "fehler", "fehlercode": _code_of(error) or _code_of(bare) or fallback}
