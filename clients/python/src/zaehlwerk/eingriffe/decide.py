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


def _is_about(eingriff: Eingriff, call: Event) -> bool:
    objekt = eingriff.objekt
    if eingriff.objekt_art == "lauf":
        lauf = call.get("lauf_id")
        return bool(lauf) and plain_id(str(lauf)) == plain_id(objekt)
    # Those about other keys are told to none of ours.
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


def decide(eingriffe: Iterable[Eingriff], call: Event, lauf_beginn: float | None, now: float) -> Decision:
    """`lauf_beginn`: when the run of the call began, None where it belongs to none; both times seconds since 1970."""
    about = sorted((each for each in eingriffe if not each.is_over(now) and _is_about(each, call)), key=by_weight)
    return Decision(
        next((each for each in about if _is_forbidden(each, lauf_beginn)), None),
        [each for each in about if each.stufe == "drosseln"],
    )
