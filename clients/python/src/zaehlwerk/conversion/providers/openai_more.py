"""OpenAI's completions, embeddings, pictures and sound."""

from __future__ import annotations

import math
import re
from dataclasses import replace

from ..exchange import Answer
from ..facts import facts
from ..json_values import Json, at, count, entries, first, last, text
from ..shape import Shape, Usage, never
from .openai_chat import choices_in, named_model
from .openai_counts import openai_stream_counts


def _plain(answer: Answer) -> list[Usage]:
    return [replace(openai_stream_counts(answer), modell=named_model(answer))]


openai_completions = Shape(
    # Also Together, vLLM, Mistral's fill-in-the-middle; they know no tools.
    name="openai-completions",
    matches_uri=lambda answer: answer.path.endswith("/completions"),
    matches_body=lambda answer: any(isinstance(at(choice, "text"), str) for choice in choices_in(answer.parts)),
    to_usages=_plain,
)


def _is_embedding(part: Json) -> bool:
    data = entries(at(part, "data"))
    return bool(data) and at(data[0], "object") == "embedding"


openai_embeddings = Shape(
    # Also Azure, Mistral, vLLM.
    name="openai-embeddings",
    matches_uri=lambda answer: answer.path.endswith("/embeddings") and not answer.path.endswith("/api/embeddings"),
    matches_body=lambda answer: any(map(_is_embedding, answer.parts)),
    to_usages=_plain,
)


def _is_picture(entry: Json) -> bool:
    return text(at(entry, "b64_json")) is not None or text(at(entry, "url")) is not None


def _pictures_in(part: Json) -> int:
    return sum(map(_is_picture, entries(at(part, "data"))))


def _image_usages(answer: Answer) -> list[Usage]:
    """
    Models that count tokens (gpt-image) are billed by them, and all they put out is pictures; the others by the piece,
    at a price that hangs on size and quality.
    """
    counts = openai_stream_counts(answer)
    if counts.ausgabe_token is not None:
        zusatz = {**facts(bild_ausgabe_token=counts.ausgabe_token), **counts.zusatz}
    else:

        def setting(name: str) -> str | None:
            named = first(answer.parts, lambda part: text(at(part, name)))
            return named or text(at(answer.exchange.request, name))

        pieces = facts(
            bilder=last(answer.parts, _pictures_in), bildgroesse=setting("size"), bildguete=setting("quality")
        )
        zusatz = {**counts.zusatz, **pieces}
    return [replace(counts, zusatz=zusatz, modell=named_model(answer))]


images = Shape(
    # Made, edited, varied; also Azure's, xAI's and Together's. Streams end with the usage.
    name="images",
    matches_uri=lambda answer: re.search(r"/images/(generations|edits|variations)$", answer.path) is not None,
    matches_body=lambda answer: any(
        count(at(part, "created")) is not None and _pictures_in(part) > 0 for part in answer.parts
    ),
    to_usages=_image_usages,
)

_MAX_SECONDS = 1e9
"""Longer than any recording; beyond, numbers have no plain decimals."""


def _seconds_in(part: Json) -> float | int | None:
    """Length of the recording: beside or instead of tokens in the usage, or in the transcript itself."""
    places = (at(part, "usage", "seconds"), at(part, "usage", "prompt_audio_seconds"), at(part, "duration"))
    for place in places:
        try:
            seconds = math.nan if place is None else float(place)
        except (TypeError, ValueError):
            continue
        if 0 < seconds < _MAX_SECONDS:
            rounded = round(seconds, 6)
            return int(rounded) if rounded.is_integer() else rounded
    return None


def _audio_usages(answer: Answer) -> list[Usage]:
    """All that speech models put out is sound; a transcript of one that counts tokens says what of its input was."""
    counts = openai_stream_counts(answer)
    if answer.path.endswith("/audio/speech"):
        spoken = text(at(answer.exchange.request, "input"))
        found = facts(zeichen=None if spoken is None else len(spoken), audio_ausgabe_token=counts.ausgabe_token)
    else:
        found = facts(sekunden=last(answer.parts, _seconds_in))
    return [replace(counts, zusatz={**counts.zusatz, **found}, modell=named_model(answer))]


audio = Shape(
    # Transcriptions, translations and speech; also Azure's, Groq's and Mistral's.
    name="audio",
    matches_uri=lambda answer: re.search(r"/audio/(transcriptions|translations|speech)$", answer.path) is not None,
    matches_body=never,
    to_usages=_audio_usages,
)
