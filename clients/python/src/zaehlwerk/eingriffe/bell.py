"""Where calls wait for something to happen, in threads and in event loops."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable


class Bell:
    """Lets go all who wait when it rings. A ring between looking and waiting is not missed: who waits says what it has seen."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._rings = 0
        self._waiting: set[Callable[[], None]] = set()

    def heard(self) -> int:
        """How often it has rung."""
        return self._rings

    def ring(self) -> None:
        """Lets go all who wait."""
        with self._lock:
            self._rings += 1
            waiting, self._waiting = self._waiting, set()
        for go in waiting:
            go()

    def _join(self, go: Callable[[], None], heard: int) -> bool:
        with self._lock:
            if self._rings != heard:
                return False
            self._waiting.add(go)
            return True

    def _leave(self, go: Callable[[], None]) -> None:
        with self._lock:
            self._waiting.discard(go)

    def wait(self, seconds: float, heard: int) -> None:
        """Returns when it has rung more often than `heard`, at the latest after this many seconds."""
        rung = threading.Event()
        go = rung.set
        if self._join(go, heard):
            rung.wait(max(seconds, 0))
            self._leave(go)

    async def wait_async(self, seconds: float, heard: int) -> None:
        """The same without blocking the loop; cancelled with the task."""
        loop = asyncio.get_running_loop()
        rung = asyncio.Event()

        def go() -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(rung.set)

        if not self._join(go, heard):
            return
        try:
            await asyncio.wait_for(rung.wait(), max(seconds, 0))
        except asyncio.TimeoutError:
            pass
        finally:
            self._leave(go)
