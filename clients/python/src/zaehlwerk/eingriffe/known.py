"""What is known to be in force."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from .bell import Bell
from .eingriff import Eingriff


class Known:
    """It stays until the service says otherwise, or its own time is over."""

    def __init__(self, on_change: Callable[[Sequence[Eingriff]], None]) -> None:
        self._lock = threading.Lock()
        self._eingriffe: tuple[Eingriff, ...] = ()
        self._on_change = on_change
        self.changed = Bell()

    def all(self) -> tuple[Eingriff, ...]:
        """In the order of the service."""
        return self._eingriffe

    def replace(self, eingriffe: tuple[Eingriff, ...]) -> None:
        """Takes the whole list."""
        with self._lock:
            is_news = eingriffe != self._eingriffe
            self._eingriffe = eingriffe
        if is_news:
            self._tell()

    def merge(self, agents: set[str], eingriffe: tuple[Eingriff, ...]) -> bool:
        """
        Takes the answer to a batch, which lists what can be about calls of its agents and says nothing of what is about
        other agents. Returns whether it is news.
        """
        with self._lock:
            listed = {each for each in self._eingriffe if each.agent is None or each.agent in agents}
            if listed == set(eingriffe):
                return False
            self._eingriffe = (*eingriffe, *(each for each in self._eingriffe if each not in listed))
        self._tell()
        return True

    def _tell(self) -> None:
        self._on_change(self._eingriffe)
        self.changed.ring()
