"""Reserves money for calls that have a hard limit: from blocks in memory, and where those have no room by asking the service."""

from __future__ import annotations

import asyncio
import json
import queue
import threading
import time
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeVar

from ..conversion.exchange import Event
from ..conversion.json_values import Json, at, text
from ..delivery.http import Connection
from ..eingriffe.decide import agent_of
from ..errors import LimitReached
from .blocks import IDLE, LAPSES_AFTER, Blocks, Part
from .demand import Demand
from .grants import EXACT, Grant, Rates, Scope, grants_in

Value = TypeVar("Value")

_MAX_WISHES = 100
_FIRST_AHEAD = 4
"""This many calls ahead are asked for first, and at most:"""
_MOST_AHEAD = 64
_REMEMBERED = 60.0
"""Rates and exemptions are asked for anew after this."""
_RETRY = 0.25
"""Between two questions whether room has come back."""
_MAX_KEYS = 10_000


@dataclass(frozen=True)
class Admission:
    """What a call may do: spend its part, or pass without one."""

    part: Part | None
    is_unbounded: bool

    def booked(self) -> Mapping[str, str]:
        """What the event of the call carries."""
        if self.part is not None:
            return self.part.booked()
        return {"reservierung": "unbegrenzt"} if self.is_unbounded else {}

    def give_back(self) -> None:
        """The call was not made, or costs nothing."""
        if self.part is not None:
            self.part.give_back()


@dataclass(frozen=True)
class _Wish:
    key: object
    fields: dict[str, Json]
    answer: Future[Grant]


_OWN = {
    "agent": "agent",
    "endkunde": "endkunde_ref",
    "funktion": "funktion_ref",
    "benutzer": "benutzer_ref",
    "modell": "modell",
}


def _own(kind: str, call: Event) -> object:
    return agent_of(call) if kind == "agent" else call.get(_OWN[kind]) if kind in _OWN else None


def block_key(scopes: tuple[Scope, ...], call: Event) -> object | None:
    """Names the block that a call takes its part from; None where no hard limit can hold for it."""
    lauf = call.get("lauf_id")

    def is_about(scope: Scope) -> bool:
        if scope.je_lauf and not lauf:
            return False
        # A project that people have chosen, and which key it is, only the service knows: it is asked.
        return scope.objekt_art not in _OWN or _own(scope.objekt_art, call) == scope.objekt

    if not any(map(is_about, scopes)):
        return None
    kinds = sorted({"agent" if scope.je_agent else scope.objekt_art for scope in scopes})
    project = (agent_of(call), text(at(call.get("zusatz"), "projekt"))) if "projekt" in kinds else ()
    run = lauf if any(scope.je_lauf for scope in scopes) else None
    return (run, *(_own(kind, call) for kind in kinds), *project)


class Reservations:
    """One per client and process; a thread of its own asks. Times are seconds."""

    def __init__(
        self,
        connection: Connection,
        *,
        timeout: float,
        unbounded: Literal["allow", "refuse"],
        limit_wait: float,
    ) -> None:
        self._connection = connection
        self._timeout = timeout
        self._unbounded = unbounded
        self._limit_wait = limit_wait
        self._scopes: tuple[Scope, ...] = ()
        self._blocks = Blocks()
        self._rates: dict[object, tuple[Rates, float]] = {}
        self._exempt: dict[object, float] = {}
        """Calls of these names no hard limit holds for, though the client cannot tell: until when that is believed."""
        self._ahead: dict[object, int] = {}
        self._wishes: queue.SimpleQueue[_Wish | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closed = False

    def learn(self, scopes: tuple[Scope, ...]) -> None:
        """What the service says of hard limits; where that has changed, everything is asked for anew."""
        if scopes == self._scopes:
            return
        self._scopes = scopes
        self._exempt, self._ahead = {}, {}
        self._blocks.sweep(float("inf"))

    def is_needed(self) -> bool:
        """Whether any call has a hard limit, as far as is known."""
        return bool(self._scopes)

    def admit(self, call: Event, demand: Demand) -> Admission | None:
        """Returns once the call has its part; raises LimitReached where there is no room, OSError without the service."""
        key = self._key_of(call)
        end = time.monotonic() + self._limit_wait
        while key is not None:
            found = self._from_memory(key, demand)
            if found is not None:
                return found
            grant = self._ask(key, call, demand).result(self._timeout + 1)
            if grant.granted:
                return self._admission_of(key, demand, grant)
            self._require_wait(grant, end)
            time.sleep(_RETRY)
        return None

    async def admit_async(self, call: Event, demand: Demand) -> Admission | None:
        """The same without blocking the loop."""
        key = self._key_of(call)
        end = time.monotonic() + self._limit_wait
        while key is not None:
            found = self._from_memory(key, demand)
            if found is not None:
                return found
            grant = await asyncio.wait_for(asyncio.wrap_future(self._ask(key, call, demand)), self._timeout + 1)
            if grant.granted:
                return self._admission_of(key, demand, grant)
            self._require_wait(grant, end)
            await asyncio.sleep(_RETRY)
        return None

    def close(self) -> None:
        """Gives back the rest; what does not arrive lapses by itself."""
        self._closed = True
        self._wishes.put(None)
        self._blocks.sweep(float("inf"))
        self._send_back()

    def _key_of(self, call: Event) -> object | None:
        key = block_key(self._scopes, call) if self._scopes else None
        return None if key is None or self._exempt.get(key, 0.0) > time.monotonic() else key

    def _require_wait(self, grant: Grant, end: float) -> None:
        if grant.grenze is None or not grant.may_come_back() or time.monotonic() + _RETRY > end:
            raise LimitReached(grant.grenze, grant.highest is None)
        # Blocks of this process may be what is in the way.
        self._blocks.sweep(float("inf"))

    def _amount_of(self, demand: Demand) -> Decimal | None:
        """The highest cost of a call, as far as its rates are known."""
        rates, until = self._rates.get(demand.rates_key(), (None, 0.0))
        if rates is None or until < time.monotonic() or not demand.begrenzt:
            return None
        eingabe = rates.hoechste_eingabe if demand.eingabe is None else demand.eingabe
        ausgabe = rates.hoechste_ausgabe if demand.ausgabe is None else demand.ausgabe
        if eingabe is None or ausgabe is None or (rates.bis_eingabe is not None and eingabe > rates.bis_eingabe):
            return None
        tokens = EXACT.add(EXACT.multiply(rates.eingabe, eingabe), EXACT.multiply(rates.ausgabe, ausgabe))
        return EXACT.add(tokens, rates.aufruf)

    def _from_memory(self, key: object, demand: Demand) -> Admission | None:
        amount = self._amount_of(demand)
        part = None if not amount else self._blocks.take(key, amount, time.monotonic())
        return None if part is None else Admission(part, False)

    def _admission_of(self, key: object, demand: Demand, grant: Grant) -> Admission | None:
        now = time.monotonic()
        if grant.rates is not None:
            self._remember(self._rates, demand.rates_key(), (grant.rates, now + _REMEMBERED))
        if grant.highest is None:
            if self._unbounded == "refuse":
                raise LimitReached(None, True)
            return Admission(None, True)
        if grant.block is None:
            if grant.highest > 0:
                self._remember(self._exempt, key, now + _REMEMBERED)
            return None
        name, amount = grant.block
        return Admission(self._blocks.add(key, name, amount, grant.highest, now), False)

    @staticmethod
    def _remember(known: dict[object, Value], key: object, value: Value) -> None:
        if len(known) >= _MAX_KEYS:
            known.clear()
        known[key] = value

    def _ask(self, key: object, call: Event, demand: Demand) -> Future[Grant]:
        fields: dict[str, Json] = {
            "agent": agent_of(call),
            "projekt": (text(at(call.get("zusatz"), "projekt")) or "")[:100] or None,
            "endkunde_ref": call.get("endkunde_ref"),
            "funktion_ref": call.get("funktion_ref"),
            "benutzer_ref": call.get("benutzer_ref"),
            "lauf_id": call.get("lauf_id"),
            "anbieter": call.get("anbieter") or demand.anbieter,
            "modell": demand.modell,
            "region": demand.region,
            "preisstufe": demand.preisstufe,
            "eingabe_token": demand.eingabe,
            "ausgabe_token": demand.ausgabe,
            "cache_schreiben": demand.cache_schreiben,
            "begrenzt": demand.begrenzt,
        }
        wish = _Wish(key, fields, Future())
        self._wishes.put(wish)
        with self._lock:
            if self._thread is None and not self._closed:
                self._thread = threading.Thread(target=self._work, name="zaehlwerk-reservierungen", daemon=True)
                self._thread.start()
        return wish.answer

    def _work(self) -> None:
        while not self._closed:
            try:
                wishes = [self._wishes.get(timeout=IDLE)]
            except queue.Empty:
                self._blocks.sweep(time.monotonic())
                self._send_back()
                continue
            # All that waits goes together.
            while len(wishes) < _MAX_WISHES and not self._wishes.empty():
                wishes.append(self._wishes.get())
            self._answer([wish for wish in wishes if wish is not None])

    def _answer(self, wishes: list[_Wish]) -> None:
        if not wishes:
            return
        seen: set[object] = set()
        calls: list[Json] = []
        for wish in wishes:
            # Of those alike only the first asks for more than itself.
            vorrat = 1 if wish.key in seen else self._ahead_of(wish.key)
            seen.add(wish.key)
            calls.append({**wish.fields, "vorrat": vorrat})
        body: dict[str, Json] = {"aufrufe": calls, "zurueck": list(self._blocks.take_back()), "dauer_s": LAPSES_AFTER}
        try:
            grants = grants_in(self._post(body))
            for wish, grant in zip(wishes, grants, strict=True):
                wish.answer.set_result(grant)
        except Exception as error:
            for wish in wishes:
                if not wish.answer.done():
                    wish.answer.set_exception(error)

    def _ahead_of(self, key: object) -> int:
        """The more often a block is used up, the more calls the next one is for."""
        calls = self._ahead.get(key, _FIRST_AHEAD)
        self._remember(self._ahead, key, min(2 * calls, _MOST_AHEAD))
        return calls

    def _post(self, body: dict[str, Json]) -> str:
        headers = {"content-type": "application/json"}
        sent = json.dumps(body).encode()
        reply = self._connection.ask("POST", "/v1/reservierungen", self._timeout, headers, sent)
        if not 200 <= reply.status < 300:
            raise OSError(f"HTTP {reply.status}: {reply.body[:200]}")
        return reply.body

    def _send_back(self) -> None:
        while back := self._blocks.take_back():
            try:
                self._post({"zurueck": list(back)})
            except Exception:
                return
