"""A copy of what passes, bounded in memory."""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Callable

_HEAD = 512 * 1024
_TAIL = 4 * 1024 * 1024


class Copy:
    """The beginning and the end of a body: counts stand in the last pieces of a stream, the model in the first."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._is_cut = False

    def add(self, chunk: bytes) -> None:
        """Takes the next piece."""
        if len(self._head) < _HEAD:
            self._head += chunk
            return
        self._tail.append(bytes(chunk))
        self._tail_size += len(chunk)
        while self._tail_size > _TAIL and len(self._tail) > 1:
            self._tail_size -= len(self._tail.popleft())
            self._is_cut = True

    def size(self) -> int:
        """Bytes held."""
        return len(self._head) + self._tail_size

    def is_whole(self) -> bool:
        """Whether nothing is left out."""
        return not self._is_cut

    def bytes(self) -> bytes:
        """What is held; where something was left out, a line ends."""
        gap = b"\n\n" if self._is_cut else b""
        return bytes(self._head) + gap + b"".join(self._tail)


def decoder_of(encoding: str) -> Callable[[bytes], bytes] | None:
    """Unpacks what was packed for the way; None where nobody here can."""
    name = encoding.strip().lower()
    if name in ("", "identity"):
        return lambda packed: packed
    if name in ("gzip", "x-gzip", "deflate"):
        return _unzipped
    if name == "br":
        return _unpacked_by("brotli", "brotlicffi")
    if name == "zstd":
        return _unpacked_by("zstandard", "compression.zstd")
    return None


def _unzipped(packed: bytes) -> bytes:
    for window in (47, -zlib.MAX_WBITS):
        try:
            return zlib.decompressobj(window).decompress(packed)
        except zlib.error:
            continue
    return b""


def _unpacked_by(*modules: str) -> Callable[[bytes], bytes] | None:
    import importlib

    for name in modules:
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        if name == "zstandard":
            return lambda packed: bytes(module.ZstdDecompressor().decompressobj().decompress(packed))
        return lambda packed: bytes(module.decompress(packed))
    return None
