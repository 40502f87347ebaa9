"""Counts in OpenAI's form."""

from __future__ import annotations

from dataclasses import replace

from ..exchange import Answer
from ..facts import facts, tier_of
from ..hosts import is_google
from ..json_values import Json, at, count, first, last, object_at, text
from ..shape import Usage, remainder, sum_of
from .reported_cost import reported_cost


def _either(*counts: int | None) -> int | None:
    return first(counts, count)


def _cache_read(usage: Json, details: Json) -> int | None:
    return _either(
        at(details, "cached_tokens"),
        at(usage, "prompt_cache_hit_tokens"),  # DeepSeek
        at(usage, "cached_tokens"),  # Moonshot
    )


def _facts_of(usage: Json, inputs: Json, outputs: Json, host: str) -> dict[str, Json]:
    def used(name: str) -> int | None:
        """Tool calls that xAI made on its own servers."""
        return count(at(usage, "server_side_tool_usage_details", name))

    # Perplexity bills a request by the size of its search context; only deep research, which counts citations, by the search.
    is_by_context = at(usage, "search_context_size") is not None and at(usage, "citation_tokens") is None
    # Before xAI listed its calls, it counted the sources that a search used.
    searches = sum_of(used("web_search_calls"), used("x_search_calls"))
    if searches is None:
        searches = count(at(usage, "num_sources_used"))
    if searches is None and not is_by_context:
        searches = count(at(usage, "num_search_queries"))
    return facts(
        audio_eingabe_token=count(at(inputs, "audio_tokens")),
        bild_eingabe_token=count(at(inputs, "image_tokens")),
        video_eingabe_token=count(at(inputs, "video_tokens")),
        audio_cache_lese_token=count(at(inputs, "cached_tokens_details", "audio_tokens")),
        bild_cache_lese_token=count(at(inputs, "cached_tokens_details", "image_tokens")),
        audio_ausgabe_token=count(at(outputs, "audio_tokens")),
        bild_ausgabe_token=count(at(outputs, "image_tokens")),
        video_ausgabe_token=count(at(outputs, "video_tokens")),
        zitat_token=count(at(usage, "citation_tokens")),
        gemeldete_kosten_usd=reported_cost(usage, host),
        dateisuchen=sum_of(used("file_search_calls"), used("document_search_calls")),
        codeausfuehrungen=used("code_interpreter_calls"),
        # The model was asked again with what they found.
        eingabe_ist_summe=any((object_at(usage, "server_side_tool_usage_details") or {}).values()),
        websuchen=searches,
        preisstufe=tier_of(text(at(usage, "search_context_size"))) if is_by_context else None,
    )


def _reasoning(
    usage: Json, details: Json, eingabe: int | None, ausgabe: int | None, host: str
) -> tuple[int | None, bool]:
    """
    Reasoning tokens and whether they come on top of the output. They do at xAI and Gemini's compatible endpoint, which
    shows in the total: it then exceeds input and output by exactly them. Google may leave them out altogether, so that
    only the total has them. Perplexity counts them beside the output and leaves them out of the total.
    """
    rest = remainder(count(at(usage, "total_tokens")), eingabe, ausgabe)
    sent = _either(at(details, "reasoning_tokens"), at(usage, "reasoning_tokens"))
    if not sent and is_google(host) and ausgabe is not None and rest:
        return rest, True
    beside = count(at(usage, "num_search_queries")) is not None
    return sent, bool(sent) and ausgabe is not None and (rest == sent or beside)


def openai_counts(usage: Json, answer: Answer) -> Usage:
    """
    Counts of a usage block in OpenAI's form: `prompt_tokens`/`completion_tokens` (chat, completions, embeddings) or
    `input_tokens`/`output_tokens` (responses, images, audio). Input includes the cache, output includes reasoning (but
    see above). An embedding has no `completion_tokens`; the block's own total then says 0.
    """

    def details(*names: str) -> Json:
        places = [at(usage, f"{name}_{kind}_details") for name in names for kind in ("tokens", "token")]
        return next((place for place in places if place is not None), None)

    inputs, outputs = details("prompt", "input"), details("completion", "output")
    eingabe = _either(at(usage, "prompt_tokens"), at(usage, "input_tokens"))
    sent = _either(at(usage, "completion_tokens"), at(usage, "output_tokens"))
    denk, on_top = _reasoning(usage, outputs, eingabe, sent, answer.host)
    if sent is None and eingabe is not None:
        sent = remainder(count(at(usage, "total_tokens")), eingabe)
    return Usage(
        eingabe_token=eingabe,
        ausgabe_token=sent,
        cache_lese_token=_cache_read(usage, inputs),
        cache_schreib_token=count(at(inputs, "cache_write_tokens")),
        denk_token=denk,
        ausgabe_umfasst_denken=not on_top,
        zusatz=_facts_of(usage, inputs, outputs, answer.host),
    )


def _tier_in(part: Json) -> str | None:
    """The tier an answer names: OpenAI and its followers beside the usage block, Vertex AI inside."""
    return text(at(part, "service_tier")) or text(at(part, "usage", "extra_properties", "google", "traffic_type"))


def openai_stream_counts(answer: Answer) -> Usage:
    """Counts of the last usage block in the parts (in a stream `usage` is null until the end; Groq nests it)."""

    def block(part: Json) -> Json | None:
        own = object_at(part, "usage")
        return object_at(part, "x_groq", "usage") if own is None else own

    usage = last(answer.parts, block)
    counts = Usage() if usage is None else openai_counts(usage, answer)
    return replace(counts, zusatz={**counts.zusatz, **facts(preisstufe=tier_of(last(answer.parts, _tier_in)))})
