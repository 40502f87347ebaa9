"""Counts what AI agents cost and stops the runaway ones: the client of a Zählwerk."""

from __future__ import annotations

from .client import Client
from .context import Run
from .conversion.exchange import Event, Exchange
from .conversion.to_events import Conversion, to_events
from .delivery.sender import SenderOptions, Stats
from .eingriffe.eingriff import Eingriff
from .eingriffe.guard import GuardOptions, GuardState
from .errors import InterventionsUnknown, LimitReached, StoppedByIntervention
from .instrument import current_client, init
from .library import VERSION
from .reservierungen.grants import Grenze

__version__ = VERSION

__all__ = [
    "Client",
    "Conversion",
    "Eingriff",
    "Event",
    "Exchange",
    "Grenze",
    "GuardOptions",
    "GuardState",
    "InterventionsUnknown",
    "LimitReached",
    "Run",
    "SenderOptions",
    "Stats",
    "StoppedByIntervention",
    "current_client",
    "init",
    "to_events",
]
