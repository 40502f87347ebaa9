"""JSON by RFC 8785: names in the order of their code units, no spaces, numbers as ECMAScript writes them."""

from __future__ import annotations

import json
import math
import re

from ..json_values import MAX_COUNT, Json

_LONE = re.compile("[\ud800-\udfff]")


def _string(value: str) -> str:
    return _LONE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(value, ensure_ascii=False))


def _number(value: float) -> str:
    if not math.isfinite(value):
        return "null"
    if value == 0:
        return "0"
    mantissa, _, exponent = f"{abs(value)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = (whole + (fraction if fraction != "0" else "")).lstrip("0")
    # The value is 0.<digits> times ten to the power of `point`.
    point = int(exponent or 0) + (len(whole) if whole != "0" else len(fraction.lstrip("0")) - len(fraction))
    digits = digits.rstrip("0") or "0"
    sign = "-" if value < 0 else ""
    if len(digits) <= point <= 21:
        return sign + digits.ljust(point, "0")
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    more = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{more}e{point - 1:+d}"


def _units(name: str) -> bytes:
    return name.encode("utf-16-be", "surrogatepass")


def canonical_json(value: Json) -> str:
    """The one JSON text of a value."""
    if isinstance(value, dict):
        members = (f"{_string(name)}:{canonical_json(value[name])}" for name in sorted(value, key=_units))
        return f"{{{','.join(members)}}}"
    if isinstance(value, list):
        return f"[{','.join(map(canonical_json, value))}]"
    if isinstance(value, str):
        return _string(value)
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int) and abs(value) <= MAX_COUNT:
        return str(int(value))
    try:
        return _number(float(value))
    except OverflowError:
        return "null"
