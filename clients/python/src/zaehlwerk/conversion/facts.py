"""What a price depends on besides the five counts, under the names by which the service knows them."""

from __future__ import annotations

import re

from .json_values import Json
from .shape import Usage, sum_of

Fact = str | int | float | bool | None


def facts(**found: Fact) -> dict[str, Json]:
    """Those that are known; what was not used at all (0, False) goes without saying, a cost of 0 (a text) does not."""
    return {name: value for name, value in found.items() if value is not None and value != 0}


def shortened(name: str) -> str:
    """What the service takes of the name of a tier or a region."""
    return name[:40]


_PARTS: dict[str, tuple[str, ...]] = {
    "eingabe_token": ("audio_eingabe_token", "bild_eingabe_token", "video_eingabe_token"),
    "ausgabe_token": ("audio_ausgabe_token", "bild_ausgabe_token", "video_ausgabe_token"),
    "cache_lese_token": ("audio_cache_lese_token", "bild_cache_lese_token"),
    "cache_schreib_token": ("cache_schreib_1h_token",),
}
"""The counts that some facts are parts of."""


def without_contradictions(zusatz: dict[str, Json], usage: Usage) -> dict[str, Json]:
    """
    Without those parts that are together more than the count they are parts of: the service refuses an event that
    contradicts itself, and the counts weigh more.
    """
    cache = () if usage.eingabe_umfasst_cache else (usage.cache_lese_token, usage.cache_schreib_token)
    eingabe = None if usage.eingabe_token is None else sum_of(usage.eingabe_token, *cache)
    wholes = {
        "eingabe_token": eingabe,
        "ausgabe_token": usage.ausgabe_token,
        "cache_lese_token": usage.cache_lese_token,
        "cache_schreib_token": usage.cache_schreib_token,
    }
    too_large = {
        part
        for name, parts in _PARTS.items()
        for part in parts
        if wholes[name] is not None and sum(zusatz.get(each) or 0 for each in parts) > (wholes[name] or 0)
    }
    return {name: value for name, value in zusatz.items() if name not in too_large}


_USUAL_TIERS = {"default", "standard", "auto", "on_demand", "unspecified", "traffic_type_unspecified"}


def tier_of(tier: str | None) -> str | None:
    """The price tier that was used, in lower case and without Google's prefix; None where it is the usual one."""
    if tier is None:
        return None
    name = re.sub(r"^(on_demand|service_tier)_", "", tier.lower())
    return None if name in _USUAL_TIERS else shortened(name)
