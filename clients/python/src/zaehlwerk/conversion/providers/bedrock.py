"""Amazon Bedrock."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ..exchange import Answer, from_path, model_of
from ..facts import facts, tier_of
from ..json_values import Json, at, count, entries, has, last, last_count, object_at, text
from ..shape import Shape, Usage, sum_of
from .anthropic import anthropic_counts, anthropic_tool_calls, is_anthropic
from .openai_chat import chat_tool_calls
from .openai_counts import openai_stream_counts

_PATH = r"/model/(.+)/(?:invoke|invoke-with-response-stream|converse|converse-stream)$"


def _converse_usage(part: Json) -> Json | None:
    """Usage of Converse and of Nova's own form; in a stream the `metadata` event carries it, wrapped or not."""
    own = object_at(part, "usage")
    usage = object_at(part, "metadata", "usage") if own is None else own
    return usage if has(usage, "inputTokens") else None


def _written_for_an_hour(usage: Json) -> int | None:
    """What was written to the cache for an hour; the rest lives five minutes."""
    details = [each for each in entries(at(usage, "cacheDetails")) if at(each, "ttl") == "1h"]
    return sum_of(*(count(at(each, "inputTokens")) for each in details))


def _converse_counts(usage: Json, modell: str | None) -> Usage:
    """
    Input stands beside the cache counts. OpenAI's models are the exception where they stream: their input was seen to
    contain them, so input that is large enough to contain the cache is taken to do so.
    """

    def cached(kind: str) -> int | None:
        own = count(at(usage, f"cache{kind}InputTokens"))
        return count(at(usage, f"cache{kind}InputTokenCount")) if own is None else own

    eingabe = count(at(usage, "inputTokens"))
    cache = (cached("Read") or 0) + (cached("Write") or 0)
    is_openai = re.search(r"(^|\.)openai\.", modell or "") is not None
    return Usage(
        eingabe_token=eingabe,
        ausgabe_token=count(at(usage, "outputTokens")),
        cache_lese_token=cached("Read"),
        cache_schreib_token=cached("Write"),
        eingabe_umfasst_cache=is_openai and cache > 0 and (eingabe or 0) >= cache,
        zusatz=facts(cache_schreib_1h_token=_written_for_an_hour(usage)),
    )


def _titan_output(parts: Sequence[Json]) -> int | None:
    """Titan counts each result of an answer; a stream ends with the sum. An embedding has no results."""
    streamed = last_count(parts, "totalOutputTextTokenCount")
    if streamed is not None:
        return streamed
    found = [count(at(result, "tokenCount")) for part in parts for result in entries(at(part, "results"))]
    if found:
        return None if None in found else sum(each or 0 for each in found)
    return 0 if any(has(part, "embedding") or has(part, "embeddings") for part in parts) else None


def _known(*counts: int | None) -> int | None:
    return next((each for each in counts if each is not None), None)


def _family_counts(answer: Answer) -> Usage:
    """Counts of the families that have a form of their own: Titan, Llama, and whatever streams (invocation metrics)."""

    parts = answer.parts

    def header(name: str) -> int | None:
        """Embeddings of others than Amazon are counted in the headers alone."""
        said = answer.exchange.headers.get(f"x-amzn-bedrock-{name}-token-count", "")
        return count(int(said)) if re.fullmatch(r"[0-9]+", said) else None

    def metric(name: str) -> int | None:
        return last_count(parts, "amazon-bedrock-invocationMetrics", name)

    return Usage(
        eingabe_token=_known(
            last_count(parts, "inputTextTokenCount"),
            last_count(parts, "prompt_token_count"),
            metric("inputTokenCount"),
            header("input"),
        ),
        ausgabe_token=_known(
            _titan_output(parts),
            last_count(parts, "generation_token_count"),
            metric("outputTokenCount"),
            header("output"),
        ),
        cache_lese_token=metric("cacheReadInputTokenCount"),
        cache_schreib_token=metric("cacheWriteInputTokenCount"),
        eingabe_umfasst_cache=metric("cacheReadInputTokenCount") is None,
    )


def _counts_of(answer: Answer, modell: str | None) -> Usage:
    parts = answer.parts
    if is_anthropic(parts):
        return anthropic_counts(answer)
    converse = last(parts, _converse_usage)
    if converse is not None:
        return _converse_counts(converse, modell)
    is_openai = any(has(part, "usage", "prompt_tokens") for part in parts)
    return openai_stream_counts(answer) if is_openai else _family_counts(answer)


def _converse_tool_calls(parts: Sequence[Json]) -> int:
    blocks = [block for part in parts for block in entries(at(part, "output", "message", "content"))]
    for part in parts:
        start = at(part, "start")
        blocks.append(at(part, "contentBlockStart", "start") if start is None else start)
    return sum(object_at(block, "toolUse") is not None for block in blocks)


def _model_in(answer: Answer) -> str | None:
    """
    The id in the address, since the price hangs on it: `global.` costs less than a region, while the answer names only
    the vendor's model. Profiles and endpoints of one's own say nothing about the model, so there the answer's name wins.
    """
    name = from_path(answer, _PATH)
    known = name and re.sub(r"^arn:[^/]+:(foundation-model|inference-profile)/", "", name)
    if known is not None and known.startswith("arn:"):
        return model_of(answer) or known
    return known or model_of(answer)


def _tier_in(part: Json) -> str | None:
    return text(at(part, "serviceTier", "type")) or text(at(part, "metadata", "serviceTier", "type"))


def _usages(answer: Answer) -> list[Usage]:
    parts = answer.parts
    modell = _model_in(answer)
    counts = _counts_of(answer, modell)
    return [
        replace(
            counts,
            modell=modell,
            werkzeugaufrufe=anthropic_tool_calls(parts) + chat_tool_calls(parts) + _converse_tool_calls(parts),
            zusatz={**counts.zusatz, **facts(preisstufe=tier_of(last(parts, _tier_in)))},
        )
    ]


bedrock = Shape(
    # `invoke` speaks each vendor's own form, `converse` one for all; streams are AWS event streams.
    name="bedrock",
    anbieter="aws",
    matches_uri=lambda answer: re.search(_PATH, answer.path) is not None,
    matches_body=lambda answer: any(
        _converse_usage(part) is not None or has(part, "inputTextTokenCount") for part in answer.parts
    ),
    to_usages=_usages,
)
