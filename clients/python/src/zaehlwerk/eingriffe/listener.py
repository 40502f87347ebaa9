"""Keeps what is known up to date."""

from __future__ import annotations

import http.client
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from ..delivery.fate import backoff, no_answer, retry_after_of
from ..delivery.http import Connection, Reply
from ..reservierungen.grants import Scope, scopes_in
from .bell import Bell
from .eingriff import eingriffe_in
from .known import Known

_SPACING = 0.5
"""Between two questions at least, however fast things change."""
_NOT_WAITED_PAUSE = 5.0
"""Before the next question where the service would not wait with its answer: too many wait already."""


@dataclass(frozen=True)
class _Outcome:
    """What a question led to."""

    kind: str
    """`news` a list under another tag, `same` nothing new, `outdated` what another question has overtaken, `failed`."""
    error: str | None = None
    retry_after: float | None = None


class Listener:
    """Asks again and again, in a thread that does not keep the process alive. Times are seconds."""

    def __init__(
        self,
        connection: Connection,
        known: Known,
        *,
        wait: float,
        timeout: float,
        retry_delay: float,
        on_key: Callable[[str], None] = lambda _key: None,
        on_scopes: Callable[[tuple[Scope, ...]], None] = lambda _scopes: None,
    ) -> None:
        self._connection = connection
        self._known = known
        self._wait = wait
        self._timeout = timeout
        self._retry_delay = retry_delay
        self._on_key = on_key
        self._on_scopes = on_scopes
        self._lock = threading.RLock()
        self._tag: str | None = None
        self._thread: threading.Thread | None = None
        self._closed = threading.Event()
        self._tried = threading.Event()
        self._tried_bell = Bell()
        self._heard_at: float | None = None
        self._last_error: str | None = None
        self._checks = 0
        """Whole lists asked for besides; what a question brings that began before is not taken."""
        self._checking = False

    def start(self) -> None:
        """Begins to listen, once."""
        if self._thread is not None or self._closed.is_set():
            return
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._listen, name="zaehlwerk-eingriffe", daemon=True)
                self._thread.start()

    def has_tried(self) -> bool:
        """Whether the first question is answered or has failed."""
        return self._tried.is_set() or self._closed.is_set()

    def first_answer(self, seconds: float) -> None:
        """Returns once the first question is answered or has failed, at the latest after this many seconds."""
        heard = self._tried_bell.heard()
        if not self.has_tried():
            self._tried_bell.wait(seconds, heard)

    async def first_answer_async(self, seconds: float) -> None:
        """The same without blocking the loop."""
        heard = self._tried_bell.heard()
        if not self.has_tried():
            await self._tried_bell.wait_async(seconds, heard)

    def recheck(self) -> None:
        """
        Asks for the whole list at once, besides the question under way: part of it was heard another way, and may be
        older than what is known.
        """
        with self._lock:
            if self._thread is None or self._checking or self._closed.is_set():
                return
            self._checking = True
        threading.Thread(target=self._check, name="zaehlwerk-eingriffe-check", daemon=True).start()

    def silent(self) -> float | None:
        """Seconds since the service last said what is in force; None when it never did."""
        return None if self._heard_at is None else time.monotonic() - self._heard_at

    def last_error(self) -> str | None:
        """Why the latest question failed, None while all is well."""
        return self._last_error

    def close(self) -> None:
        """Stops listening."""
        self._closed.set()
        self._tried_bell.ring()

    def _check(self) -> None:
        with self._lock:
            self._checks += 1
            checks = self._checks
        try:
            self._ask(None, checks, wait=None)
        finally:
            self._checking = False

    def _listen(self) -> None:
        failures = 0
        while not self._closed.is_set():
            asked_at = time.monotonic()
            with self._lock:
                tag, checks = self._tag, self._checks
            outcome = self._ask(tag, checks, wait=self._wait)
            failures = failures + 1 if outcome.kind == "failed" else 0
            if outcome.kind == "failed":
                self._last_error = outcome.error
            else:
                self._last_error = None
                self._heard_at = time.monotonic()
            self._tried.set()
            self._tried_bell.ring()
            self._closed.wait(self._pause(outcome, time.monotonic() - asked_at, failures))

    def _pause(self, outcome: _Outcome, took: float, failures: int) -> float:
        if outcome.kind == "failed":
            asked = outcome.retry_after
            delay = self._retry_delay * 2 ** min(failures - 1, 30) if asked is None else asked
            return max(backoff(delay, asked is not None), _SPACING)
        if outcome.kind == "same" and took < 1:
            return backoff(_NOT_WAITED_PAUSE, False)
        return max(_SPACING - took, 0.0)

    def _ask(self, tag: str | None, checks: int, wait: float | None) -> _Outcome:
        query = "" if wait is None else f"?warten={round(wait)}"
        headers = {} if tag is None else {"if-none-match": tag}
        try:
            reply = self._connection.ask("GET", f"/v1/eingriffe/aktiv{query}", (wait or 0.0) + self._timeout, headers)
        except (OSError, http.client.HTTPException, ValueError) as error:
            return _Outcome("failed", no_answer(error).error)
        return self._hear(reply, tag, checks)

    def _hear(self, reply: Reply, tag: str | None, checks: int) -> _Outcome:
        """Takes over what an answer says."""
        if reply.status == 304 and tag is not None:
            return _Outcome("same")
        eingriffe = eingriffe_in(reply.body) if 200 <= reply.status < 300 else None
        if eingriffe is None:
            return _Outcome(
                "failed",
                f"HTTP {reply.status}: {reply.body[:200]}",
                retry_after_of(reply.headers.get("retry-after")),
            )
        own_key = json.loads(reply.body).get("fingerabdruck_schluessel")
        if isinstance(own_key, str):
            self._on_key(own_key)
        with self._lock:
            if checks != self._checks:
                return _Outcome("outdated")
            known, self._tag = self._tag, reply.headers.get("etag")
            self._known.replace(eingriffe)
        self._on_scopes(scopes_in(reply.body))
        return _Outcome("news" if self._tag is not None and self._tag != known else "same")
