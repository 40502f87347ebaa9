"""What becomes of clients when the process forks or ends."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import weakref
from types import FrameType
from typing import Any, Protocol


class Ending(Protocol):
    """What a process has to bring to an end."""

    def at_exit(self) -> None:
        """Delivers what waits, or puts it on the disk."""

    def after_fork(self) -> None:
        """The process is a copy: threads are gone, and what waits is the other one's."""


_clients: weakref.WeakSet[Ending] = weakref.WeakSet()
_lock = threading.Lock()
_is_watching = False


def watch(client: Ending) -> None:
    """From now on the client hears of it."""
    global _is_watching
    with _lock:
        _clients.add(client)
        if not _is_watching:
            _is_watching = True
            atexit.register(_end)
            if hasattr(os, "register_at_fork"):
                os.register_at_fork(after_in_child=_forked)
    _keep_sigterm()


def _end() -> None:
    for client in list(_clients):
        client.at_exit()


def _forked() -> None:
    global _lock
    _lock = threading.Lock()
    for client in list(_clients):
        client.after_fork()
    multiprocessing = sys.modules.get("multiprocessing.util")
    if multiprocessing is not None:
        # Children of `multiprocessing` end without `atexit`. What they forget at their start is set before this.
        multiprocessing.register_after_fork(_end, _end_with_multiprocessing)


def _end_with_multiprocessing(_end: Any) -> None:
    from multiprocessing.util import Finalize

    Finalize(None, _end, exitpriority=100)


def _keep_sigterm() -> None:
    """
    By itself SIGTERM ends a process at once. A host that leaves it so still ends by it, after what waits is delivered;
    one that handles it, now or later, is not touched.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _terminated)


def _terminated(number: int, _frame: FrameType | None) -> None:
    try:
        _end()
    finally:
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
