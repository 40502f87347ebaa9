"""
Events that could not be delivered, on the disk: one JSON object a line, one file per process, taken over by the next
process once its writer is gone. An event that is read twice counts once, since it has its `ereignis_id` already.
"""

from __future__ import annotations

import hashlib
import os
import re
import socket
import stat
import tempfile
import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

_MAX_BYTES = 50 * 1024 * 1024
"""What all files of one service and key take together."""

_NAME = re.compile(r"(.*)\.(\d+)-([0-9a-f]{8})\.ndjson")
"""Host, process and token of who holds the file."""
_HOST = re.sub(r"[^A-Za-z0-9]+", "-", socket.gethostname())[:40]
_FORGOTTEN = 3_600.0
"""Seconds after which a file of another host, of which nobody here knows whether its process lives, is left behind."""


def default_directory(base_url: str, key: str) -> Path:
    """A folder of its own for each service and key."""
    named = hashlib.sha256(f"{base_url.rstrip('/')}\n{key}".encode()).hexdigest()[:16]
    return Path(tempfile.gettempdir()) / f"zaehlwerk-{named}"


def _is_left_behind(path: Path) -> bool:
    """Whether the process that held the file is gone."""
    found = _NAME.fullmatch(path.name)
    if found is None or found[3] in Spool.own_tokens:
        return False
    if found[1] != _HOST:
        return time.time() - path.stat().st_mtime > _FORGOTTEN
    return int(found[2]) == os.getpid() or not _is_alive(int(found[2]))


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _name_of(token: str) -> str:
    return f"{_HOST}.{os.getpid()}-{token}.ndjson"


class _File:
    """Lines of one file, read from the front while more may be put behind."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read = 0
        self._writer: BinaryIO | None = None

    def append(self, lines: Iterable[str]) -> None:
        if self._writer is not None and not self._is_at_its_place():
            self.close()
            self._read = 0
        if self._writer is None:
            descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            self._writer = os.fdopen(descriptor, "ab")
        self._writer.write(b"".join(line.encode() + b"\n" for line in lines))
        self._writer.flush()

    def _is_at_its_place(self) -> bool:
        """Not where another process took it to be left behind."""
        assert self._writer is not None
        try:
            return os.path.samestat(self.path.stat(), os.fstat(self._writer.fileno()))
        except FileNotFoundError:
            return False

    def next(self, most: int) -> tuple[list[str], int]:
        """The next lines, and where the ones after them begin. A line that a crash cut off is passed over."""
        lines: list[str] = []
        with self.path.open("rb") as file:
            file.seek(self._read)
            while len(lines) < most and (line := file.readline()):
                if line.endswith(b"\n") and line.startswith(b"{"):
                    lines.append(line[:-1].decode(errors="replace"))
            return lines, file.tell()

    def passed(self, end: int) -> bool:
        """What stands before is delivered. Returns whether that was all, and the file is gone."""
        self._read = end
        if end < self.path.stat().st_size:
            return False
        self.close()
        self.path.unlink()
        return True

    def close(self) -> None:
        if self._writer is not None:
            os.fsync(self._writer.fileno())
            self._writer.close()
            self._writer = None


class Spool:
    """Files of one client in one process. Its functions may raise OSError: then there is no disk to speak of."""

    own_tokens: set[str] = set()  # noqa: RUF012  # of all clients of the process
    """By which a process knows its own files, when its number was another's before."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._token = uuid.uuid4().hex[:8]
        Spool.own_tokens.add(self._token)
        self._own: _File | None = None
        self._taken: list[_File] = []

    def is_empty(self) -> bool:
        """Whether there is nothing to deliver."""
        return self._own is None and not self._taken

    def append(self, lines: Sequence[str]) -> bool:
        """Puts lines behind all others. Returns False where the disk has its fill."""
        self._require_directory()
        size = sum(len(line) + 1 for line in lines)
        if size + sum(file.stat().st_size for file in self._files()) > _MAX_BYTES:
            return False
        if self._own is None:
            self._own = _File(self._directory / _name_of(self._token))
        self._own.append(lines)
        return True

    def next(self, most: int) -> tuple[list[str], int]:
        """The next lines to deliver, with the mark for `passed`."""
        while (file := self._first()) is not None:
            try:
                return file.next(most)
            except FileNotFoundError:
                self._forget(file)
        return [], 0

    def passed(self, mark: int) -> None:
        """The lines up to the mark are delivered or refused."""
        file = self._first()
        try:
            if file is not None and file.passed(mark):
                self._forget(file)
        except FileNotFoundError:
            self._forget(file)

    def take_over(self) -> None:
        """Takes the files of processes that are gone, each by renaming it: of several takers one succeeds."""
        for path in list(self._files()):
            token = uuid.uuid4().hex[:8]
            taken = self._directory / _name_of(token)
            try:
                if not _is_left_behind(path):
                    continue
                Spool.own_tokens.add(token)
                path.rename(taken)
            except OSError:
                continue
            self._taken.append(_File(taken))

    def close(self) -> None:
        """Puts what was written on the disk for good."""
        if self._own is not None:
            self._own.close()

    def _forget(self, file: _File | None) -> None:
        if file is None:
            return
        file.close()
        if file is self._own:
            self._own = None
        else:
            self._taken.remove(file)

    def _first(self) -> _File | None:
        return self._taken[0] if self._taken else self._own

    def _files(self) -> Iterator[Path]:
        try:
            yield from (path for path in self._directory.iterdir() if _NAME.fullmatch(path.name))
        except FileNotFoundError:
            return

    def _require_directory(self) -> None:
        """The folder for temporary files is everybody's: what another user put there is not used."""
        self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = self._directory.lstat()
        is_own = not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o022)
        if not stat.S_ISDIR(found.st_mode) or not is_own:
            raise PermissionError(f"{self._directory} belongs to somebody else")
