"""What a request may use at most, from the request alone: who reserves must not promise too little."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..conversion.exchange import Answer, Exchange, host_and_path
from ..conversion.hosts import anbieter_of, region_of
from ..conversion.json_values import Json, at, text
from ..conversion.shape import Shape


@dataclass(frozen=True)
class Demand:
    """Counts at most; None: as many as the model takes, or writes."""

    anbieter: str | None
    region: str | None
    modell: str | None
    preisstufe: str | None
    eingabe: int | None
    ausgabe: int | None
    cache_schreiben: bool
    """Whether input may be written to the cache, which may cost more than input does."""
    begrenzt: bool
    """Whether tokens are all that is billed."""

    def rates_key(self) -> tuple[object, ...]:
        """Of calls alike in this the rates are the same."""
        place = (self.anbieter, self.region, self.modell, self.preisstufe)
        return (*place, self.cache_schreiben, self.eingabe is None)


_BEYOND_THE_BODY = re.compile(
    rb'"(image_url|input_image|input_file|file_id|file_data|fileData|inlineData|inline_data|fileUri|file_uri'
    rb'|previous_response_id|cachedContent|cached_content|s3Location)"\s*:'
    rb'|"type"\s*:\s*"(image|input_image|input_file|document|video|file)"'
    rb'|"(conversation|prompt)"\s*:\s*(\{|"conv)|"(image|document|video)"\s*:\s*\{'
)
"""Pictures, files and what is stored with the provider; text within a body has a stroke before its quotes."""
_SOUND = re.compile(rb'"input_audio"|"audio"\s*:\s*\{|modalities"\s*:\s*\[[^\]]*"audio"', re.IGNORECASE)
_CACHE = re.compile(rb'"cache_control"|"cachePoint"')
_BY_THE_PIECE = re.compile(r"/(images|audio|rerank|ocr|transcriptions|speech|videos?)(/|$)|:predict", re.IGNORECASE)
_SEARCHES = ("web_search_options", "search_parameters", "plugins")
_TOOLS_APART = re.compile(r"search|execution|retrieval|maps|url_?context|computer", re.IGNORECASE)
_TOKENS_OF_TOOLS = 1_000
"""Instructions that providers put in where tools are named."""
_TIERS = ("auto", "default", "standard", "standard_only", "on_demand")

_OUTPUT_BOUNDS: Sequence[Sequence[str]] = (
    ("max_completion_tokens",),
    ("max_output_tokens",),
    ("max_tokens",),
    ("maxOutputTokens",),
    ("maxTokens",),
    ("max_tokens_to_sample",),
    ("generationConfig", "maxOutputTokens"),
    ("generation_config", "max_output_tokens"),
    ("inferenceConfig", "maxTokens"),
    ("textGenerationConfig", "maxTokenCount"),
    ("max_gen_len",),
    ("options", "num_predict"),
)
_ANSWERS: Sequence[Sequence[str]] = (("n",), ("best_of",), ("num_generations",), ("generationConfig", "candidateCount"))


def _named(request: Json, paths: Sequence[Sequence[str]]) -> int | None:
    found = (at(request, *path) for path in paths)
    return next((each for each in found if isinstance(each, int) and not isinstance(each, bool) and each >= 0), None)


def _is_own(tool: Json) -> bool:
    """A tool that the caller runs: all that it costs are tokens."""
    kind = text(at(tool, "type"))
    if kind is not None:
        return kind in ("function", "custom")
    return not any(_TOOLS_APART.search(name) for name in (tool if isinstance(tool, dict) else ()))


def _output_of(uri: str, request: Json) -> int | None:
    if re.search("embed", uri, re.IGNORECASE):
        return 0
    bound = _named(request, _OUTPUT_BOUNDS)
    return None if bound is None else bound * max(_named(request, _ANSWERS) or 1, 1)


def demand_of(
    uri: str, form: Shape | None, modell: str | None, body: bytes | dict[str, Json] | None, bytes_per_token: float
) -> Demand:
    """`bytes_per_token`: no tokenizer makes more than one token of a byte; of text that is known it is fewer."""
    raw = body if isinstance(body, bytes) else None
    try:
        request: Json = json.loads(raw) if raw else {}
    except ValueError:
        request = {}
    host, path = host_and_path(uri)
    answer = Answer(Exchange(uri=uri, request={}, status=200, content_type="", body=""), "POST", host, path, [])
    found = at(request, "tools")
    tools = found if isinstance(found, list) else []
    by_tokens = (
        raw is not None
        and _BY_THE_PIECE.search(uri) is None
        and _SOUND.search(raw) is None
        and all(at(request, key) is None for key in _SEARCHES)
    )
    more = _TOKENS_OF_TOOLS if tools or at(request, "toolConfig") is not None else 0
    is_within = raw is not None and _BEYOND_THE_BODY.search(raw) is None
    tier = text(at(request, "service_tier")) or text(at(request, "serviceTier")) or text(at(request, "speed"))
    return Demand(
        anbieter=anbieter_of(answer, None if form is None else form.anbieter, modell),
        region=region_of(answer, modell),
        modell=modell,
        preisstufe=None if tier is None or tier in _TIERS else tier[:40],
        eingabe=math.ceil(len(raw or b"") / bytes_per_token) + more if is_within else None,
        ausgabe=_output_of(uri, request),
        cache_schreiben=raw is not None and _CACHE.search(raw) is not None,
        begrenzt=by_tokens and all(map(_is_own, tools)),
    )
