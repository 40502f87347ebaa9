"""Whose calls they are: what `run` says of all calls made inside it."""

from __future__ import annotations

import contextlib
import functools
import inspect
import re
import sys
import time
import uuid
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextvars import ContextVar, Token
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any, TypeVar, cast

from .conversion.exchange import Event
from .conversion.ids import uuid7
from .conversion.json_values import Json

F = TypeVar("F", bound=Callable[..., Any])

_NAMES: Mapping[str, str] = {
    "agent": "agent",
    "endkunde": "endkunde_ref",
    "endkunde_ref": "endkunde_ref",
    "end_customer": "endkunde_ref",
    "funktion": "funktion_ref",
    "funktion_ref": "funktion_ref",
    "function": "funktion_ref",
    "benutzer": "benutzer_ref",
    "benutzer_ref": "benutzer_ref",
    "user": "benutzer_ref",
}
"""Fields of an event by the names under which they may be said."""


@dataclass
class Run:
    """A run, and when it was entered."""

    lauf_id: str
    began: float = field(default_factory=time.time)


@dataclass(frozen=True)
class Frame:
    """What holds for the calls inside one `run`."""

    run: Run | None = None
    fields: Mapping[str, Json] = field(default_factory=dict)
    zusatz: Mapping[str, Json] = field(default_factory=dict)
    span: str | None = None
    """Of a run inside another: names the part of the run that makes the calls."""


_frame: ContextVar[Frame | None] = ContextVar("zaehlwerk_frame", default=None)


def current() -> Frame | None:
    """What the innermost `run` says, None outside of any."""
    return _frame.get()


def trace_of(traceparent: str | None) -> str | None:
    """The trace id of a W3C `traceparent` as a UUID, None where there is none."""
    found = re.match(r"\s*[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}", traceparent or "", re.IGNORECASE)
    return None if found is None or not int(found[1], 16) else str(uuid.UUID(found[1]))


def _active_trace() -> str | None:
    """The trace of OpenTelemetry's current span, where the host uses that."""
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None:
        return None
    try:
        trace_id = trace.get_current_span().get_span_context().trace_id
        return str(uuid.UUID(int=trace_id)) if trace_id else None
    except Exception:
        return None


def fields_of(said: Mapping[str, Json]) -> tuple[dict[str, Json], dict[str, Json]]:
    """What was said under any of its names, as fields of an event and of its `zusatz`."""
    fields: dict[str, Json] = {}
    zusatz: dict[str, Json] = {}
    for name, value in said.items():
        if value is None:
            continue
        if name in _NAMES:
            fields[_NAMES[name]] = value
        elif name in ("projekt", "project"):
            zusatz["projekt"] = value
        elif name in ("extra", "zusatz"):
            zusatz.update(value)
        else:
            raise TypeError(f"run() knows no {name!r}")
    return fields, zusatz


@contextlib.contextmanager
def _inside(frame: Frame) -> Iterator[None]:
    """While a generator works; what its caller does between two items is not its doing."""
    token = _frame.set(frame)
    try:
        yield
    finally:
        _frame.reset(token)


class RunContext:
    """
    A run: `with zw.run(agent="support/triage"):`, `async with`, or as decorator of a function, a coroutine function or a
    generator. A run inside another belongs to the same run, unless it says otherwise.
    """

    def __init__(self, lauf_id: str | None, traceparent: str | None, new_run: bool, said: Mapping[str, Json]) -> None:
        self._lauf_id = None if lauf_id is None else str(uuid.UUID(str(lauf_id)))
        self._traceparent = traceparent
        self._new_run = new_run
        self._fields, self._zusatz = fields_of(said)
        self._tokens: list[Token[Frame | None]] = []

    def _frame(self) -> Frame:
        outer = _frame.get()
        traced = trace_of(self._traceparent)
        named = self._lauf_id or traced
        fields, zusatz = self._fields, self._zusatz
        if outer is not None:
            fields, zusatz = {**outer.fields, **fields}, {**outer.zusatz, **zusatz}
        if outer is None or outer.run is None or self._new_run or named not in (None, outer.run.lauf_id):
            begun = None if self._new_run else _active_trace()
            if outer is not None and outer.run is not None:
                zusatz = {**zusatz, "eltern_lauf": outer.run.lauf_id}
            return Frame(Run(named or begun or uuid7()), fields, zusatz)
        inner = replace(outer, fields=fields, zusatz=zusatz)
        is_other = fields.get("agent") != outer.fields.get("agent")
        return replace(inner, span=str(uuid.uuid4())) if is_other else inner

    def __enter__(self) -> Run:
        frame = self._frame()
        self._tokens.append(_frame.set(frame))
        assert frame.run is not None
        return frame.run

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Left in another context than entered (an async generator that was closed): that context is over anyway.
        with contextlib.suppress(ValueError):
            _frame.reset(self._tokens.pop())

    async def __aenter__(self) -> Run:
        return self.__enter__()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.__exit__(kind, error, trace)

    def _anew(self) -> RunContext:
        said = {**self._fields, "zusatz": self._zusatz}
        return RunContext(self._lauf_id, self._traceparent, self._new_run, said)

    def __call__(self, function: F) -> F:
        """Every call of the function is a run of its own."""
        wrapped: Callable[..., Any]
        if inspect.isasyncgenfunction(function):

            @functools.wraps(function)
            async def async_items(*args: Any, **kwargs: Any) -> AsyncIterator[Any]:
                frame = self._frame()
                produced = function(*args, **kwargs)
                while True:
                    with _inside(frame):
                        try:
                            item = await produced.__anext__()
                        except StopAsyncIteration:
                            return
                    yield item

            wrapped = async_items
        elif inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def coroutine(*args: Any, **kwargs: Any) -> Any:
                with self._anew():
                    return await function(*args, **kwargs)

            wrapped = coroutine
        elif inspect.isgeneratorfunction(function):

            @functools.wraps(function)
            def items(*args: Any, **kwargs: Any) -> Iterator[Any]:
                frame = self._frame()
                produced = function(*args, **kwargs)
                while True:
                    with _inside(frame):
                        try:
                            item = next(produced)
                        except StopIteration:
                            return
                    yield item

            wrapped = items
        else:

            @functools.wraps(function)
            def call(*args: Any, **kwargs: Any) -> Any:
                with self._anew():
                    return function(*args, **kwargs)

            wrapped = call
        return cast(F, wrapped)


_sources: list[Callable[[], Event | None]] = []
"""Frameworks that tell which agent and run a call belongs to."""


def add_source(source: Callable[[], Event | None]) -> None:
    """Asked for `agent`, `lauf_id` and `zusatz` of a call, as far as no `run` says them."""
    if source not in _sources:
        _sources.append(source)


def told_by_frameworks() -> Event:
    """What the frameworks of the host tell of the call that is about to be made."""
    told: Event = {}
    for source in _sources:
        try:
            for name, value in (source() or {}).items():
                if value is not None:
                    told.setdefault(name, value)
        except Exception:
            continue
    return told
