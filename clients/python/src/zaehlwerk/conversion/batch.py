"""Results of batches, as they are downloaded."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from .exchange import Answer, Exchange, host_and_path, origin_of
from .json_values import Json, at, count, entries, first, has, object_at, parse_json, text


@dataclass(frozen=True)
class BatchLine:
    """One line of the results of a batch: what one of its requests got."""

    answer: Answer | None
    """None where the request was never made (expired, cancelled), which costs nothing."""
    names: tuple[str, ...]
    """What tells the line from all others, also when the results are fetched again."""


@dataclass(frozen=True)
class _Result:
    status: int
    body: dict[str, Json] | None
    """None where the request was never made."""


def _gemini_result(line: Json) -> _Result | None:
    """Gemini's lines have no status; what was refused has an error instead of an answer."""
    if object_at(line, "response", "usageMetadata") is not None:
        return _Result(200, object_at(line, "response"))
    error = None if text(at(line, "key")) is None else object_at(line, "error")
    return None if error is None else _Result(400, {"error": error})


def _result_in(line: Json) -> _Result | None:
    """What a line holds; None where it is no result at all."""
    has_own_id = text(at(line, "custom_id")) is not None
    if has_own_id and has(line, "response"):
        body = object_at(line, "response", "body")
        return _Result(count(at(line, "response", "status_code")) or 200, body)
    if has_own_id and text(at(line, "result", "type")) is not None:
        message = object_at(line, "result", "message")
        if message is not None:
            return _Result(200, message)
        return _Result(400, object_at(line, "result", "error"))
    return _gemini_result(line)


def _line_of(line: Json, position: int, exchange: Exchange) -> BatchLine | None:
    result = _result_in(line)
    if result is None:
        return None
    host, path = host_and_path(exchange.uri)
    origin = origin_of(exchange.uri)
    # The provider's own id of the answer where there is one, else the place in the file; an address may be signed anew.
    ids = (at(line, "id"), at(result.body, "id"), at(result.body, "responseId"))
    file = exchange.uri if origin is None else f"{origin}{path}"
    own = text(at(line, "custom_id")) or text(at(line, "key")) or str(position)
    names = (first(ids, text) or file, own)
    if result.body is None:
        return BatchLine(None, names)
    answered = Exchange(uri=origin or "", request={}, status=result.status, content_type=exchange.content_type, body="")
    return BatchLine(Answer(answered, "POST", host, "", [result.body]), names)


def _parsed(line: str) -> Json:
    try:
        return parse_json(line)
    except ValueError:
        return None


def _inlined(body: str, exchange: Exchange) -> list[BatchLine | None] | None:
    """A batch of Gemini that was sent without a file has its results in the batch itself, once it has ended."""
    batch = _parsed(body)
    found = entries(at(batch, "response", "inlinedResponses", "inlinedResponses"))
    if not found:
        return None
    name = text(at(batch, "name")) or exchange.uri
    lines = [
        _line_of({"key": str(position), **(object_at(entry) or {})}, position, exchange)
        for position, entry in enumerate(found)
    ]
    return [line and replace(line, names=(name, str(position))) for position, line in enumerate(lines)]


_HEAD = re.compile(r'"(custom_id|key|usageMetadata)"')


def batch_lines(exchange: Exchange) -> list[BatchLine | None] | None:
    """
    The lines of the results of a batch: OpenAI's output file (also Azure's, Groq's and Mistral's), Anthropic's results,
    Gemini's output file or batch. None where the body is something else; a line that is no result (a download cut off)
    is None among them.
    """
    body = exchange.body.strip()
    if '"inlinedResponses"' in body:
        return _inlined(body, exchange)
    # A look that costs little, before anything is parsed: one of the words stands in every line.
    head = body.split("\n", 1)[0]
    if not _HEAD.search(head) or _line_of(_parsed(head), 0, exchange) is None:
        return None
    lines = [line for line in body.split("\n") if line.strip()]
    return [_line_of(_parsed(line), position, exchange) for position, line in enumerate(lines)]
