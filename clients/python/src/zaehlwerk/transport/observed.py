"""One call of a model on its way, whatever library carries it."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime, timezone
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from ..conversion.exchange import Exchange, host_and_path
from ..conversion.hosts import is_provider
from ..conversion.json_values import Json, at, text
from ..conversion.management import is_management, is_stored
from ..conversion.shape import Shape
from ..conversion.to_events import form_at
from ..conversion.usage_event import iso
from ..eingriffe.eingriff import Eingriff
from ..errors import StoppedByIntervention
from .copy import Copy, decoder_of
from .refusal import error_event
from .usage_asked import CountsOut, body_that_asks, refuses_to_say

if TYPE_CHECKING:
    from ..client import Client
    from ..reservierungen.reservations import Admission

_inside: ContextVar[bool] = ContextVar("zaehlwerk_inside", default=False)
"""Whether somebody further out watches this call already: libraries are built upon each other."""


@contextmanager
def watched() -> Iterator[None]:
    """What happens inside is part of a call that is watched."""
    token = _inside.set(True)
    try:
        yield
    finally:
        _inside.reset(token)


@dataclass
class Carrier:
    """Carries a refusal past a library that would try again, or wrap it, to those who called the library."""

    refused: Exception | None = None


carrier: ContextVar[Carrier | None] = ContextVar("zaehlwerk_carrier", default=None)

_MODEL = re.compile(rb'"model"\s*:\s*"([^"\\]{1,200})"')


def _model_in(request: bytes) -> str | None:
    """The model a request names; all of it is read only where that is not clear."""
    # Quotes inside of a text have a stroke before them.
    found = {each[1] for each in _MODEL.finditer(request) if request[each.start() - 1 : each.start()] != b"\\"}
    if len(found) < 2:
        return next((each.decode(errors="replace") for each in found), None)
    try:
        return text(at(json.loads(request), "model"))
    except ValueError:
        return None


_STREAMS = re.compile(r"event-?stream|ndjson|jsonl|stream\+json", re.IGNORECASE)

_MODEL_IN_PATH = re.compile(r"/models?/([^/]+?)(?:(?::|%3A)\w+|/(?:invoke|converse)[\w-]*)$|/deployments/([^/]+)/")


@dataclass(frozen=True)
class _Address:
    """What an address says of the calls that go there."""

    form: Shape | None
    at_provider: bool
    is_other: bool
    """Where nothing is that costs."""
    modell: str | None

    def is_call(self, method: str, is_wrapped: bool) -> bool:
        """Whether a request to it may be a call of a model, or fetch the result of one."""
        is_known = self.at_provider or is_wrapped
        if method == "GET":
            return self.form is not None and self.form.polled and is_known
        return method == "POST" and (self.form is not None or (is_known and not self.is_other))


@lru_cache(maxsize=1_000)
def _address_of(uri: str) -> _Address:
    _, path = host_and_path(uri)
    found = _MODEL_IN_PATH.search(path)
    return _Address(
        form_at(uri, None),
        is_provider(uri),
        is_management(path) or is_stored(path),
        None if found is None else unquote(found[1] or found[2]),
    )


class Observed:
    """From the question to the guard until all of the answer has passed."""

    def __init__(
        self, client: Client, method: str, uri: str, form: Shape | None, request: Json, modell: str | None
    ) -> None:
        self.client = client
        self.method = method
        self.uri = uri
        self.form = form
        self._request = request
        self._call = client.call_fields(modell)
        self._began = time.perf_counter()
        self._begun_at = time.time()
        self._status = 0
        self._headers: Mapping[str, str] = {}
        self._copy = Copy()
        self._first_ms: float | None = None
        self._is_finished = False
        self._is_stream = False
        self._step: int | None = None
        self._admission: Admission | None = None
        self._asks = False
        """Whether counts of the stream were asked for, which the caller did not."""
        self._counts: CountsOut | None = None

    @classmethod
    def begin(
        cls,
        client: Client | None,
        method: str,
        uri: str,
        body: bytes | dict[str, Json] | None,
        is_wrapped: bool,
    ) -> Observed | None:
        """None where it is no call of a model. `is_wrapped`: the client was handed over as one that makes such calls."""
        if client is None or client.is_closed() or _inside.get():
            return None
        try:
            address = _address_of(uri.partition("?")[0])
            if not address.is_call(method, is_wrapped):
                return None
            named = text(body.get("model")) if isinstance(body, dict) else _model_in(body) if body else None
            modell = named or address.modell
            # An address of one's own may look like a provider's; a model it must have.
            if not (address.at_provider or is_wrapped) and modell is None:
                return None
            return cls(client, method, uri, address.form, body, modell)
        except Exception as error:
            client.note(error)
            return None

    def ask(self) -> None:
        """Asks the guard; raises what forbids the call."""
        if self.method == "POST":
            self.client.guard(self._call)
            demand = self.client.demand(self._call, self.uri, self.form, self._request)
            if demand is not None:
                self._admission = self.client.reserve(self._call, demand)
        self._set_off()

    async def ask_async(self) -> None:
        """The same without blocking the loop."""
        if self.method == "POST":
            await self.client.guard_async(self._call)
            demand = self.client.demand(self._call, self.uri, self.form, self._request)
            if demand is not None:
                self._admission = await self.client.reserve_async(self._call, demand)
        self._set_off()

    def _set_off(self) -> None:
        self._step = self.client.next_step(self._call)
        self._began = time.perf_counter()
        self._begun_at = time.time()

    @contextmanager
    def under_way(self) -> Iterator[None]:
        """The request is made; where no answer comes nothing will be counted, and what was reserved goes back."""
        with watched():
            try:
                yield
            except BaseException:
                if self._admission is not None:
                    self._admission.give_back()
                raise

    def answered(self, status: int, headers: Mapping[str, str]) -> None:
        """The head of the answer is there; what has its headers finds them by names in any case."""
        self._status = status
        self._headers = headers
        self._is_stream = _STREAMS.search(headers.get("content-type") or "") is not None
        if self._asks and self._is_stream and headers.get("content-encoding", "identity") == "identity":
            self._counts = CountsOut()

    def body_that_asks(self) -> bytes | None:
        """The request's body that asks for the counts of the stream; None where it stays as it is."""
        body = body_that_asks(self.uri, self.form, self._request)
        self._asks = body is not None
        return body

    def is_question_refused(self, status: int, answer: bytes) -> bool:
        """Whether the server refuses to be asked for counts; then it is not asked again."""
        is_refused = refuses_to_say(self.uri, status, answer)
        self._asks = self._asks and not is_refused
        return is_refused

    def passes(self, chunk: bytes) -> bytes:
        """A piece of the answer has come; what of it is handed to the host."""
        if self._first_ms is None:
            self._first_ms = (time.perf_counter() - self._began) * 1_000
        self._copy.add(chunk)
        return chunk if self._counts is None else self._counts.passes(chunk)

    def rest(self) -> bytes:
        """What is handed to the host at the end of the stream."""
        return b"" if self._counts is None else self._counts.rest()

    def stopped(self) -> Eingriff | None:
        """What forbids that the answer goes on. One that comes in one piece is paid for, and passes."""
        return self.client.forbids(self._call) if self._is_stream else None

    def ending(self, eingriff: Eingriff) -> bytes:
        """What ends the stream in the provider's own words; raises where it has none for that."""
        stop = StoppedByIntervention(eingriff)
        encoding = self._headers.get("content-encoding", "identity")
        end = error_event(self.form, self.uri, str(stop)) if encoding == "identity" else None
        if end is None:
            raise stop
        return self.rest() + end

    def finish(self, aborted: bool = False, is_packed: bool = False) -> None:
        """All of the answer that will come has passed. `is_packed`: as it came over the wire."""
        if self._is_finished:
            return
        self._is_finished = True
        took = (time.perf_counter() - self._began) * 1_000
        self.client.convert_later(lambda: self._record(aborted, is_packed, took), self._copy.size())

    def _record(self, aborted: bool, is_packed: bool, took: float) -> None:
        self._headers = {name.lower(): str(value) for name, value in self._headers.items()}
        content_type = self._headers.get("content-type", "")
        call = dict(self._call)
        call.pop("modell", None)
        if self._step is not None:
            call["schritt_nr"] = self._step
        if self._is_stream and self._first_ms is not None:
            call["erste_zeichen_ms"] = round(self._first_ms)
        body = self._body(content_type, is_packed)
        self.client.convert(
            Exchange(
                uri=self.uri,
                method=self.method,
                request=self._parsed_request(),
                status=self._status,
                content_type=content_type,
                headers=self._headers,
                body=body,
                # Libraries close a stream once it has said that it is over.
                aborted=aborted and "data: [DONE]" not in body[-200:],
                latency_ms=took,
                zeitpunkt=iso(datetime.fromtimestamp(self._begun_at, timezone.utc)),
            ),
            call,
            self._admission,
        )

    def _parsed_request(self) -> Json:
        if not isinstance(self._request, bytes):
            return self._request or {}
        try:
            return json.loads(self._request)
        except ValueError:
            return {}

    def _body(self, content_type: str, is_packed: bool) -> str:
        if re.match(r"(audio|image|video)/", content_type):
            return ""
        raw = self._copy.bytes()
        for encoding in reversed(self._headers.get("content-encoding", "").split(",") if is_packed else []):
            decode = decoder_of(encoding)
            raw = b"" if decode is None else decode(raw)
        return raw.decode(errors="replace")


def refuse(error: Exception) -> bool:
    """Hands a refusal to those who called the library; False where nobody waits for it, and it has to be raised."""
    waiting = carrier.get()
    if waiting is None:
        return False
    waiting.refused = error
    return True
