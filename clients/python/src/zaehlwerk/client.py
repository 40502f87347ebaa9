"""The client: counts calls of models, and keeps from making those that must not be made."""

from __future__ import annotations

import json
import os
import threading
import uuid
from collections import OrderedDict
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, TypeVar

from . import context, library
from .conversion.exchange import Event, Exchange
from .conversion.ids import uuid7
from .conversion.json_values import Json
from .conversion.prints.sim_hash import KeyedPrints
from .conversion.shape import Shape
from .conversion.to_events import Conversion, to_events
from .conversion.usage_event import iso
from .delivery.http import Connection
from .delivery.lifecycle import watch
from .delivery.sender import Sender, SenderOptions, Stats
from .delivery.spool import Spool, default_directory
from .eingriffe.eingriff import Eingriff
from .eingriffe.guard import Guard, GuardOptions, GuardState
from .reservierungen.demand import Demand, demand_of
from .reservierungen.reservations import Admission

T = TypeVar("T")

_MAX_RUNS = 10_000
"""The latest runs whose steps are counted: one that is entered again goes on with them."""


class Client:
    """
    A sender in the background, and a guard before calls. Raises into the host only what the guard forbids, and what is
    wrong with the arguments of its own functions.
    """

    def __init__(
        self,
        base_url: str | None = None,
        key: str | None = None,
        *,
        guard: GuardOptions | None = None,
        sender: SenderOptions | None = None,
        buffer: str | os.PathLike[str] | bool = True,
        on_unconverted: Callable[[str, Exchange], None] | None = None,
        exit_timeout: float = 5.0,
        lauf_id: str | uuid.UUID | None = None,
        **defaults: Json,
    ) -> None:
        """
        `base_url` and `key` are those of the environment (`ZAEHLWERK_URL`, `ZAEHLWERK_KEY`) where they are left out. `buffer`: the
        folder for what could not be delivered, False for none. `defaults`: `agent`, `endkunde` and whatever else `run` knows, for
        calls outside of any run; `lauf_id` is the run of these.
        """
        self._base_url = base_url or os.environ.get("ZAEHLWERK_URL") or ""
        self._key = key or os.environ.get("ZAEHLWERK_KEY") or ""
        if not self._base_url or not self._key:
            raise ValueError("Zählwerk needs base_url and key (or ZAEHLWERK_URL and ZAEHLWERK_KEY)")
        self._guard_options = guard or GuardOptions()
        self._sender_options = sender or SenderOptions()
        self._buffer = buffer
        self._on_unconverted = on_unconverted
        self._exit_timeout = exit_timeout
        self._defaults, self._default_zusatz = context.fields_of(defaults)
        if lauf_id is not None:
            self._defaults["lauf_id"] = str(uuid.UUID(str(lauf_id)))
        self._keyed: KeyedPrints | None = None
        self._closed = False
        self._begin()
        watch(self)

    def _begin(self) -> None:
        connection = Connection(self._base_url, self._key)
        options = self._sender_options
        self._steps: OrderedDict[str, int] = OrderedDict()
        self._steps_lock = threading.Lock()
        self._guard = Guard(
            self._guard_options,
            connection,
            timeout=options.request_timeout,
            retry_delay=options.retry_delay,
            on_key=self._take_fingerprint_key,
        )
        self._sender = Sender(connection, options, self._spool(), self._guard.learn)

    def _spool(self) -> Spool | None:
        if self._buffer is False:
            return None
        is_own = not isinstance(self._buffer, bool)
        return Spool(Path(os.fspath(self._buffer)) if is_own else default_directory(self._base_url, self._key))  # type: ignore[arg-type]

    def _take_fingerprint_key(self, key: str) -> None:
        if self._keyed is None or self._keyed.key != key:
            self._keyed = KeyedPrints(key)

    # What hosts use.

    def run(  # noqa: PLR0913
        self,
        *,
        agent: str | None = None,
        endkunde: str | None = None,
        funktion: str | None = None,
        benutzer: str | None = None,
        projekt: str | None = None,
        lauf_id: str | None = None,
        run_id: str | None = None,
        traceparent: str | None = None,
        new_run: bool = False,
        extra: dict[str, Json] | None = None,
        **more: Json,
    ) -> context.RunContext:
        """
        All calls inside belong to one run: `with zw.run(agent="support/triage", endkunde="K-17"):`, also `async with`, also as
        decorator. Names in English are taken as well: `end_customer`, `function`, `user`, `project`.
        """
        said = {
            "agent": agent,
            "endkunde": endkunde,
            "funktion": funktion,
            "benutzer": benutzer,
            "projekt": projekt,
            "extra": extra,
            **more,
        }
        return context.RunContext(lauf_id or run_id, traceparent, new_run, said)

    def wrap(self, library: T) -> T:
        """Watches the calls of one client of a library; returns the same client."""
        from .transport.wrap import wrap

        wrap(self, library)
        return library

    def litellm_callback(self) -> Any:
        """For LiteLLM where its calls are not watched: `litellm.callbacks = [zw.litellm_callback()]`."""
        from .frameworks.litellm import callback

        return callback(self)

    def langchain_handler(self) -> Any:
        """
        For LangChain where `init` is not used: `config={"callbacks": [zw.langchain_handler()]}` says which agent and run the
        calls of wrapped clients belong to.
        """
        from .frameworks.langchain import handler

        return handler()

    def guard(self, call: Event | None = None, *, lauf_beginn: float | None = None) -> None:
        """
        To be asked before a call of a model that nothing else watches, with what is known of it in the words of its
        event. Returns when it may be made; raises StoppedByIntervention when it must not, InterventionsUnknown only with
        `failure="closed"`.
        """
        asked = self.call_fields(None) if call is None else call
        if not self._closed:
            self._guard.pass_(asked, lauf_beginn if lauf_beginn is not None else self._run_began())

    async def guard_async(self, call: Event | None = None, *, lauf_beginn: float | None = None) -> None:
        """The same without blocking the loop."""
        asked = self.call_fields(None) if call is None else call
        if not self._closed:
            await self._guard.pass_async(asked, lauf_beginn if lauf_beginn is not None else self._run_began())

    def guard_state(self) -> GuardState:
        """What is known of interventions."""
        return self._guard.state()

    def send(self, event: Event) -> None:
        """Queues one event; it gets an `ereignis_id` and, where it has no time, the present one."""
        try:
            named = {
                **library.named(event),
                "ereignis_id": event.get("ereignis_id") or uuid7(),
                "zeitpunkt": event.get("zeitpunkt") or iso(datetime.now(timezone.utc)),
            }
            line = json.dumps(named, separators=(",", ":"), allow_nan=False)
        except Exception as error:
            self._sender.drop(f"{type(error).__name__}: {error}")
            return
        self._sender.put(line)

    def record(self, exchange: Exchange, **call: Json) -> None:
        """
        Converts an exchange with a provider that nothing watched, and queues its events, each with what the run and `call` say. What
        is no call of a model gives none; one that cannot be converted is counted in `stats` and told to `on_unconverted`.
        """
        fields = self.call_fields(None)
        fields.pop("modell")
        fields.update(call)
        if "schritt_nr" not in fields and (step := self.next_step(fields)) is not None:
            fields["schritt_nr"] = step
        self.convert(exchange, fields)

    def convert(self, exchange: Exchange, call: Event, admission: Admission | None = None) -> None:
        """The same with what is known of the call already."""
        try:
            conversion = to_events(exchange, keyed=self._keyed)
        except Exception as error:
            conversion = Conversion(unconverted=[f"{type(error).__name__}: {error}"])
        booked: Mapping[str, str] = {}
        if admission is not None:
            # Refused, or no call of a model after all: it costs nothing.
            if exchange.status >= 400 or not conversion.events:
                admission.give_back()
            else:
                booked = admission.booked()
        for index, event in enumerate(conversion.events):
            # With the last of several: until then what was reserved stands for all of them.
            own = booked if index == len(conversion.events) - 1 else {}
            zusatz = {**(event.get("zusatz") or {}), **(call.get("zusatz") or {}), **own}
            self.send({**event, **call, "zusatz": zusatz or None})
        self._sender.miss(len(conversion.unconverted))
        for reason in conversion.unconverted:
            try:
                if self._on_unconverted is not None:
                    self._on_unconverted(reason, exchange)
            except Exception as error:
                self.note(error)

    def stats(self) -> Stats:
        """Where the events handed over so far are."""
        return self._sender.stats()

    def flush(self, timeout: float = 30.0) -> Stats:
        """Returns when all queued events are delivered, at the latest after this many seconds."""
        self._sender.flush(timeout)
        return self.stats()

    def shutdown(self, timeout: float = 10.0) -> Stats:
        """Delivers what it can, keeps the rest on the disk where there is one, and stops for good."""
        self._closed = True
        self._sender.close(timeout)
        self._guard.close()
        return self.stats()

    # What the hooks use.

    def is_closed(self) -> bool:
        """Whether it has stopped for good."""
        return self._closed

    def note(self, error: BaseException) -> None:
        """Keeps what went wrong where nothing may be raised."""
        self._sender.note(f"{type(error).__name__}: {error}")

    def convert_later(self, work: Callable[[], None], size: int) -> None:
        """Has the background thread convert what passed."""
        self._sender.later(work, size)

    def demand(self, call: Event, uri: str, form: Shape | None, body: bytes | dict[str, Json] | None) -> Demand | None:
        """What a request may use at most; None where no call has to reserve."""
        if self._closed or not self._guard.reservations.is_needed():
            return None
        return demand_of(uri, form, call.get("modell"), body, self._guard.bytes_per_token())

    def reserve(self, call: Event, demand: Demand) -> Admission | None:
        """Sets money aside for a call; raises LimitReached where a hard limit has no room for it."""
        return self._guard.reserve(call, demand)

    async def reserve_async(self, call: Event, demand: Demand) -> Admission | None:
        """The same without blocking the loop."""
        return await self._guard.reserve_async(call, demand)

    def forbids(self, call: Event) -> Eingriff | None:
        """What forbids a call that is under way."""
        try:
            return None if self._closed else self._guard.forbids(call)
        except Exception as error:
            self.note(error)
            return None

    def call_fields(self, modell: str | None) -> Event:
        """What is known of a call that is about to be made here."""
        frame = context.current() or context.Frame()
        told = context.told_by_frameworks()
        zusatz = {**self._default_zusatz, **(told.pop("zusatz", None) or {}), **frame.zusatz}
        call: Event = {**self._defaults, **told, **frame.fields, "modell": modell}
        if frame.run is not None:
            call["lauf_id"] = frame.run.lauf_id
        if frame.span is not None:
            call["eltern_span"] = frame.span
        if zusatz:
            call["zusatz"] = zusatz
        return call

    def next_step(self, call: Event) -> int | None:
        """The number of the call in its run, None where it belongs to none."""
        lauf = call.get("lauf_id")
        if lauf is None:
            return None
        with self._steps_lock:
            step = self._steps.pop(lauf, 0) + 1
            self._steps[lauf] = step
            if len(self._steps) > _MAX_RUNS:
                self._steps.popitem(last=False)
            return step

    def _run_began(self) -> float | None:
        frame = context.current()
        return None if frame is None or frame.run is None else frame.run.began

    def at_exit(self) -> None:
        """The process is about to end."""
        if not self._closed:
            self.shutdown(self._exit_timeout)

    def after_fork(self) -> None:
        """The process is a copy: what waits is delivered by the other one."""
        # A thread that is not here may have held it.
        self._steps_lock = threading.Lock()
        if not self._closed:
            self._begin()
