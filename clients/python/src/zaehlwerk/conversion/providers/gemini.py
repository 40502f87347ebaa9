"""Google's Gemini, and its models that predict."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ..exchange import Answer, from_path
from ..facts import facts, tier_of
from ..json_values import Json, at, count, entries, first, last, object_at, text
from ..shape import Shape, Usage, never, remainder, sum_of


def _of_modality(modality: str, *details: Json) -> int | None:
    found = [entry for each in details for entry in entries(each) if at(entry, "modality") == modality]
    return sum_of(*(count(at(entry, "tokenCount")) for entry in found))


def _facts_of(usage: Json) -> dict[str, Json]:
    def details(name: str) -> Json:
        return at(usage, f"{name}TokensDetails")

    inputs = (details("prompt"), details("toolUsePrompt"))
    cache = details("cache")
    output = details("candidates")
    return facts(
        audio_eingabe_token=_of_modality("AUDIO", *inputs),
        bild_eingabe_token=_of_modality("IMAGE", *inputs),
        video_eingabe_token=_of_modality("VIDEO", *inputs),
        audio_cache_lese_token=_of_modality("AUDIO", cache),
        bild_cache_lese_token=_of_modality("IMAGE", cache),
        audio_ausgabe_token=_of_modality("AUDIO", output),
        bild_ausgabe_token=_of_modality("IMAGE", output),
        video_ausgabe_token=_of_modality("VIDEO", output),
        # What Google's own tools found was a prompt again.
        eingabe_ist_summe=bool(count(at(usage, "toolUsePromptTokenCount"))),
        preisstufe=tier_of(text(at(usage, "trafficType")) or text(at(usage, "serviceTier"))),
    )


def _counts_of(usage: Json, is_cut_off: bool) -> Usage:
    """
    Counts of `usageMetadata`. The prompt includes the cached content; thoughts come on top of the candidates; the
    results of Google's own tools come on top of the prompt and are billed as input. Google leaves zeros out of its
    JSON, so a missing count follows from the total; where the answer was cut off, a nothing may be what had not been
    counted yet.
    """
    if usage is None:
        return Usage()
    prompt = count(at(usage, "promptTokenCount"))
    tools = count(at(usage, "toolUsePromptTokenCount"))
    thoughts = count(at(usage, "thoughtsTokenCount"))
    ausgabe = count(at(usage, "candidatesTokenCount"))
    if ausgabe is None and prompt is not None:
        ausgabe = remainder(count(at(usage, "totalTokenCount")), prompt, tools, thoughts)
    if is_cut_off and ausgabe == 0:
        ausgabe = None
    return Usage(
        eingabe_token=None if prompt is None else sum_of(prompt, tools),
        ausgabe_token=ausgabe,
        cache_lese_token=count(at(usage, "cachedContentTokenCount")),
        denk_token=thoughts,
        ausgabe_umfasst_denken=False,
        zusatz=_facts_of(usage),
    )


def _candidates(parts: Sequence[Json]) -> list[Json]:
    return [candidate for part in parts for candidate in entries(at(part, "candidates"))]


def _searches(usage: Json, parts: Sequence[Json], modell: str | None) -> int:
    """
    Searches as Google bills them: up to Gemini 2 a grounded prompt, however many queries it took; from Gemini 3 on each
    query. Those it names are counted once each and empty ones not at all, as Google does; what it says it has billed
    comes first, since with thoughts the queries may stay hidden.
    """
    calls = entries(at(usage, "billedToolCalls"))
    billed = [call for call in calls if "search" in (text(at(call, "tool")) or "").lower()]
    queries = {
        text(query)
        for candidate in _candidates(parts)
        for query in entries(at(candidate, "groundingMetadata", "webSearchQueries"))
        if (text(query) or "").strip()
    }
    made = sum_of(*(count(at(call, "successfulToolCallCount")) for call in billed))
    if made is None:
        made = len(queries)
    return min(made, 1) if re.search(r"gemini-[12]\D", modell or "") else made


def _model_in(answer: Answer) -> str | None:
    named = first(answer.parts, lambda part: text(at(part, "modelVersion")))
    modell = named or from_path(answer, r"/models/([^/:]+):")
    return modell and modell.removeprefix("models/")


def _function_calls(parts: Sequence[Json]) -> int:
    pieces = [piece for each in _candidates(parts) for piece in entries(at(each, "content", "parts"))]
    return sum(object_at(piece, "functionCall") is not None for piece in pieces)


def _usages(answer: Answer) -> list[Usage]:
    usage = last(answer.parts, lambda part: object_at(part, "usageMetadata"))
    counts = _counts_of(usage, answer.exchange.aborted)
    modell = _model_in(answer)
    searches = facts(websuchen=_searches(usage, answer.parts, modell))
    return [
        replace(
            counts,
            modell=modell,
            werkzeugaufrufe=_function_calls(answer.parts),
            zusatz={**counts.zusatz, **searches},
        )
    ]


_METHODS = re.compile(
    r"/models/[^/:]+(:|%3A)(generateContent|streamGenerateContent|embedContent|batchEmbedContents)$",
    re.IGNORECASE,
)


def _is_kept(part: Json) -> bool:
    """What is kept for later prompts has such a block, too."""
    return "cachedContents/" in (text(at(part, "name")) or "")


gemini = Shape(
    # On Google's API and on Vertex AI; streams are SSE or one JSON array, each part with running counts.
    name="gemini",
    anbieter="google",
    matches_uri=lambda answer: _METHODS.search(answer.path) is not None,
    matches_body=lambda answer: any(
        object_at(part, "usageMetadata") is not None and not _is_kept(part) for part in answer.parts
    ),
    to_usages=_usages,
)


def _is_picture(prediction: Json) -> bool:
    """Pictures that were made; those that a filter held back say so instead and cost nothing."""
    places = (at(prediction, "bytesBase64Encoded"), at(prediction, "gcsUri"))
    return first(places, text) is not None


def _predicted(answer: Answer) -> list[Usage]:
    predictions = [each for part in answer.parts for each in entries(at(part, "predictions"))]
    embedded = [at(each, "embeddings", "statistics", "token_count") for each in predictions]
    eingabe = sum_of(*map(count, embedded))
    return [
        Usage(
            eingabe_token=eingabe,
            ausgabe_token=None if eingabe is None else 0,
            zusatz=facts(bilder=sum(map(_is_picture, predictions))),
            modell=from_path(answer, r"/models/([^/:%]+)"),
        )
    ]


google_predict = Shape(
    # Imagen, billed by the picture, and embeddings on Vertex AI.
    name="google-predict",
    anbieter="google",
    matches_uri=lambda answer: re.search(r"/models/[^/:]+(:|%3A)predict$", answer.path, re.IGNORECASE) is not None,
    matches_body=never,
    to_usages=_predicted,
)
