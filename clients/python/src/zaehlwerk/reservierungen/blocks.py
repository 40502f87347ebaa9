"""Blocks of money that this process may spend. Times are seconds of the monotonic clock."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from .grants import EXACT

USABLE = 300.0
"""Calls begin from a block for so long; it lapses later, so that they can end and be counted."""
LAPSES_AFTER = 900
"""What is asked for with it."""
IDLE = 10.0
"""A block that no call takes from is given back after this."""


def plain(amount: Decimal) -> str:
    """Without an exponent."""
    return format(amount, "f")


class Part:
    """A call's part of a block: booked with its event, or given back."""

    def __init__(self, name: str, amount: Decimal, give_back: Callable[[Decimal], None]) -> None:
        self.name = name
        self.amount = amount
        self._give_back: Callable[[Decimal], None] | None = give_back

    def booked(self) -> dict[str, str]:
        """For the free data of the call's event, whose count takes it off."""
        self._give_back = None
        return {"reservierung": self.name, "reserviert_eur": plain(self.amount)}

    def give_back(self) -> None:
        """The call was not made, or costs nothing."""
        give_back, self._give_back = self._give_back, None
        if give_back is not None:
            give_back(self.amount)


@dataclass
class _Block:
    name: str
    rest: Decimal
    until: float
    used_at: float


class Blocks:
    """Takes and gives parts; safe for threads."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._blocks: dict[object, list[_Block]] = {}
        self._back: list[tuple[str, Decimal]] = []

    def take(self, key: object, amount: Decimal, now: float) -> Part | None:
        """A part of a block of this name; None where none has so much left."""
        with self._lock:
            for block in self._blocks.get(key, ()):
                if block.rest >= amount and block.until > now:
                    block.rest = EXACT.subtract(block.rest, amount)
                    block.used_at = now
                    return self._part(key, block.name, amount)
        return None

    def add(self, key: object, name: str, amount: Decimal, first: Decimal, now: float) -> Part:
        """A new block, and the part of the call that it was asked for."""
        with self._lock:
            block = _Block(name, EXACT.subtract(amount, first), now + USABLE, now)
            self._blocks.setdefault(key, []).append(block)
            return self._part(key, name, first)

    def sweep(self, now: float) -> None:
        """Ends blocks that are empty, old or idle; all with infinity."""
        with self._lock:
            for key, blocks in list(self._blocks.items()):
                kept = [each for each in blocks if each.rest > 0 and each.until > now and each.used_at + IDLE > now]
                self._back += [(each.name, each.rest) for each in blocks if each not in kept and each.rest > 0]
                if kept:
                    self._blocks[key] = kept
                else:
                    del self._blocks[key]

    def is_empty(self) -> bool:
        """Whether nothing is held, nor to be given back."""
        return not self._blocks and not self._back

    def take_back(self) -> list[dict[str, str]]:
        """What is to be given back, once."""
        with self._lock:
            back, self._back = self._back[:1_000], self._back[1_000:]
        return [{"reservierung_id": name, "betrag_eur": plain(amount)} for name, amount in back]

    def _part(self, key: object, name: str, amount: Decimal) -> Part:
        def give_back(rest: Decimal) -> None:
            with self._lock:
                block = next((each for each in self._blocks.get(key, ()) if each.name == name), None)
                if block is None:
                    self._back.append((name, rest))
                else:
                    block.rest = EXACT.add(block.rest, rest)

        return Part(name, amount, give_back)
