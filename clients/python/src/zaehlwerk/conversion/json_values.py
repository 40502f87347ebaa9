"""Values of parsed JSON, whose form nobody vouches for."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

T = TypeVar("T")

Json = Any
"""What a JSON text holds."""

MAX_COUNT = 2**53 - 1


def at(value: Json, *path: str) -> Json:
    """The value under a path of keys, None where any step is missing."""
    here = value
    for key in path:
        if not isinstance(here, dict):
            return None
        here = here.get(key)
    return here


def has(value: Json, *path: str) -> bool:
    """Whether there is a value under the path, be it null."""
    parent = at(value, *path[:-1])
    return isinstance(parent, dict) and path[-1] in parent


class _SentFloat(float):
    source: str


class _SentInt(int):
    source: str


def _sent_float(source: str) -> float:
    number = _SentFloat(source)
    number.source = source
    return number


def _sent_int(source: str) -> int:
    number = _SentInt(source)
    number.source = source
    return number


def _keep_amounts(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    return {
        key: value.source if "cost" in key and isinstance(value, (_SentFloat, _SentInt)) else value
        for key, value in pairs
    }


def no_constant(name: str) -> Json:
    """NaN and Infinity are no JSON."""
    raise ValueError(f"{name} is no JSON")


def parse_json(source: str) -> Json:
    """
    The value of a JSON text. Numbers under a key that speaks of costs are texts: a float may not hold the digits that
    were sent. Raises ValueError where it is no JSON.
    """
    try:
        if "cost" not in source:
            return json.loads(source, parse_constant=no_constant)
        return json.loads(
            source,
            parse_constant=no_constant,
            parse_float=_sent_float,
            parse_int=_sent_int,
            object_pairs_hook=_keep_amounts,
        )
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def count(value: Json) -> int | None:
    """A token count: a whole number from 0 up, else None (a provider's `28.0` is 28, `-1` and `"28"` are unknown)."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if isinstance(value, float) and not (math.isfinite(value) and value.is_integer()):
        return None
    whole = int(value)
    return whole if 0 <= whole <= MAX_COUNT else None


def text(value: Json) -> str | None:
    """A text that can be stored (no NUL, no lone surrogate), None where it is empty or no text."""
    if not isinstance(value, str):
        return None
    plain = value.replace("\0", "")
    try:
        plain.encode()
    except UnicodeEncodeError:
        plain = "".join("\ufffd" if 0xD800 <= ord(char) <= 0xDFFF else char for char in plain)
    return plain or None


def entries(value: Json) -> list[Json]:
    """The value if it is an array, else an empty one."""
    return value if isinstance(value, list) else []


def first(parts: Iterable[Json], pick: Callable[[Json], T | None]) -> T | None:
    """What `pick` finds in the first part that has it."""
    for part in parts:
        found = pick(part)
        if found is not None:
            return found
    return None


def last(parts: Sequence[Json], pick: Callable[[Json], T | None]) -> T | None:
    """What `pick` finds in the last part that has it: streams repeat running counts, and the last one is the total."""
    return first(reversed(parts), pick)


def last_count(parts: Sequence[Json], *path: str) -> int | None:
    """The last count under the path."""
    return last(parts, lambda part: count(at(part, *path)))


def object_at(value: Json, *path: str) -> dict[str, Json] | None:
    """The object under a path, None where there is none."""
    found = at(value, *path)
    return found if isinstance(found, dict) else None
