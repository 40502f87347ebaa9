"""A 64-bit SimHash of words under a key: step 3 of docs/fingerprints.md."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Sequence

from .words import Word

_WORDS_PER_WEIGHT = 50
"""For this many words of a prompt the hashes of a number count once more: it tells rows apart in long prompts, too."""
_REMEMBERED = 4_096
"""Words whose hashes are remembered, since prompts say most of them again."""
_HALF = 0xFFFF_FFFF
_HAS_BIT = [bytes(byte >> (7 - bit) & 1 for byte in range(256)) for bit in range(8)]


def _ones(hashes: list[int]) -> list[int]:
    """How many of the hashes have each of the 64 bits, the highest first."""
    packed = struct.pack(f">{len(hashes)}Q", *hashes)
    return [packed[place::8].translate(bit).count(1) for place in range(8) for bit in _HAS_BIT]


class KeyedPrints:
    """Hashes and prints under the key of one Mandant."""

    def __init__(self, key: str) -> None:
        """`key`: 64 hexadecimal characters, as the service tells them."""
        self.key = key
        self._bytes = bytes.fromhex(key)
        self._known: dict[str, tuple[int, ...]] = {}

    def digest(self, text: str) -> str:
        """The first 64 bits of BLAKE2s under the key, as 16 hexadecimal characters."""
        return f"{self._hash(text)[0]:016x}"

    def sim_hash(self, words: Sequence[Word]) -> str | None:
        """As 16 hexadecimal characters; None without words."""
        if not words:
            return None
        plain: list[int] = []
        weighty: list[int] = []
        before = self._remembered("")[0]
        known = self._known
        for text, hashes in words:
            own = known.get(text) or self._remembered(text)
            known = self._known
            # Each of its hashes with the word before it, whose halves go the other way round: order counts.
            turned = (before & _HALF) << 32 | before >> 32
            before = own[0]
            if hashes == 1:
                plain.append(before ^ turned)
            else:
                weighty.extend([each ^ turned for each in own])
        weight = -(-len(words) // _WORDS_PER_WEIGHT)
        total = len(plain) + weight * len(weighty)
        bits = 0
        for light, heavy in zip(_ones(plain), _ones(weighty), strict=True):
            bits = bits << 1 | (2 * (light + weight * heavy) > total)
        return f"{bits:016x}"

    def _remembered(self, text: str) -> tuple[int, ...]:
        known = self._known.get(text)
        if known is None:
            if len(self._known) >= _REMEMBERED:
                self._known = {}
            known = self._known[text] = self._hash(text)
        return known

    def _hash(self, text: str) -> tuple[int, ...]:
        digest = hashlib.blake2s(text.encode(errors="replace"), key=self._bytes).digest()
        return tuple(int.from_bytes(digest[place : place + 8], "big") for place in (0, 8, 16, 24))
