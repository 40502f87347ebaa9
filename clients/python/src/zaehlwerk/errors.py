"""What a guarded call may raise."""

from __future__ import annotations

from .eingriffe.eingriff import Eingriff


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
