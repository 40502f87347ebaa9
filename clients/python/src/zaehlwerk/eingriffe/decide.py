"""Whether a call may be made, by what is in force. No input or output here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..conversion.exchange import Event
from ..conversion.json_values import at, text
from .eingriff import Eingriff, by_weight

NO_AGENT = "unbekannt"
"""The agent of a call that names none, as the service counts it."""


@dataclass(frozen=True)
class Decision:
    """What follows for a call: the intervention that forbids it, and those that slow it down, each the weightiest first."""

    forbids: Eingriff | None
    slow: Sequence[Eingriff]


@dataclass(frozen=True)
class SeenRun:
    """What is known of the run of a call."""

    began: float
    """Seconds since 1970."""
    above: Sequence[str] = ()
    """The runs that it was begun from, the nearest first, by their plain ids."""


def agent_of(call: Event) -> str:
    """The agent as the service knows it."""
    return call.get("agent") or NO_AGENT


def plain_id(name: str) -> str:
    """A UUID without what its spellings differ in."""
    return re.sub(r"^urn:uuid:|[{}-]", "", name.lower())


def _projekt_of(call: Event) -> str | None:
    """As the service finds the project, as far as a sender can: what the call says, else what stands before the slash."""
    said = text(at(call.get("zusatz"), "projekt"))
    before, slash, _ = agent_of(call).partition("/")
    return said or (before if slash and before else None)


def _is_about(eingriff: Eingriff, call: Event, run: SeenRun | None) -> bool:
    objekt = eingriff.objekt
    if eingriff.objekt_art == "lauf":
        lauf = call.get("lauf_id")
        name = plain_id(objekt)
        return (bool(lauf) and plain_id(str(lauf)) == name) or (run is not None and name in run.above)
    # Those about other keys reach none of ours.
    if eingriff.objekt_art in ("mandant", "schluessel"):
        return True
    named = {
        "agent": agent_of(call),
        "projekt": _projekt_of(call),
        "endkunde": call.get("endkunde_ref"),
        "funktion": call.get("funktion_ref"),
        "benutzer": call.get("benutzer_ref"),
        "modell": call.get("modell"),
    }
    return bool(named.get(eingriff.objekt_art) == objekt)


def _is_forbidden(eingriff: Eingriff, lauf_beginn: float | None) -> bool:
    """Stopping anything but a run itself means the runs that had begun; what belongs to no run goes on."""
    if eingriff.stufe == "sperren":
        return True
    if eingriff.stufe != "anhalten":
        return False
    return eingriff.objekt_art == "lauf" or (lauf_beginn is not None and lauf_beginn <= eingriff.begins())


def decide(eingriffe: Iterable[Eingriff], call: Event, run: SeenRun | None, now: float) -> Decision:
    """`run`: what is known of the run of the call, None where it belongs to none; times in seconds since 1970."""
    about = sorted((each for each in eingriffe if not each.is_over(now) and _is_about(each, call, run)), key=by_weight)
    began = None if run is None else run.began
    return Decision(
        next((each for each in about if _is_forbidden(each, began)), None),
        [each for each in about if each.stufe == "drosseln"],
    )
