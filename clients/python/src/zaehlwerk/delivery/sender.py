"""Delivers events in batches, in a thread of its own."""

from __future__ import annotations

import functools
import http.client
import json
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from ..conversion.json_values import at
from ..eingriffe.decide import agent_of
from ..eingriffe.eingriff import Eingriff
from .fate import Fate, backoff, fate_of, no_answer
from .http import Connection
from .spool import Spool

T = TypeVar("T")

_PENDING_BYTES = 4 * 1024 * 1024
"""Of exchanges that wait to be converted, before the thread is woken for them."""
_LOOK_AROUND = 60.0
"""Between two looks for files that others have left."""


@dataclass(frozen=True)
class SenderOptions:
    """Times are seconds."""

    batch_size: int = 100
    max_queue: int = 10_000
    flush_interval: float = 1.0
    retry_delay: float = 0.5
    request_timeout: float = 10.0


@dataclass
class Stats:
    """Where the events handed over so far are."""

    queued: int = 0
    sent: int = 0
    dropped: int = 0
    unconverted: int = 0
    """Calls of a model that could not be converted: they are missing in all figures."""
    last_error: str | None = None
    """Why the latest request failed, None while all is well."""


@dataclass(frozen=True)
class _Batch:
    lines: list[str]
    """Serialised when queued: a retry must repeat the very bytes, and later changes by the host must not show."""
    mark: int | None
    """Where it ends on the disk; None where it is not there."""


def _agent_in(line: str) -> str:
    try:
        return agent_of({"agent": at(json.loads(line), "agent")})
    except ValueError:
        return agent_of({})


class Sender:
    """One per client and process. None of its functions raises."""

    def __init__(
        self,
        connection: Connection,
        options: SenderOptions,
        spool: Spool | None,
        learn: Callable[[set[str], tuple[Eingriff, ...]], None],
    ) -> None:
        self._connection = connection
        self._options = options
        self._spool = spool
        self._learn = learn
        self._lock = threading.Condition(threading.RLock())
        self._queue: deque[str] = deque()
        self._work: deque[tuple[Callable[[], None], int]] = deque()
        self._work_bytes = 0
        self._in_hand = 0
        self._hand: _Batch | None = None
        self._stats = Stats()
        self._thread: threading.Thread | None = None
        self._oldest: float | None = None
        """When the first event that waits for company came."""
        self._hurries = 0
        """How many wait for everything to be delivered."""
        self._closing = False
        self._deadline = float("inf")
        self._closed = False
        self._gave_up = False
        """Whether an attempt failed after the end was near."""
        self._away = False
        """Whether the latest attempt failed: then events go to the disk."""

    def put(self, line: str) -> None:
        """Queues one event, as JSON on one line."""
        with self._lock:
            if self._closed or len(self._queue) + self._in_hand >= self._options.max_queue:
                self._stats.dropped += 1
                return
            self._queue.append(line)
            self._wake(len(self._queue) >= self._options.batch_size)

    def later(self, work: Callable[[], None], size: int) -> None:
        """Has the thread do something before it builds the next batch: what takes time is not the host's."""
        with self._lock:
            if self._closed:
                return
            self._work.append((work, size))
            self._work_bytes += size
            self._wake(self._work_bytes >= _PENDING_BYTES or len(self._work) >= self._options.batch_size)

    def drop(self, error: str) -> None:
        """Counts an event that could not be queued."""
        with self._lock:
            self._stats.dropped += 1
            self._stats.last_error = error

    def miss(self, calls: int) -> None:
        """Counts calls that could not be converted."""
        with self._lock:
            self._stats.unconverted += calls

    def note(self, error: str) -> None:
        """Keeps what went wrong in the background."""
        self._stats.last_error = error

    def stats(self) -> Stats:
        """Where the events handed over so far are; those on the disk are queued."""
        with self._lock:
            waiting = len(self._queue) + self._in_hand + len(self._work)
            return Stats(
                waiting,
                self._stats.sent,
                self._stats.dropped,
                self._stats.unconverted,
                self._stats.last_error,
            )

    def flush(self, timeout: float) -> None:
        """Returns when all queued events are delivered, at the latest after this many seconds."""
        until = time.monotonic() + timeout
        with self._lock:
            self._hurries += 1
            self._start()
            self._lock.notify_all()
            try:
                while not self._is_idle() and (rest := until - time.monotonic()) > 0:
                    self._lock.wait(rest)
            finally:
                self._hurries -= 1

    def close(self, timeout: float) -> None:
        """Delivers what it can, puts the rest on the disk where there is one, and stops for good."""
        with self._lock:
            if self._closed:
                return
            self._closing = True
            self._deadline = time.monotonic() + timeout
            thread = self._thread
            self._lock.notify_all()
        if thread is not None and thread.is_alive():
            thread.join(timeout + 1)
        else:
            # Also where the process is about to end and starts no thread any more.
            self._run()
        with self._lock:
            self._closed = True
            self._stats.dropped += len(self._queue)
            self._queue.clear()
        if self._spool is not None:
            self._try_disk(self._spool.close)

    def _wake(self, is_full: bool) -> None:
        self._start()
        if self._oldest is None:
            self._oldest = time.monotonic()
            self._lock.notify_all()
        elif is_full:
            self._lock.notify_all()

    def _start(self) -> None:
        if self._thread is None and not self._closing:
            self._thread = threading.Thread(target=self._run, name="zaehlwerk", daemon=True)
            try:
                self._thread.start()
            except RuntimeError:
                # The interpreter is about to end; `close` delivers.
                self._thread = None

    def _is_idle(self) -> bool:
        is_written = self._spool is None or self._spool.is_empty()
        return not self._queue and not self._work and self._in_hand == 0 and is_written

    def _run(self) -> None:
        looked_at = float("-inf")
        while True:
            if time.monotonic() - looked_at > _LOOK_AROUND and self._spool is not None:
                looked_at = time.monotonic()
                self._try_disk(self._spool.take_over)
            if not self._wait_for_work(looked_at + _LOOK_AROUND):
                return
            self._convert()
            self._deliver_all()
            with self._lock:
                self._lock.notify_all()

    def _wait_for_work(self, until: float) -> bool:
        """Waits until there is something to deliver; False where there never will be."""
        with self._lock:
            while True:
                now = time.monotonic()
                if self._closing and (self._gave_up or self._is_idle() or now >= self._deadline):
                    return False
                if self._is_due(now):
                    self._oldest = None
                    return True
                if now >= until and self._spool is not None:
                    return True
                due = until if self._oldest is None else self._oldest + self._options.flush_interval
                self._lock.wait(max(min(due, until) - now, 0.001))

    def _is_due(self, now: float) -> bool:
        if self._is_idle():
            return False
        is_full = len(self._queue) >= self._options.batch_size or self._work_bytes >= _PENDING_BYTES
        is_old = self._oldest is None or now >= self._oldest + self._options.flush_interval
        return is_full or is_old or self._hurries > 0 or self._closing

    def _convert(self) -> None:
        """As much as makes a batch: what is converted is delivered before more is."""
        for _ in range(self._options.batch_size):
            with self._lock:
                if not self._work:
                    return
                work, size = self._work[0]
            try:
                work()
            except Exception as error:
                self.note(f"{type(error).__name__}: {error}")
            with self._lock:
                self._work.popleft()
                self._work_bytes -= size

    def _deliver_all(self) -> None:
        while (batch := self._next()) is not None:
            sent = self._deliver(batch.lines)
            self._convert()
            if sent is None:
                self._give_back()
                return
            with self._lock:
                self._stats.sent += sent
                self._stats.dropped += len(batch.lines) - sent
                self._finish_hand()
                self._lock.notify_all()

    def _next(self) -> _Batch | None:
        """One batch at a time, so that events arrive in order: first what is on the disk."""
        if self._spool is not None and not self._spool.is_empty():
            lines, mark = self._try_disk(self._spool_next) or ([], 0)
            if lines:
                self._hand = _Batch(lines, mark)
                return self._hand
            if mark:
                self._try_disk(functools.partial(self._passed, mark))
        with self._lock:
            if not self._queue:
                return None
            most = min(self._options.batch_size, len(self._queue))
            self._hand = _Batch([self._queue.popleft() for _ in range(most)], None)
            self._in_hand = most
            return self._hand

    def _spool_next(self) -> tuple[list[str], int]:
        assert self._spool is not None
        return self._spool.next(self._options.batch_size)

    def _finish_hand(self) -> None:
        """The batch in hand is delivered or refused for good."""
        hand, self._hand, self._in_hand = self._hand, None, 0
        if hand is not None and hand.mark is not None:
            self._try_disk(functools.partial(self._passed, hand.mark))

    def _give_back(self) -> None:
        """Stopped before the fate of the batch in hand was known: it stays on the disk, or goes back to the others."""
        with self._lock:
            self._gave_up = self._closing
            hand, self._hand, self._in_hand = self._hand, None, 0
            if hand is not None and hand.mark is None:
                self._queue.extendleft(reversed(hand.lines))

    def _to_disk(self) -> None:
        """Puts what is in memory on the disk while the service cannot be reached: a process may end at any time."""
        if self._spool is None:
            return
        with self._lock:
            hand = self._hand
            if hand is not None and hand.mark is None:
                # What comes from memory is sent only while nothing is on the disk, so it stands first there.
                if not self._try_disk(functools.partial(self._write, hand.lines)):
                    return
                _, mark = self._try_disk(functools.partial(self._spool_mark, len(hand.lines))) or ([], 0)
                self._hand = _Batch(hand.lines, mark)
                self._in_hand = 0
            if self._queue:
                is_written = self._try_disk(functools.partial(self._write, list(self._queue)))
                if is_written:
                    self._queue.clear()

    def _passed(self, mark: int) -> None:
        if self._spool is not None:
            self._spool.passed(mark)

    def _write(self, lines: list[str]) -> bool:
        return self._spool is not None and self._spool.append(lines)

    def _spool_mark(self, lines: int) -> tuple[list[str], int]:
        assert self._spool is not None
        return self._spool.next(lines)

    def _try_disk(self, work: Callable[[], T]) -> T | None:
        try:
            return work()
        except OSError as error:
            # Without a disk events stay in memory.
            self._spool = None
            self.note(f"{type(error).__name__}: {error}")
            return None

    def _deliver(self, lines: list[str]) -> int | None:
        """Number of events the service took (the others it refused for good); None when stopped before."""
        body = f'{{"ereignisse":[{",".join(lines)}]}}'.encode()
        key = str(uuid.uuid4())
        attempt = 0
        while True:
            fate = self._post(body, key)
            self._stats.last_error = fate.error
            self._away = fate.kind == "retry"
            if fate.eingriffe is not None:
                self._learn({_agent_in(line) for line in lines}, fate.eingriffe)
            if fate.kind == "accepted":
                return len(lines)
            if fate.kind == "refused":
                return self._deliver_rest(lines, fate)
            self._to_disk()
            asked = fate.retry_after
            delay = self._options.retry_delay * 2 ** min(attempt, 30) if asked is None else asked
            if not self._pause(backoff(delay, asked is not None)):
                return None
            attempt += 1

    def _pause(self, seconds: float) -> bool:
        """Waits before the next attempt, and takes to the disk what comes meanwhile. False when it is to stop."""
        until = time.monotonic() + seconds
        while True:
            with self._lock:
                if self._closing and (self._spool is not None or until >= self._deadline):
                    self._to_disk()
                    return False
                now = time.monotonic()
                if now >= until:
                    return True
                self._lock.wait(min(until - now, self._options.flush_interval))
            self._convert()
            self._to_disk()

    def _deliver_rest(self, lines: list[str], refusal: Fate) -> int | None:
        """A faulty event must not take its neighbours along: they go again, under a key of their own."""
        rest = [line for position, line in enumerate(lines) if position not in refusal.faulty]
        if len(rest) < len(lines):
            return 0 if not rest else self._deliver(rest)
        if refusal.status != 413 or len(lines) < 2:
            return 0
        half = (len(lines) + 1) // 2
        front = self._deliver(lines[:half])
        back = None if front is None else self._deliver(lines[half:])
        return None if front is None or back is None else front + back

    def _post(self, body: bytes, key: str) -> Fate:
        timeout = self._options.request_timeout
        if self._closing:
            timeout = max(min(timeout, self._deadline - time.monotonic()), 0.1)
        try:
            headers = {"content-type": "application/json", "idempotency-key": key}
            return fate_of(self._connection.ask("POST", "/v1/ereignisse", timeout, headers, body))
        except (OSError, http.client.HTTPException, ValueError) as error:
            return no_answer(error)
