"""What a provider's form says of a call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from .exchange import Answer
from .json_values import MAX_COUNT, Json


@dataclass(frozen=True)
class Usage:
    """What one call of a model used; None where the provider did not say."""

    eingabe_token: int | None = None
    ausgabe_token: int | None = None
    cache_lese_token: int | None = None
    cache_schreib_token: int | None = None
    denk_token: int | None = None
    eingabe_umfasst_cache: bool = True
    """Whether `eingabe_token` contains the cached tokens (OpenAI) or stands beside them (Anthropic)."""
    ausgabe_umfasst_denken: bool = True
    """Whether `ausgabe_token` contains the reasoning tokens (OpenAI) or stands beside them (Gemini, xAI)."""
    zusatz: dict[str, Json] = field(default_factory=dict)
    """What a price may depend on besides the counts (`facts`), and notes."""
    modell: str | None = None
    werkzeugaufrufe: int = 0
    """Calls of tools in the answer, not in the history of the request."""
    geschaetzt: bool = False
    """Whether some of the counts are estimates."""
    ergebnis: str | None = None
    """Names a result that may be read several times, so that its event is the same every time."""


@dataclass(frozen=True)
class Shape:
    """One form in which providers answer."""

    name: str
    matches_uri: Callable[[Answer], bool]
    matches_body: Callable[[Answer], bool]
    """For hosts and paths of one's own (proxies): decides by the form of the answer."""
    to_usages: Callable[[Answer], list[Usage]]
    """One per model that the call used; none where it has no result yet, or is a second look at one."""
    anbieter: str | None = None
    """The provider whose own form this is, for hosts that the price list does not know."""
    polled: bool = False
    """Whether results are also fetched later, by reading. Otherwise only a POST is a call."""


def never(_answer: Answer) -> bool:
    """For forms that only their address tells."""
    return False


def remainder(total: int | None, *parts: int | None) -> int | None:
    """What the provider's own total leaves after the other counts; None where the total is missing or smaller."""
    if total is None:
        return None
    rest = total - sum(part or 0 for part in parts)
    return rest if rest >= 0 else None


def sum_of(*counts: int | None) -> int | None:
    """The sum of those that are known; None where none is, or where it is larger than any count can be."""
    known = [value for value in counts if value is not None]
    total = sum(known)
    return None if not known or total > MAX_COUNT else total
