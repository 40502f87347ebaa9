"""The id of an event by the answer it tells of: one derivation for every way on which a call comes (docs/fingerprints.md)."""

from __future__ import annotations

import re

from .exchange import Answer
from .ids import stable_id
from .json_values import Json, at, first, text

_ENOUGH = 20
"""Ids with fewer letters and digits do not name one call for good: those of local servers begin anew with every start."""

_PLACES = (("message", "id"), ("response", "id"), ("responseId",), ("generation_id",), ("id",))
"""Under which names the providers put the id of an answer, in the answer or its first event."""


def _names_a_call(name: str | None) -> bool:
    return name is not None and len(re.findall(r"[A-Za-z0-9]", name)) >= _ENOUGH


def _id_in(part: Json) -> str | None:
    found = (text(at(part, *place)) for place in _PLACES)
    return next((name for name in found if _names_a_call(name)), None)


def answer_id(answer: Answer) -> str | None:
    """The id by which the provider names an answer; None where it does not."""
    of_amazon = text(answer.exchange.headers.get("x-amzn-requestid"))
    return of_amazon if _names_a_call(of_amazon) else first(answer.parts, _id_in)


def id_of_answer(name: str, position: int) -> str:
    """`ereignis_id` of the event at a position (0 for the answer itself, further ones for models called on the way)."""
    return stable_id("answer", name, *([] if position == 0 else [str(position)]))
