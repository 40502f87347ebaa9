"""What Mistral has beside chat: conversations and text recognition."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ..exchange import Answer, model_of
from ..facts import facts
from ..json_values import Json, at, count, entries, first, last, last_count, object_at, text
from ..shape import Shape, Usage, sum_of
from .openai_counts import openai_counts


def _is_conversation(part: Json) -> bool:
    return bool(at(part, "object") == "conversation.response" or at(part, "type") == "conversation.response.done")


def _counts_of(answer: Answer) -> Usage:
    """What connectors (Mistral's tools) put into the prompt comes on top of it and is billed as input."""
    usage = last(answer.parts, lambda part: object_at(part, "usage"))
    if usage is None:
        return Usage()
    counts = openai_counts(usage, answer)

    def used(name: str) -> int | None:
        return count(at(usage, "connectors", name))

    return replace(
        counts,
        eingabe_token=sum_of(counts.eingabe_token, count(at(usage, "connector_tokens"))),
        zusatz=facts(
            websuchen=sum_of(used("web_search"), used("web_search_premium")),
            dateisuchen=used("document_library"),
            codeausfuehrungen=used("code_interpreter"),
            bilder=used("image_generation"),
        ),
    )


def _outputs(parts: Sequence[Json]) -> list[Json]:
    return [entry for part in parts for entry in entries(at(part, "outputs"))]


_CALLED = {"function.call", "tool.execution", "tool.execution.started", "function.call.delta"}


def _tool_calls(parts: Sequence[Json]) -> int:
    """Calls for the caller to make, and those that Mistral made itself; a stream announces each as it starts."""
    return sum(text(at(entry, "type")) in _CALLED for entry in (*_outputs(parts), *parts))


def _usages(answer: Answer) -> list[Usage]:
    named = first(_outputs(answer.parts), lambda entry: text(at(entry, "model")))
    return [
        replace(
            _counts_of(answer),
            modell=named or model_of(answer),
            werkzeugaufrufe=_tool_calls(answer.parts),
        )
    ]


def _is_at(answer: Answer) -> bool:
    if not re.search(r"/v1/conversations(/[^/]+(/restart)?)?$", answer.path):
        return False
    return "mistral" in answer.host or any(map(_is_conversation, answer.parts))


mistral_conversations = Shape(
    # Started, continued and begun again; streams end with the usage.
    name="mistral-conversations",
    anbieter="mistral",
    matches_uri=_is_at,
    matches_body=lambda answer: any(map(_is_conversation, answer.parts)),
    to_usages=_usages,
)

mistral_ocr = Shape(
    # Text recognition, billed by the page.
    name="mistral-ocr",
    anbieter="mistral",
    matches_uri=lambda answer: answer.path.endswith("/v1/ocr"),
    matches_body=lambda answer: any(object_at(part, "usage_info") is not None for part in answer.parts),
    to_usages=lambda answer: [
        Usage(
            zusatz=facts(seiten=last_count(answer.parts, "usage_info", "pages_processed")),
            modell=model_of(answer),
        )
    ],
)
