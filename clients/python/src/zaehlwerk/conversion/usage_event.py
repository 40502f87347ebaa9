"""From what a call used to its event."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

from .exchange import Answer, Event
from .facts import facts, without_contradictions
from .hosts import anbieter_of, region_of
from .ids import stable_id
from .json_values import Json, at, first
from .outcome import outcome_of
from .shape import Usage

_YEAR_2010 = datetime(2010, 1, 1, tzinfo=timezone.utc)
_STAMP = re.compile(
    r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:\.(\d{1,9}))?)?\s*(Z|[+-]\d\d:?\d\d)?$", re.IGNORECASE
)


def iso(moment: datetime) -> str:
    """An instant in UTC to the millisecond."""
    return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03}Z"


def moment_of(value: Json) -> datetime | None:
    """The instant of a Unix second or an ISO text; None where it is neither."""
    try:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, timezone.utc)
        found = _STAMP.match(value) if isinstance(value, str) else None
        if found is None:
            return None
        day, minute, second, fraction, zone = found.groups()
        offset = "+00:00" if zone in (None, "Z", "z") else zone if ":" in zone else f"{zone[:3]}:{zone[3:]}"
        micros = f"{fraction or '0':0<6}"[:6]
        return datetime.fromisoformat(f"{day}T{minute or '00:00'}{second or ':00'}.{micros}{offset}")
    except (ValueError, OverflowError, OSError):
        return None


def _time_of(value: Json, now: datetime) -> str | None:
    """ISO time of a Unix second or an ISO text; None where it cannot be the time of a model call (vLLM sends uptimes)."""
    moment = moment_of(value)
    return iso(moment) if moment and _YEAR_2010 <= moment <= now + timedelta(days=1) else None


def _created_at(answer: Answer, now: datetime) -> str | None:
    def stamp(part: Json) -> str | None:
        places = (
            at(part, "created"),
            at(part, "created_at"),
            at(part, "response", "created_at"),
            at(part, "createTime"),
        )
        return first(places, lambda place: _time_of(place, now))

    return first(answer.parts, stamp)


def _meaning_of(usage: Usage, anbieter: str | None) -> dict[str, bool]:
    """
    Says how the counts are meant, unless that goes without saying: Anthropic's input excludes the cache, Google's
    thoughts come on top of the output, and nothing like it is true of a provider with neither name. A Claude served by
    Amazon, a Gemini behind a gateway: there a reader might think either.
    """
    names = f"{anbieter} {usage.modell}".lower()
    if usage.eingabe_umfasst_cache:
        cache_is_clear = re.search("anthropic|claude", names) is None
    else:
        cache_is_clear = anbieter == "anthropic"
    if usage.ausgabe_umfasst_denken:
        thoughts_are_clear = re.search("google|gemini|vertex", names) is None
    else:
        thoughts_are_clear = anbieter == "google" and "claude" not in names
    meaning = {}
    if usage.eingabe_token is not None and not cache_is_clear:
        meaning["eingabe_umfasst_cache"] = usage.eingabe_umfasst_cache
    if usage.denk_token and not thoughts_are_clear:
        meaning["ausgabe_umfasst_denken"] = usage.ausgabe_umfasst_denken
    return meaning


_COUNTS = (
    "modell",
    "eingabe_token",
    "ausgabe_token",
    "cache_lese_token",
    "cache_schreib_token",
    "denk_token",
    "werkzeugaufrufe",
)


def usage_event(answer: Answer, own_form: str | None, usage: Usage, now: datetime) -> Event:
    """
    The event of one use of a model in an exchange. `own_form` is the provider whose form the answer has. `now` bounds
    the time taken from the answer, which the service would refuse if it lay ahead.
    """
    exchange = answer.exchange
    anbieter = anbieter_of(answer, own_form, usage.modell)
    found = {**facts(region=region_of(answer, usage.modell)), **usage.zusatz}
    zusatz = {**without_contradictions(found, usage), **_meaning_of(usage, anbieter)}
    return {
        **({} if usage.ergebnis is None else {"ereignis_id": stable_id("answer", usage.ergebnis)}),
        "zeitpunkt": exchange.zeitpunkt or _created_at(answer, now),
        "anbieter": anbieter,
        **{name: getattr(usage, name) for name in _COUNTS},
        "latenz_ms": None if exchange.latency_ms is None else int(exchange.latency_ms + 0.5),
        **outcome_of(answer),
        **({"geschaetzt": True} if usage.geschaetzt else {}),
        "zusatz": zusatz or None,
    }
