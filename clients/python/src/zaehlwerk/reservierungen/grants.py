"""What the service answers to wishes, and which calls it says hard limits hold for."""

from __future__ import annotations

import json
from dataclasses import dataclass
from decimal import Context, Decimal

from ..conversion.json_values import Json, at, text

EXACT = Context(prec=100)
"""Room for every digit of an amount in EUR."""


@dataclass(frozen=True)
class Grenze:
    """A limit that has no room for a call; amounts in EUR as decimals."""

    art: str
    regel_id: str | None
    name: str
    objekt_art: str
    objekt: str
    grenze_eur: str
    verbraucht_eur: str
    reserviert_eur: str
    bis: str | None
    """When it begins anew; None where no time does that by itself."""


@dataclass(frozen=True)
class Rates:
    """What calls of a model cost at most, in EUR."""

    eingabe: Decimal
    ausgabe: Decimal
    aufruf: Decimal
    bis_eingabe: int | None
    hoechste_eingabe: int | None
    hoechste_ausgabe: int | None


@dataclass(frozen=True)
class Grant:
    """What became of a wish."""

    granted: bool
    block: tuple[str, Decimal] | None
    """Id and amount; None where nothing is reserved."""
    highest: Decimal | None
    """None where nothing bounds the call."""
    rates: Rates | None
    grenze: Grenze | None

    def may_come_back(self) -> bool:
        """Whether it is only reservations of others that are in the way."""
        if self.grenze is None or Decimal(self.grenze.reserviert_eur) <= 0:
            return False
        left = Decimal(self.grenze.grenze_eur) - Decimal(self.grenze.verbraucht_eur)
        return self.highest is None or left >= self.highest


def _amount(value: Json, key: str) -> Decimal | None:
    written = text(at(value, key))
    return None if written is None else Decimal(written)


def _count(value: Json, key: str) -> int | None:
    found = at(value, key)
    return found if isinstance(found, int) else None


def _rates_of(saetze: Json) -> Rates | None:
    eingabe, ausgabe = _amount(saetze, "eingabe_eur"), _amount(saetze, "ausgabe_eur")
    if eingabe is None or ausgabe is None:
        return None
    return Rates(
        eingabe,
        ausgabe,
        _amount(saetze, "aufruf_eur") or Decimal(0),
        _count(saetze, "bis_eingabe_token"),
        _count(saetze, "hoechste_eingabe_token"),
        _count(saetze, "hoechste_ausgabe_token"),
    )


def _grenze_of(value: Json) -> Grenze | None:
    if not isinstance(value, dict):
        return None
    said = {key: text(value.get(key)) for key in Grenze.__dataclass_fields__}
    optional = ("regel_id", "bis")
    return Grenze(**{key: each if key in optional else each or "" for key, each in said.items()})  # type: ignore[arg-type]


def _grant_of(value: Json) -> Grant:
    name, amount = text(at(value, "reservierung_id")), _amount(value, "betrag_eur")
    return Grant(
        at(value, "gewaehrt") is True,
        None if name is None or amount is None else (name, amount),
        _amount(value, "hoechstkosten_eur"),
        _rates_of(at(value, "saetze")),
        _grenze_of(at(value, "grenze")),
    )


def grants_in(body: str) -> list[Grant]:
    """One for each wish, in their order."""
    found = at(json.loads(body), "reservierungen")
    return [_grant_of(each) for each in found] if isinstance(found, list) else []


@dataclass(frozen=True)
class Scope:
    """Calls that have a hard limit."""

    objekt_art: str
    objekt: str
    je_agent: bool
    je_lauf: bool


def scopes_in(body: str) -> tuple[Scope, ...]:
    """None of a service that knows no hard limits."""
    found = at(json.loads(body), "harte_grenzen")
    return tuple(
        Scope(
            text(at(each, "objekt_art")) or "",
            text(at(each, "objekt")) or "",
            at(each, "je_agent") is True,
            at(each, "je_lauf") is True,
        )
        for each in (found if isinstance(found, list) else [])
    )
