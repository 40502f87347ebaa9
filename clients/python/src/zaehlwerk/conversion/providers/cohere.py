"""Cohere's chat (v1 NDJSON, v2 SSE), embed and generate."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..exchange import Answer, model_of
from ..json_values import Json, at, count, entries, has, last, object_at
from ..shape import Shape, Usage


def _usage_in(part: Json) -> Json | None:
    """The block with the counts: v2 calls it `usage`, v1 `meta`; streams nest it in their last event."""
    places = (("usage",), ("meta",), ("delta", "usage"), ("response", "meta"))
    block = next((found for place in places if (found := object_at(part, *place)) is not None), None)
    return block if has(block, "billed_units") or has(block, "tokens") else None


def _counts_of(usage: Json) -> Usage:
    """
    Counts of a Cohere answer. Cohere bills `billed_units`, not the `tokens` it processed with its own prompt around
    them, and `cached_tokens` is a part of the latter: as a cache count beside the billed input it would be billed
    twice. So what was processed goes to `zusatz.verarbeitet`, for the record.
    """
    if usage is None:
        return Usage()
    tokens = object_at(usage, "tokens")
    own = object_at(usage, "billed_units")
    billed = tokens if own is None else own
    is_embedding = tokens is None and not has(billed, "output_tokens")
    eingabe = count(at(billed, "input_tokens"))
    ausgabe = count(at(billed, "output_tokens"))
    if ausgabe is None and is_embedding and eingabe is not None:
        ausgabe = 0
    processed = {
        "eingabe_token": count(at(tokens, "input_tokens")),
        "ausgabe_token": count(at(tokens, "output_tokens")),
        "cache_lese_token": count(at(usage, "cached_tokens")),
    }
    verarbeitet = {name: value for name, value in processed.items() if value}
    return Usage(
        eingabe_token=eingabe,
        ausgabe_token=ausgabe,
        zusatz={"verarbeitet": verarbeitet} if verarbeitet else {},
    )


def _listed(part: Json) -> int | None:
    places = (("message", "tool_calls"), ("tool_calls",), ("response", "tool_calls"))
    return next((len(found) for place in places if (found := entries(at(part, *place)))), None)


def _tool_calls(parts: Sequence[Json]) -> int:
    """v1 lists `tool_calls` at the top, v2 in the message; v2 streams announce each with a `tool-call-start`."""
    announced = sum(at(part, "type") == "tool-call-start" for part in parts)
    return announced or last(parts, _listed) or 0


def _usages(answer: Answer) -> list[Usage]:
    counts = _counts_of(last(answer.parts, _usage_in))
    return [
        Usage(
            eingabe_token=counts.eingabe_token,
            ausgabe_token=counts.ausgabe_token,
            zusatz=counts.zusatz,
            modell=model_of(answer),
            werkzeugaufrufe=_tool_calls(answer.parts),
        )
    ]


def _is_at(answer: Answer) -> bool:
    pattern = r"/(chat|embed|generate)$" if "cohere" in answer.host else r"/v2/(chat|embed)$"
    return re.search(pattern, answer.path) is not None


cohere = Shape(
    name="cohere",
    anbieter="cohere",
    matches_uri=_is_at,
    matches_body=lambda answer: any(_usage_in(part) is not None for part in answer.parts),
    to_usages=_usages,
)
