"""Names of events."""

from __future__ import annotations

import os
import time
import uuid

_NAMESPACE = uuid.UUID("7c9d1f5e-1f0b-4f0a-9a53-0f6c2f6b8a11")
"""Of the ids derived from what names a call; any fixed UUID serves."""


def stable_id(*names: str) -> str:
    """The same `ereignis_id` for the same names every time, so that what is seen twice counts once."""
    return str(uuid.uuid5(_NAMESPACE, " ".join(names)))


def uuid7() -> str:
    """A UUID of version 7: its beginning is the time, its rest is chance."""
    value = (int(time.time() * 1_000) & ((1 << 48) - 1)) << 80 | int.from_bytes(os.urandom(10), "big")
    value = value & ~(0xF << 76) | 0x7 << 76
    value = value & ~(0x3 << 62) | 0x2 << 62
    return str(uuid.UUID(int=value))
