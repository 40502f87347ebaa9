"""What a guarded call may raise."""

from __future__ import annotations

from .eingriffe.eingriff import Eingriff
from .reservierungen.grants import Grenze


class StoppedByIntervention(Exception):
    """A call that must not be made: its run is stopped, or something it belongs to is blocked."""

    code = "eingriff"

    def __init__(self, eingriff: Eingriff) -> None:
        self.eingriff = eingriff
        """Level, object, reason in both languages, since when, until when."""
        until = "" if eingriff.bis is None else f" until {eingriff.bis}"
        about = f"{eingriff.objekt_art} {eingriff.objekt}".strip()
        super().__init__(f"{eingriff.stufe} ({about}){until}: {eingriff.grund_en} | {eingriff.grund}")

    def __reduce__(self) -> tuple[type[StoppedByIntervention], tuple[Eingriff]]:
        return type(self), (self.eingriff,)


class InterventionsUnknown(Exception):
    """With `failure="closed"`: a call that must not be made since nobody knows what is in force."""

    code = "eingriffe_unbekannt"

    def __init__(self, last_error: str | None) -> None:
        self.last_error = last_error
        """Why the service could not be asked."""
        super().__init__(f"what is in force is not known: {last_error or 'no answer yet'}")

    def __reduce__(self) -> tuple[type[InterventionsUnknown], tuple[str | None]]:
        return type(self), (self.last_error,)


class LimitReached(Exception):
    """A call that must not be made: a hard limit has no room for what it could cost."""

    code = "grenze_erreicht"

    def __init__(self, grenze: Grenze | None, is_unbounded: bool) -> None:
        self.grenze = grenze
        """The limit: what it is, what is spent, what is reserved, until when. None where nothing bounds the call."""
        self.is_unbounded = is_unbounded
        super().__init__(_said_of(grenze))

    def __reduce__(self) -> tuple[type[LimitReached], tuple[Grenze | None, bool]]:
        return type(self), (self.grenze, self.is_unbounded)


def _said_of(grenze: Grenze | None) -> str:
    if grenze is None:
        return "nothing bounds what the call could cost, and such calls are refused"
    until = "" if grenze.bis is None else f", until {grenze.bis}"
    about = f"{grenze.objekt_art} {grenze.objekt}".strip()
    spent = f"{grenze.verbraucht_eur} spent, {grenze.reserviert_eur} reserved"
    return f"{grenze.name} ({about}): no room for the call in {grenze.grenze_eur} EUR, {spent}{until}"


Refusal = (StoppedByIntervention, InterventionsUnknown, LimitReached)
"""Whatever keeps a call from being made."""
