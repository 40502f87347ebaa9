"""How the package names itself in what it sends, so that the service shows which version of it calls come by."""

from __future__ import annotations

from .conversion.exchange import Event

VERSION = "0.3.0"

_LIBRARY = {"bibliothek": "zaehlwerk-python", "bibliothek_version": VERSION}


def named(event: Event) -> Event:
    """
    The event with the name of the package, unless it names another library. What is no free data is left for the service to
    refuse.
    """
    zusatz = event.get("zusatz")
    if zusatz is None:
        return {**event, "zusatz": dict(_LIBRARY)}
    if not isinstance(zusatz, dict) or "bibliothek" in zusatz:
        return event
    return {**event, "zusatz": {**_LIBRARY, **zusatz}}
