"""When runs began, as far as this process knows."""

from __future__ import annotations

import threading
from collections import OrderedDict

from .decide import plain_id

_MAX_RUNS = 50_000
"""More runs than a process has at a time; the one not heard of for longest is forgotten first."""


class Runs:
    """Times are seconds since 1970."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._began: OrderedDict[str, float] = OrderedDict()

    def see(self, lauf_id: str, lauf_beginn: float | None, now: float) -> float:
        """Notes that a call of the run is about to be made; returns when it began: as it is told, else when it was first seen."""
        name = plain_id(lauf_id)
        with self._lock:
            known = self._began.pop(name, now)
            began = known if lauf_beginn is None else min(lauf_beginn, known)
            self._began[name] = began
            if len(self._began) > _MAX_RUNS:
                self._began.popitem(last=False)
            return began
