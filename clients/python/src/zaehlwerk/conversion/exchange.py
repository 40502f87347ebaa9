"""One HTTP exchange with a provider, and its answer read."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from .event_stream import embedded_objects, event_stream_parts, is_event_stream
from .json_values import Json, at, first, parse_json, text
from .sse import is_sse, sse_data

Event = dict[str, Json]
"""One call of a model, as POST /v1/ereignisse takes it; None says "unknown", which is not the same as 0."""


@dataclass(frozen=True)
class Exchange:
    """One HTTP exchange with a model provider, recorded or live."""

    uri: str
    """Full address of the request; the path alone is enough where the shape shows in it."""
    request: Json
    """Parsed JSON body of the request; of a form (transcriptions) its text fields as an object."""
    status: int
    content_type: str
    body: str
    """The answer as text; for a stream everything that came, unparsed. Of audio or images '' is enough."""
    method: str = "POST"
    """What is only read is no call of a model."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Of the answer, by their names in lower case; some providers name the call there."""
    aborted: bool = False
    """Whether the caller or the connection ended the answer before its end."""
    latency_ms: float | None = None
    zeitpunkt: str | None = None
    """When the call began, ISO 8601; taken from the answer where missing."""


@dataclass(frozen=True)
class Answer:
    """An exchange with its answer read: one part for a JSON answer, one per event, line or element for a stream."""

    exchange: Exchange
    method: str
    """Upper case."""
    host: str
    """With port, lower case; empty where the exchange carries a path only."""
    path: str
    """As sent, still percent-encoded, without the query."""
    parts: Sequence[Json]


_BINARY = re.compile(r"(audio|image|video)/", re.IGNORECASE)
"""Sound and pictures hold no counts, and whatever looks like JSON in them is none."""

_DEFAULT_PORTS = {"http": 80, "https": 443}


def host_and_path(uri: str) -> tuple[str, str]:
    """The host with its port, empty where there is none, and the path."""
    try:
        url = urlsplit(uri)
        port = url.port
    except ValueError:
        return "", uri
    if not url.scheme or not url.netloc:
        return "", re.sub(r"[?#].*$", "", uri, flags=re.DOTALL)
    shown = "" if port is None or port == _DEFAULT_PORTS.get(url.scheme) else f":{port}"
    return (url.hostname or "") + shown, url.path or "/"


def origin_of(uri: str) -> str | None:
    """Scheme and host of an address, None where it has none."""
    host, _ = host_and_path(uri)
    return f"{uri.split(':', 1)[0].lower()}://{host}" if host else None


def _parsed(chunks: Sequence[str]) -> list[Json]:
    found = []
    for chunk in chunks:
        try:
            found.append(parse_json(chunk))
        except ValueError:
            continue
    return found


def _parts_of(body: str, content_type: str) -> list[Json]:
    """The body decides, not the content type: recordings and gateways mislabel streams or leave the header out."""
    if _BINARY.match(content_type):
        return []
    whole = _parsed([body])
    if whole:
        return whole[0] if isinstance(whole[0], list) else whole
    if is_event_stream(body, content_type):
        return event_stream_parts(body)
    if is_sse(body):
        return _parsed(sse_data(body))
    return _parsed(body.split("\n")) or embedded_objects(body)


def read_answer(exchange: Exchange) -> Answer:
    """Reads the body of an exchange, whatever its form (JSON, JSON array, SSE, NDJSON, AWS event stream)."""
    host, path = host_and_path(exchange.uri)
    parts = _parts_of(exchange.body, exchange.content_type)
    return Answer(exchange, exchange.method.upper(), host, path, parts)


def from_path(answer: Answer, pattern: str) -> str | None:
    """A group of the path pattern, percent-decoded; None where the path is another."""
    found = re.search(pattern, answer.path)
    return None if found is None else text(unquote(found[1]))


def model_of(answer: Answer) -> str | None:
    """The model the answer names (Azure's first chunk names an empty one), else the request's."""

    def named(part: Json) -> str | None:
        places = (at(part, "model"), at(part, "message", "model"), at(part, "response", "model"))
        return first(places, text)

    return first(answer.parts, named) or text(at(answer.exchange.request, "model"))
