"""What the provider itself says that a call cost."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Context, Decimal

from ..json_values import Json, at, object_at

_EXACT = Context(prec=100)
"""Room for every digit of a sum of two amounts."""
_LEAST = Decimal(1).scaleb(-18)
"""Decimals that the service takes; what is smaller is no money."""
_AMOUNT = re.compile(r"^\d{1,14}(\.\d{1,30})?(e-[12]?\d)?$", re.IGNORECASE)


def _amount(value: Json) -> Decimal | None:
    """An amount as it was sent (`parse_json` keeps its digits), None where it is none."""
    return Decimal(value) if isinstance(value, str) and _AMOUNT.match(value) else None


def _perplexity_cost(usage: Json) -> Decimal | None:
    """Tokens, searches and fees together."""
    currency = at(usage, "cost", "currency")
    return _amount(at(usage, "cost", "total_cost")) if currency in (None, "USD") else None


def _openrouter_cost(usage: Json) -> Decimal | None:
    """
    `cost` is what OpenRouter takes from the caller's credits. With the caller's own key of the provider behind it
    (`is_byok`) that is its fee alone, and the caller owes the provider `upstream_inference_cost` besides: the call cost
    both. Without an own key the two are the same amount. With one whose cost is not said, the fee alone would pass for
    the cost of the call, so nothing is reported.
    """
    charged = _amount(at(usage, "cost"))
    if at(usage, "is_byok") is not True:
        return charged
    upstream = _amount(at(usage, "cost_details", "upstream_inference_cost"))
    return None if charged is None or upstream is None else _EXACT.add(charged, upstream)


def _ticks(usage: Json) -> Decimal | None:
    """xAI counts in ticks of 10^-10 USD."""
    sent = at(usage, "cost_in_usd_ticks")
    return Decimal(f"{sent}e-10") if isinstance(sent, str) and re.fullmatch(r"\d{1,18}", sent) else None


def reported_cost(usage: Json, host: str) -> str | None:
    """
    In USD as decimal text, exact to 18 decimals. Other gateways write a `cost` too, in a currency and of a meaning
    unknown: one is taken for OpenRouter's where the call went there or the block has OpenRouter's details.
    """
    cost = _perplexity_cost(usage)
    if cost is None:
        cost = _ticks(usage)
    if cost is None and ("openrouter" in host or object_at(usage, "cost_details") is not None):
        cost = _openrouter_cost(usage)
    if cost is None:
        return None
    rounded = cost.quantize(_LEAST, rounding=ROUND_HALF_UP, context=_EXACT)
    return f"{_EXACT.normalize(rounded):f}"
