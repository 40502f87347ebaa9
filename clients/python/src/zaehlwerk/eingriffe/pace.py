"""How fast calls may follow each other while they are slowed down."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from .eingriff import Eingriff


def _object_of(eingriff: Eingriff) -> str:
    return f"{eingriff.objekt_art} {eingriff.objekt}"


class Pace:
    """One call per object and interval. Times are seconds on the monotonic clock."""

    def __init__(self, interval: float) -> None:
        self._interval = interval
        self._lock = threading.Lock()
        self._next: dict[str, float] = {}
        """When the next call about the object may be made."""

    def try_take(self, slow: Sequence[Eingriff], now: float, latest: float) -> float:
        """
        Seconds to wait until a call about all these objects may be made; 0 where it is made now, and then the next one
        waits. The first one waits as well: many processes make one call only.
        """
        with self._lock:
            ready = max(self._next.setdefault(_object_of(each), now + self._interval) for each in slow)
            wait = min(ready, latest) - now
            if wait > 0:
                return wait
            for each in slow:
                self._next[_object_of(each)] = now + self._interval
            return 0

    def keep_only(self, eingriffe: Sequence[Eingriff]) -> None:
        """Forgets objects that are not slowed down any more."""
        slow = {_object_of(each) for each in eingriffe if each.stufe == "drosseln"}
        with self._lock:
            self._next = {name: at for name, at in self._next.items() if name in slow}
