"""Prints of a call: docs/fingerprints.md. No word of a prompt leaves the process, and none can be guessed without the key."""

from __future__ import annotations

from collections.abc import Sequence

from ..json_values import Json
from .canonical_json import canonical_json
from .new_input import new_input
from .sim_hash import KeyedPrints
from .tool_calls import tool_calls_of
from .words import READ_AT_MOST, first_of, last_of, length_of, well_formed


def _shortened(canonical: str) -> str:
    length, half = length_of(canonical), READ_AT_MOST // 2
    if length <= READ_AT_MOST:
        return canonical
    return well_formed(f"{first_of(canonical, half)}§{length}§{last_of(canonical, half)}")


def prints_of(request: Json, parts: Sequence[Json], keyed: KeyedPrints) -> dict[str, str | None]:
    """
    Both as 16 hexadecimal characters; None where there is nothing to tell. `request`: the parsed body; `parts`: the
    parsed answer, one element for each event of a stream.
    """
    try:
        calls = tool_calls_of(parts)
        return {
            "prompt_fingerabdruck": keyed.sim_hash(new_input(request)),
            "werkzeug_fingerabdruck": keyed.digest(_shortened(canonical_json(calls))) if calls else None,
        }
    except RecursionError:
        # Nested too deeply to be read: the call counts all the same.
        return {"prompt_fingerabdruck": None, "werkzeug_fingerabdruck": None}
