"""Interventions in force, as the service tells of them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime

from ..conversion.json_values import Json, at, text
from ..conversion.usage_event import moment_of

ACTING = ("drosseln", "anhalten", "sperren")
"""Levels that keep a call from being made or make it wait, rising; the lower ones ask nothing of a client."""

WIDTH = {
    "lauf": 0,
    "agent": 1,
    "funktion": 2,
    "benutzer": 3,
    "endkunde": 4,
    "modell": 5,
    "projekt": 6,
    "schluessel": 7,
    "mandant": 8,
}
"""How much what an intervention is about takes in."""


@dataclass(frozen=True)
class Eingriff:
    """An intervention in force."""

    eingriff_id: str
    stufe: str
    """`drosseln`, `anhalten` or `sperren`."""
    objekt_art: str
    objekt: str
    agent: str | None
    grund: str
    grund_en: str
    beginn: str
    bis: str | None

    def begins(self) -> float:
        """When it began, in seconds since 1970."""
        return _seconds(self.beginn)

    def ends(self) -> float | None:
        """When it ends by itself; None where it does not."""
        return None if self.bis is None else _seconds(self.bis)

    def is_over(self, now: float) -> bool:
        """Whether its own time is over."""
        return self.bis is not None and _seconds(self.bis) <= now


def _seconds(instant: str) -> float:
    moment = moment_of(instant)
    assert isinstance(moment, datetime)
    return moment.timestamp()


def _instant(value: Json) -> str | None:
    """An instant as it is written, None where it is none."""
    written = text(value)
    return None if written is None or moment_of(written) is None else written


def _eingriff_of(value: Json) -> Eingriff | None:
    name, beginn = text(at(value, "eingriff_id")), _instant(at(value, "beginn"))
    stufe, art = at(value, "stufe"), text(at(value, "objekt_art"))
    if name is None or beginn is None or stufe not in ACTING or art not in WIDTH:
        return None
    return Eingriff(
        eingriff_id=name,
        stufe=stufe,
        objekt_art=art,
        objekt=text(at(value, "objekt")) or "",
        agent=text(at(value, "agent")),
        grund=text(at(value, "grund")) or "",
        grund_en=text(at(value, "grund_en")) or "",
        beginn=beginn,
        bis=_instant(at(value, "bis")),
    )


def eingriffe_in(body: str) -> tuple[Eingriff, ...] | None:
    """What the body of an answer lists, without those nobody has to obey; None where it has no list."""
    try:
        listed = at(json.loads(body), "eingriffe")
    except ValueError:
        return None
    if not isinstance(listed, list):
        return None
    return tuple(found for each in listed if (found := _eingriff_of(each)) is not None)


def by_weight(eingriff: Eingriff) -> tuple[int, int]:
    """Sorts the highest level first, of one level the narrowest object."""
    return -ACTING.index(eingriff.stufe), WIDTH[eingriff.objekt_art]
