"""Knows what is in force, and lets calls pass or not."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from ..conversion.exchange import Event
from ..delivery.http import Connection
from ..errors import InterventionsUnknown, LimitReached, StoppedByIntervention
from ..reservierungen.demand import Demand
from ..reservierungen.reservations import Admission, Reservations
from .decide import SeenRun, decide
from .eingriff import Eingriff
from .known import Known
from .listener import Listener
from .pace import Pace
from .runs import Runs


@dataclass(frozen=True)
class GuardOptions:
    """How calls are guarded; times are seconds."""

    failure: Literal["open", "closed"] = "open"
    """
    What holds while the service cannot be reached. `open`: what was last known, and where nothing was, every call may be
    made. `closed`: no call may be made unless the service was heard within `max_silence`.
    """
    max_silence: float = 120.0
    first_answer: float = 2.0
    """How long the first call of the process waits at most for the first answer of the service."""
    throttle: float = 5.0
    """While something is slowed down (`drosseln`), one call about it in this time, and in this process."""
    max_throttle: float = 60.0
    """No call is kept waiting for longer than this: slow is not stopped."""
    wait: float = 25.0
    """How long the service may keep a question waiting for something to change, at most 60."""
    unbounded: Literal["allow", "refuse"] = "allow"
    """
    What becomes of a call with a hard limit that nothing bounds: `allow` lets it pass while there is any room, and marks
    its event.
    """
    limit_wait: float = 5.0
    """Where only what others have reserved is in the way: how long to wait for it to come back."""
    bytes_per_token: float = 1.0
    """Of text that is known to have fewer tokens than bytes: this many bytes a token."""


@dataclass(frozen=True)
class GuardState:
    """What is known of interventions."""

    eingriffe: Sequence[Eingriff]
    """In force as far as known, in the order of the service."""
    silent: float | None
    """Seconds since the service last said what is in force; None when it never did."""
    last_error: str | None
    """Why the latest question failed, None while all is well."""


class Guard:
    """One per client and process."""

    def __init__(
        self,
        options: GuardOptions,
        connection: Connection,
        *,
        timeout: float,
        retry_delay: float,
        on_key: Callable[[str], None],
    ) -> None:
        self._options = options
        self._pace = Pace(options.throttle)
        self._known = Known(self._pace.keep_only)
        self._runs = Runs()
        self.reservations = Reservations(
            connection, timeout=timeout, unbounded=options.unbounded, limit_wait=options.limit_wait
        )
        self._listener = Listener(
            connection,
            self._known,
            wait=options.wait,
            timeout=timeout,
            retry_delay=retry_delay,
            on_key=on_key,
            on_scopes=self.reservations.learn,
        )

    def pass_(self, call: Event, lauf_beginn: float | None = None) -> None:
        """Returns when the call may be made; raises StoppedByIntervention or InterventionsUnknown when it must not."""
        run = self._begin(call, lauf_beginn)
        if not self._listener.has_tried():
            self._listener.first_answer(self._options.first_answer)
        latest = time.monotonic() + self._options.max_throttle
        while True:
            heard = self._known.changed.heard()
            wait = self._wait_for(call, run, latest)
            if wait <= 0:
                return
            self._known.changed.wait(wait, heard)

    async def pass_async(self, call: Event, lauf_beginn: float | None = None) -> None:
        """The same without blocking the loop."""
        run = self._begin(call, lauf_beginn)
        if not self._listener.has_tried():
            await self._listener.first_answer_async(self._options.first_answer)
        latest = time.monotonic() + self._options.max_throttle
        while True:
            heard = self._known.changed.heard()
            wait = self._wait_for(call, run, latest)
            if wait <= 0:
                return
            await self._known.changed.wait_async(wait, heard)

    def reserve(self, call: Event, demand: Demand) -> Admission | None:
        """Sets money aside for a call that has a hard limit; raises LimitReached where there is no room."""
        try:
            return self.reservations.admit(call, demand)
        except LimitReached:
            raise
        except Exception as error:
            self._require_reservation(error)
            return None

    async def reserve_async(self, call: Event, demand: Demand) -> Admission | None:
        """The same without blocking the loop."""
        try:
            return await self.reservations.admit_async(call, demand)
        except LimitReached:
            raise
        except Exception as error:
            self._require_reservation(error)
            return None

    def bytes_per_token(self) -> float:
        """How the input of a request is bounded."""
        return self._options.bytes_per_token

    def _require_reservation(self, error: Exception) -> None:
        if self._options.failure == "closed":
            raise InterventionsUnknown(f"{type(error).__name__}: {error}") from error

    def forbids(self, call: Event) -> Eingriff | None:
        """What forbids a call that is under way already; None while it may go on."""
        eingriffe = self._known.all()
        if not eingriffe:
            return None
        now = time.time()
        return decide(eingriffe, call, self._runs.see(call, None, now), now).forbids

    def learn(self, agents: set[str], eingriffe: tuple[Eingriff, ...]) -> None:
        """Takes what the answer to a batch of these agents lists."""
        if self._known.merge(agents, eingriffe):
            self._listener.recheck()

    def state(self) -> GuardState:
        """What is known of interventions."""
        now = time.time()
        in_force = [each for each in self._known.all() if not each.is_over(now)]
        return GuardState(in_force, self._listener.silent(), self._listener.last_error())

    def close(self) -> None:
        """Stops listening, and gives back what was reserved; what is known stays in force."""
        self._listener.close()
        self.reservations.close()

    def _begin(self, call: Event, lauf_beginn: float | None) -> SeenRun | None:
        run = self._runs.see(call, lauf_beginn, time.time())
        self._listener.start()
        return run

    def _wait_for(self, call: Event, run: SeenRun | None, latest: float) -> float:
        """Seconds to wait before looking again, 0 where the call may be made."""
        self._require_knowledge()
        eingriffe = self._known.all()
        if not eingriffe:
            return 0
        decision = decide(eingriffe, call, run, time.time())
        if decision.forbids is not None:
            raise StoppedByIntervention(decision.forbids)
        if not decision.slow:
            return 0
        wait = self._pace.try_take(decision.slow, time.monotonic(), latest)
        ends = [end - time.time() for each in decision.slow if (end := each.ends()) is not None]
        # What ends meanwhile is looked at again then, and not a moment before its end.
        return wait and max(min([wait, *(end + 0.001 for end in ends)]), 0.001)

    def _require_knowledge(self) -> None:
        if self._options.failure == "open":
            return
        silent = self._listener.silent()
        if silent is None or silent > self._options.max_silence:
            raise InterventionsUnknown(self._listener.last_error())
