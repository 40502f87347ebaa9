"""Does something with modules once they are imported, now or later."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
import threading
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

_waiting: dict[str, list[Callable[[ModuleType], None]]] = {}
_lock = threading.RLock()


def _tell(module: ModuleType) -> None:
    with _lock:
        hooks = _waiting.pop(module.__name__, [])
    for hook in hooks:
        try:
            hook(module)
        except Exception:
            # A library of a form that is not known is left alone.
            continue


class _Loader(importlib.abc.Loader):
    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        found: ModuleType | None = self._loader.create_module(spec)
        return found

    def exec_module(self, module: ModuleType) -> None:
        spec = module.__spec__
        if spec is not None:
            spec.loader = self._loader
            module.__loader__ = self._loader
        self._loader.exec_module(module)
        _tell(module)


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname not in _waiting:
            return None
        for finder in sys.meta_path:
            find = getattr(finder, "find_spec", None)
            if finder is self or find is None:
                continue
            spec: importlib.machinery.ModuleSpec | None = find(fullname, path, target)
            if spec is not None:
                if hasattr(spec.loader, "exec_module"):
                    spec.loader = _Loader(spec.loader)
                return spec
        return None


_finder = _Finder()


def when_imported(name: str, hook: Callable[[ModuleType], None]) -> None:
    """Calls the hook with the module: at once where it is there already."""
    module = sys.modules.get(name)
    is_being_imported = getattr(getattr(module, "__spec__", None), "_initializing", False)
    if module is not None and not is_being_imported:
        try:
            hook(module)
        except Exception:
            return
        return
    with _lock:
        _waiting.setdefault(name, []).append(hook)
        if _finder not in sys.meta_path:
            sys.meta_path.insert(0, _finder)
