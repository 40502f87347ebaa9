"""What the address of a provider says: whose it is, where the model runs."""

from __future__ import annotations

import re
from functools import lru_cache

from .exchange import Answer, host_and_path
from .facts import shortened
from .provider_hosts import PROVIDERS

_PROVIDERS = [(name, re.compile(address), names and re.compile(names)) for name, address, names in PROVIDERS]


@lru_cache(maxsize=1_000)
def _provider_of_origin(origin: str) -> str | None:
    return next((name for name, address, _ in _PROVIDERS if address.match(origin)), None)


def provider_at(uri: str) -> str | None:
    """Id of the provider that the price list has at this address."""
    return _provider_of_origin(re.sub(r"[?#].*$", "", uri, flags=re.DOTALL)[:200])


def provider_named(name: str) -> str | None:
    """Id of the provider that goes by this name."""
    sought = name.lower().strip()
    if any(sought == each for each, _, _ in _PROVIDERS):
        return sought
    return next((each for each, _, names in _PROVIDERS if names and names.search(sought)), None)


_ENDS = [
    (re.compile(pattern), name)
    for pattern, name in (
        (r"^[a-z]{2}\.api\.openai\.com$", "openai"),
        (
            r"(^|\.)bedrock-(runtime|mantle)(-fips)?\.[a-z0-9-]+\.(vpce\.)?(amazonaws\.com(\.cn)?|api\.aws)$",
            "aws",
        ),
        (r"\.(openai|cognitiveservices)\.azure\.(us|cn)$", "azure"),
        (r"\.(api\.cognitive\.microsoft|(inference|models)\.ai\.azure)\.com$", "azure"),
        (r"(^|\.)aiplatform(\.[a-z]+\.rep)?\.googleapis\.com$", "google"),
        (r"\.api\.x\.ai$", "x-ai"),
        (r"^[a-z]{2}\.openrouter\.ai$", "openrouter"),
        (r"^api\.jina\.ai$", "jina"),
        # Ollama answers in OpenAI's form too, and nothing but its port tells.
        (r":11434$", "ollama"),
    )
]
"""Regional and private ends that the price list does not know, under the ids by which it knows their providers."""


def _end_of(host: str) -> str | None:
    return next((name for pattern, name in _ENDS if pattern.search(host)), None)


def is_google(host: str) -> bool:
    """Hosts of Google where models answer; the price list takes every other service of Google for one."""
    return re.search(r"(aiplatform|generativelanguage)[^/]*\.googleapis\.com$", host) is not None


_MIXED = re.compile(r"(\.azure-api\.net|\.googleapis\.com)$")
"""Gateways that the price list takes for a provider, though other things than models stand behind them, too."""

_CLOSED = [
    (re.compile(pattern), name)
    for pattern, name in (
        (
            r"^(ft:)?(gpt-(?=[3-9]|image|audio|realtime)|chatgpt-|codex-mini|o[134]($|-)|text-embedding-(3|ada)-)",
            "openai",
        ),
        (r"^claude-", "anthropic"),
        (r"^gemini-", "google"),
        (r"^grok-[3-9]", "x-ai"),
    )
]
"""Models that their makers alone offer or license, by the names they have everywhere: open weights may run on anybody's machine."""


def _provider_behind(modell: str | None) -> str | None:
    """
    Who answers behind a gateway or proxy: the provider before the model's name (`azure/gpt-4o`), else the maker of a
    model that runs nowhere else. None where the name does not tell.
    """
    pieces = (modell or "").lower().split("/")
    name, prefix = pieces[-1], pieces[0] if len(pieces) > 1 else None
    maker = next((owner for pattern, owner in _CLOSED if pattern.search(name)), None)
    if maker is None:
        return None
    return (provider_named(prefix) if prefix else None) or maker


def anbieter_of(answer: Answer, own_form: str | None, modell: str | None) -> str | None:
    """
    The provider's id as the price list knows it, found by the address; else the provider whose form the answer has;
    else whom the model's name tells. None where none of them does: the name of a host is no provider.
    """
    listed = provider_at(answer.exchange.uri)
    return listed or _end_of(answer.host) or own_form or _provider_behind(modell)


def is_provider(uri: str) -> bool:
    """Whether models, and little else, answer at this address."""
    host, _ = host_and_path(uri)
    if is_google(host) or _end_of(host) is not None:
        return True
    return _MIXED.search(host) is None and provider_at(uri) is not None


_REGIONAL_AT_GOOGLE = re.compile(r"claude|gemini-(?![12]\D)", re.IGNORECASE)
"""Claude everywhere, Gemini from 3 on: what came before costs the same in all regions of Google."""


def _google_region(answer: Answer, modell: str) -> str | None:
    if not is_google(answer.host) or not _REGIONAL_AT_GOOGLE.search(modell):
        return None
    found = re.search(r"/locations/([^/]+)/", answer.path) or re.search(r"^([a-z0-9-]+)-aiplatform\.", answer.host)
    return found and found[1]


_PLACED_BY_ID = re.compile(r"^(us-gov|us|eu|apac|ap|au|jp|ca|in|sa|me|af|global)\.|anthropic|claude|openai\.")
"""Of these models the id says all that the price needs: `eu.amazon.…`, `anthropic.…` as against `global.anthropic.…`."""
_AMAZON_BASE = {"us-east-1", "us-west-2"}
"""Where Amazon charges what it lists first, and lists have."""


def _amazon_region(answer: Answer, modell: str) -> str | None:
    found = re.search(r"(?:^|\.)bedrock-(?:runtime|mantle)(?:-fips)?\.([a-z0-9-]+)\.", answer.host)
    if found is None or found[1] in _AMAZON_BASE or _PLACED_BY_ID.search(modell):
        return None
    return found[1]


_SAME_AT_OPENAI = re.compile(
    r"^(ft:)?(gpt-(3|4|5(\.[0-3])?(-|$)|image-1|audio|realtime)|chatgpt-4o|codex-mini|o[134]"
    r"|text-embedding-(3|ada)|whisper|tts-1|dall-e|davinci|babbage)"
)
"""What OpenAI had before March 2026 costs the same at its regional ends; newer models cost more there."""


def _regional_end(answer: Answer, modell: str) -> str | None:
    if answer.host.endswith("openai.com") and _SAME_AT_OPENAI.search(modell):
        return None
    found = re.search(r"^([a-z]{2}|[a-z]{2}-[a-z]+-\d)\.api\.(openai\.com|x\.ai)$", answer.host)
    return found and found[1]


def region_of(answer: Answer, modell: str | None) -> str | None:
    """
    Where the address binds the inference to, if the model's price depends on it and the model's name does not say it
    already; None where not.
    """
    name = modell or ""
    region = _regional_end(answer, name) or _google_region(answer, name) or _amazon_region(answer, name)
    return None if region is None else shortened(region)
