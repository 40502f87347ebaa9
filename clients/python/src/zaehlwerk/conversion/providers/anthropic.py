"""Anthropic's messages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ..exchange import Answer, from_path, model_of
from ..facts import facts, shortened, tier_of
from ..json_values import Json, at, count, entries, last, last_count, object_at, text
from ..shape import Shape, Usage, sum_of
from .reported_cost import reported_cost

_TOOL_BLOCKS = {"tool_use", "server_tool_use", "mcp_tool_use"}


def _usage_in(part: Json) -> Json | None:
    """The usage block of a message, of `message_delta` (at its top) or of `message_start` (inside the message)."""
    own = object_at(part, "usage")
    return object_at(part, "message", "usage") if own is None else own


def _steps_of(parts: Sequence[Json], kind: str) -> list[Json]:
    """The steps of the call, of one kind. Summaries of the context and advisors asked are in no other count."""
    steps = last(parts, lambda part: entries(at(_usage_in(part), "iterations")) or None)
    return [step for step in steps or [] if at(step, "type") == kind]


_INPUTS = ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")


def _blocks_in(parts: Sequence[Json]) -> list[Json]:
    return [block for part in parts for block in (*entries(at(part, "content")), at(part, "content_block"))]


def _prompts_of(parts: Sequence[Json]) -> dict[str, int | bool]:
    """
    With tools of Anthropic's own the model is asked again with what they found, and the input is the sum of all these
    prompts. The price of long contexts goes by the longest of them.
    """
    steps = [step for step in _steps_of(parts, "message") if not _has_declined(step, _fallback_in(parts))]
    prompts = [sum_of(*(count(at(step, name)) for name in _INPUTS)) for step in steps]
    if len(prompts) > 1:
        return {"laengste_eingabe_token": max(prompt or 0 for prompt in prompts)}
    used = any(at(block, "type") == "server_tool_use" for block in _blocks_in(parts))
    return {"eingabe_ist_summe": True} if used and not prompts else {}


def _has_declined(step: Json, served: str | None) -> bool:
    """Whether a step is that of a model which handed the request on to another."""
    modell = text(at(step, "model"))
    return served is not None and modell is not None and modell != served


def _declined_late(parts: Sequence[Json]) -> list[Json]:
    """Models that had written something when they declined: it is billed at their own price."""
    return [
        step
        for step in _steps_of(parts, "message")
        if _has_declined(step, _fallback_in(parts)) and (count(at(step, "output_tokens")) or 0) > 0
    ]


def _last_text(parts: Sequence[Json], name: str) -> str | None:
    return last(parts, lambda part: text(at(_usage_in(part), name)))


def _geo_of(parts: Sequence[Json]) -> str | None:
    """Where inference ran, if that was chosen."""
    geo = _last_text(parts, "inference_geo")
    return None if geo is None or geo == "not_available" else shortened(geo)


def _preisstufe_of(parts: Sequence[Json]) -> str | None:
    """Fast answers have a price of their own, whatever the tier."""
    return tier_of(_last_text(parts, "speed")) or tier_of(_last_text(parts, "service_tier"))


def _written_for_an_hour(usage: Json) -> int | None:
    return count(at(usage, "cache_creation", "ephemeral_1h_input_tokens"))


def _counts_sent(answer: Answer) -> Usage:
    """
    Counts as they were sent. `message_delta` repeats running totals, older ones the output alone, so each count is
    the last one sent; the output of `message_start` is only its first token or two and does not count. Input stands
    beside the cache counts. A context that was summed up on the way is added, since the block leaves it out.
    """
    parts = answer.parts
    summaries = _steps_of(parts, "compaction")

    def latest(*path: str) -> int | None:
        return last(parts, lambda part: count(at(_usage_in(part), *path)))

    def total(own: int | None, name: str) -> int | None:
        return None if own is None else sum_of(own, *(count(at(step, name)) for step in summaries))

    for_an_hour = last(parts, lambda part: _written_for_an_hour(_usage_in(part)))
    return Usage(
        eingabe_token=total(latest("input_tokens"), "input_tokens"),
        ausgabe_token=total(last_count(parts, "usage", "output_tokens"), "output_tokens"),
        cache_lese_token=total(latest("cache_read_input_tokens"), "cache_read_input_tokens"),
        cache_schreib_token=total(latest("cache_creation_input_tokens"), "cache_creation_input_tokens"),
        denk_token=latest("output_tokens_details", "thinking_tokens"),
        eingabe_umfasst_cache=False,
        zusatz=facts(
            cache_schreib_1h_token=sum_of(for_an_hour, *map(_written_for_an_hour, summaries)),
            preisstufe=_preisstufe_of(parts),
            region=_geo_of(parts),
            **_prompts_of(parts),
            websuchen=latest("server_tool_use", "web_search_requests"),
            gemeldete_kosten_usd=reported_cost(last(parts, _usage_in), answer.host),
        ),
    )


def _not_billed(counts: Usage) -> Usage:
    """What was read costs nothing then; it is kept for the record."""
    rest = {name: value for name, value in counts.zusatz.items() if name != "cache_schreib_1h_token"}
    read = {
        "eingabe_token": counts.eingabe_token,
        "cache_lese_token": counts.cache_lese_token,
        "cache_schreib_token": counts.cache_schreib_token,
    }
    verarbeitet = {name: value for name, value in read.items() if value}
    return Usage(
        eingabe_token=0,
        ausgabe_token=0,
        cache_lese_token=None if counts.cache_lese_token is None else 0,
        cache_schreib_token=None if counts.cache_schreib_token is None else 0,
        eingabe_umfasst_cache=False,
        zusatz={**rest, "verarbeitet": verarbeitet} if verarbeitet else rest,
    )


def _is_refused(parts: Sequence[Json], counts: Usage) -> bool:
    """Refused before a word was written."""

    def reason(part: Json) -> str | None:
        return text(at(part, "stop_reason")) or text(at(part, "delta", "stop_reason"))

    return counts.ausgabe_token == 0 and last(parts, reason) == "refusal"


def _without_declined(counts: Usage, parts: Sequence[Json]) -> Usage:
    """Where another model had written something before, the counts of the steps of the one that answered: the totals may hold both."""
    if not _declined_late(parts):
        return counts
    steps = [*_steps_of(parts, "message"), *_steps_of(parts, "fallback_message")]
    own = [step for step in steps if not _has_declined(step, _fallback_in(parts))]

    def total(name: str) -> int | None:
        return sum_of(*(count(at(step, name)) for step in own))

    return replace(
        counts,
        eingabe_token=total("input_tokens"),
        ausgabe_token=total("output_tokens"),
        cache_lese_token=total("cache_read_input_tokens"),
        cache_schreib_token=total("cache_creation_input_tokens"),
    )


def anthropic_counts(answer: Answer) -> Usage:
    """Counts of an Anthropic answer as they are billed."""
    counts = _without_declined(_counts_sent(answer), answer.parts)
    return _not_billed(counts) if _is_refused(answer.parts, counts) else counts


def _on_the_way(parts: Sequence[Json]) -> list[Usage]:
    """What models used that worked on the way: asked for advice, or declined. Their tokens are billed at their own price."""
    return [
        Usage(
            eingabe_token=count(at(step, "input_tokens")),
            ausgabe_token=count(at(step, "output_tokens")),
            cache_lese_token=count(at(step, "cache_read_input_tokens")),
            cache_schreib_token=count(at(step, "cache_creation_input_tokens")),
            eingabe_umfasst_cache=False,
            zusatz=facts(
                cache_schreib_1h_token=_written_for_an_hour(step),
                preisstufe=_preisstufe_of(parts),
                region=_geo_of(parts),
            ),
            modell=text(at(step, "model")),
        )
        for step in (*_steps_of(parts, "advisor_message"), *_declined_late(parts))
    ]


def anthropic_tool_calls(parts: Sequence[Json]) -> int:
    """Tool calls in the content of an answer: the client's own, Anthropic's and those of MCP servers."""
    return sum(text(at(block, "type")) in _TOOL_BLOCKS for block in _blocks_in(parts))


def is_anthropic(parts: Sequence[Json]) -> bool:
    """Whether one of the parts is an Anthropic message or the start of one."""
    return any(at(part, "type") in ("message_start", "message") for part in parts)


def _fallback_in(parts: Sequence[Json]) -> str | None:
    """The model that a refused request was passed on to; the start of a stream names the one that was asked."""
    served = [text(at(step, "model")) for step in _steps_of(parts, "fallback_message")[-1:]]
    blocks = [block for block in _blocks_in(parts) if at(block, "type") == "fallback"]
    return next(iter(served), None) or next((text(at(block, "to", "model")) for block in blocks[-1:]), None)


def _usages(answer: Answer) -> list[Usage]:
    own = replace(
        anthropic_counts(answer),
        modell=_fallback_in(answer.parts) or model_of(answer) or from_path(answer, r"/models/([^/:]+):"),
        werkzeugaufrufe=anthropic_tool_calls(answer.parts),
    )
    return [own, *_on_the_way(answer.parts)]


def _is_at(path: str) -> bool:
    at_google = r"/publishers/anthropic/models/[^/]+:(stream)?rawPredict$"
    return path.endswith("/v1/messages") or re.search(at_google, path, re.IGNORECASE) is not None


anthropic = Shape(
    # Also on Vertex AI and from others who copy the form.
    name="anthropic",
    matches_uri=lambda answer: _is_at(answer.path),
    matches_body=lambda answer: is_anthropic(answer.parts),
    to_usages=_usages,
)
