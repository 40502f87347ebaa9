"""The body of a response of urllib3, on which requests and botocore are built."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .observed import Observed


class TeeRaw:
    """Stands for the raw response: hands on what is read, and keeps a copy."""

    def __init__(self, raw: Any, observed: Observed) -> None:
        self._raw = raw
        self._observed = observed
        self._ended = False
        self._is_packed = False
        """Whether the copy is as it came over the wire; then all of it is."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._raw, name)

    def _take(self, chunk: bytes) -> bytes:
        observed = self._observed
        if self._ended:
            return b""
        stop = observed.stopped() if chunk else None
        if stop is not None:
            self._ended = True
            observed.finish(aborted=True, is_packed=self._is_packed)
            end = observed.ending(stop)
            self._raw.close()
            return end
        observed.passes(chunk)
        return chunk

    def _finish(self, aborted: bool) -> None:
        self._observed.finish(aborted, self._is_packed)

    def stream(self, *args: Any, **kwargs: Any) -> Iterator[bytes]:
        """As urllib3 has it."""
        self._is_packed = not kwargs.get("decode_content", args[1] if len(args) > 1 else False)
        try:
            for chunk in self._raw.stream(*args, **kwargs):
                yield self._take(chunk)
                if self._ended:
                    return
        except BaseException:
            self._finish(aborted=True)
            raise
        self._finish(aborted=False)

    def read(self, amt: int | None = None, *args: Any, **kwargs: Any) -> bytes:
        """As urllib3 has it."""
        self._is_packed = not kwargs.get("decode_content", False)
        try:
            chunk: bytes = b"" if self._ended else self._raw.read(amt, *args, **kwargs)
        except BaseException:
            self._finish(aborted=True)
            raise
        if amt == 0:
            return chunk
        taken = self._take(chunk)
        if not chunk or amt is None:
            self._finish(aborted=False)
        return taken

    def readinto(self, buffer: Any) -> int:
        """As io has it."""
        chunk = self.read(len(buffer))
        buffer[: len(chunk)] = chunk
        return len(chunk)

    def readline(self, *args: Any) -> bytes:
        """As io has it."""
        line = self._take(self._raw.readline(*args))
        if not line:
            self._finish(aborted=False)
        return line

    def __iter__(self) -> Iterator[bytes]:
        return self.stream()

    def close(self) -> None:
        """As urllib3 has it."""
        self._raw.close()
        self._finish(aborted=True)

    def release_conn(self) -> None:
        """As urllib3 has it."""
        self._raw.release_conn()
        self._finish(aborted=True)
