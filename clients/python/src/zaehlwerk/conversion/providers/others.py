"""Forms that are short: Ollama, Voyage AI, rerankers."""

from __future__ import annotations

import re

from ..exchange import Answer, model_of
from ..facts import facts
from ..json_values import at, entries, last_count
from ..shape import Shape, Usage, never


def _ollama_usages(answer: Answer) -> list[Usage]:
    """
    Streams are NDJSON with the counts in the last line. A prompt served wholly from its cache has no
    `prompt_eval_count`, and `/api/embeddings` no count at all: both stay unknown.
    """
    eingabe = last_count(answer.parts, "prompt_eval_count")
    is_embedding = re.search(r"/embed(dings)?$", answer.path) is not None
    ausgabe = last_count(answer.parts, "eval_count")
    return [
        Usage(
            eingabe_token=eingabe,
            ausgabe_token=0 if is_embedding and eingabe is not None else ausgabe,
            modell=model_of(answer),
            werkzeugaufrufe=sum(len(entries(at(part, "message", "tool_calls"))) for part in answer.parts),
        )
    ]


ollama = Shape(
    # Chat, generate and embeddings.
    name="ollama",
    anbieter="ollama",
    matches_uri=lambda answer: re.search(r"/api/(chat|generate|embed|embeddings)$", answer.path) is not None,
    matches_body=lambda answer: any(
        isinstance(at(part, "done"), bool) and isinstance(at(part, "created_at"), str) for part in answer.parts
    ),
    to_usages=_ollama_usages,
)


def _all_input(answer: Answer, total: int | None, **found: int | None) -> list[Usage]:
    return [
        Usage(
            eingabe_token=total,
            ausgabe_token=None if total is None else 0,
            zusatz=facts(**found),
            modell=model_of(answer),
        )
    ]


voyage = Shape(
    # Embeddings: one total, all of it input.
    name="voyage",
    anbieter="voyageai",
    matches_uri=lambda answer: "voyageai" in answer.host and re.search(r"/\w*embeddings$", answer.path) is not None,
    matches_body=never,
    to_usages=lambda answer: _all_input(answer, last_count(answer.parts, "usage", "total_tokens")),
)


def _rerank_usages(answer: Answer) -> list[Usage]:
    total = last_count(answer.parts, "usage", "total_tokens")
    if total is None:
        total = last_count(answer.parts, "usage", "prompt_tokens")
    units = last_count(answer.parts, "meta", "billed_units", "search_units")
    return _all_input(answer, total, reranksuchen=units)


rerank = Shape(
    # They write nothing: Cohere bills searches, Voyage AI, Jina and Together tokens, of which the total is input.
    name="rerank",
    matches_uri=lambda answer: answer.path.endswith("/rerank"),
    matches_body=never,
    to_usages=_rerank_usages,
)
