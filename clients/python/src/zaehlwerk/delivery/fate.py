"""What an answer of the service means for a batch."""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

from ..conversion.json_values import at, entries
from ..eingriffe.eingriff import Eingriff, eingriffe_in
from .http import Reply

_MAX_BACKOFF = 30.0
_MAX_RETRY_AFTER = 600.0

_RETRYABLE = {408, 409, 421, 425, 429}
"""Temporary: 409 says that the same key is still being worked on, 421 that the service has yet to be told its name."""


@dataclass(frozen=True)
class Fate:
    """What became of one request; times are seconds."""

    kind: str
    """`accepted`, `retry` or `refused`."""
    status: int | None = None
    """HTTP status, None where no answer came."""
    retry_after: float | None = None
    """What the service asked to wait, None where it did not say."""
    faulty: frozenset[int] = frozenset()
    """Positions in the batch of the events that the service found invalid."""
    eingriffe: tuple[Eingriff, ...] | None = None
    """In force for the agents of the batch; None where the answer does not say."""
    error: str | None = None


def retry_after_of(header: str | None, now: datetime | None = None) -> float | None:
    """Seconds of a Retry-After header (seconds or HTTP date), at most ten minutes; None where it has neither form."""
    if header is None:
        return None
    if re.fullmatch(r"\s*\d+\s*", header):
        seconds = float(header)
    else:
        try:
            until = parsedate_to_datetime(header)
        except ValueError:
            return None
        until = until if until.tzinfo else until.replace(tzinfo=timezone.utc)
        seconds = (until - (now or datetime.now(timezone.utc))).total_seconds()
    return min(max(seconds, 0.0), _MAX_RETRY_AFTER)


def backoff(delay: float, asked: bool) -> float:
    """
    How long to wait. Jitter keeps many clients from coming back in the same instant: after what the service asked for,
    never before it; else anywhere in the upper half of the delay.
    """
    if asked:
        return delay + random.random() * 0.1 * delay
    return min(delay, _MAX_BACKOFF) * (0.5 + random.random() * 0.5)


def _faulty_in(body: str) -> frozenset[int]:
    """Positions named by a 422: entries at `["body", "ereignisse", <position>, …]`."""
    try:
        places = [entries(at(entry, "loc")) for entry in entries(at(json.loads(body), "detail"))]
    except ValueError:
        return frozenset()
    return frozenset(
        place[2] for place in places if len(place) > 2 and place[1] == "ereignisse" and isinstance(place[2], int)
    )


def fate_of(reply: Reply) -> Fate:
    """What an answer of the service means for the batch."""
    status = reply.status
    is_taken = 200 <= status < 300
    retries = status in _RETRYABLE or status >= 500
    return Fate(
        kind="accepted" if is_taken else "retry" if retries else "refused",
        status=status,
        retry_after=retry_after_of(reply.headers.get("retry-after")),
        faulty=_faulty_in(reply.body) if status == 422 else frozenset(),
        eingriffe=eingriffe_in(reply.body) if is_taken else None,
        error=None if is_taken else f"HTTP {status}: {reply.body[:200]}",
    )


def no_answer(error: BaseException) -> Fate:
    """A request without an answer: refused connection, broken connection, timeout."""
    return Fate("retry", error=f"{type(error).__name__}: {error}")
