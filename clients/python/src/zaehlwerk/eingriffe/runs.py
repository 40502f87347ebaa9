"""When runs began, and from which others, as far as this process knows."""

from __future__ import annotations

import threading
from collections import OrderedDict

from ..conversion.exchange import Event
from ..conversion.json_values import at, text
from .decide import SeenRun, plain_id

_MAX_RUNS = 50_000
"""More runs than a process has at a time; the one not heard of for longest is forgotten first."""
_DEEPEST = 50
"""Runs are begun from runs so deep at most, as far as orders to those above are obeyed."""


class Runs:
    """Times are seconds since 1970."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known: OrderedDict[str, tuple[float, str | None]] = OrderedDict()

    def see(self, call: Event, lauf_beginn: float | None, now: float) -> SeenRun | None:
        """
        Notes that a call of a run is about to be made; returns when the run began: `lauf_beginn`, else when it was first seen. None where the
        call belongs to none.
        """
        lauf = call.get("lauf_id")
        if not lauf:
            return None
        name = plain_id(str(lauf))
        named = text(at(call.get("zusatz"), "eltern_lauf"))
        with self._lock:
            known, before = self._known.pop(name, (now, None))
            began = known if lauf_beginn is None else min(lauf_beginn, known)
            self._known[name] = (began, before if named is None else plain_id(named))
            if len(self._known) > _MAX_RUNS:
                self._known.popitem(last=False)
            return SeenRun(began, self._above(name))

    def _above(self, name: str) -> tuple[str, ...]:
        above: list[str] = []
        up = self._known[name][1] if name in self._known else None
        while up is not None and up != name and up not in above and len(above) < _DEEPEST:
            above.append(up)
            up = self._known[up][1] if up in self._known else None
        return tuple(above)
