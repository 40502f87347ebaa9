"""
Libraries that try again whatever goes wrong underneath (openai, anthropic, groq and others, made by one generator): a
refusal passes them as an answer that ends the trying, and reaches the caller as what it is.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

from .observed import Carrier, carrier

MODULES = (
    "openai._base_client",
    "anthropic._base_client",
    "groq._base_client",
    "together._base_client",
    "cerebras.cloud.sdk._base_client",
    "writerai._base_client",
    "perplexity._base_client",
)

_MARK = "_zaehlwerk"


def _sync(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def request(*args: Any, **kwargs: Any) -> Any:
        waiting = Carrier()
        token = carrier.set(waiting)
        try:
            return original(*args, **kwargs)
        except Exception:
            if waiting.refused is not None:
                raise waiting.refused from None
            raise
        finally:
            carrier.reset(token)

    setattr(request, _MARK, True)
    return request


def _async(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    async def request(*args: Any, **kwargs: Any) -> Any:
        waiting = Carrier()
        token = carrier.set(waiting)
        try:
            return await original(*args, **kwargs)
        except Exception:
            if waiting.refused is not None:
                raise waiting.refused from None
            raise
        finally:
            carrier.reset(token)

    setattr(request, _MARK, True)
    return request


def hook_module(module: ModuleType) -> None:
    """Both base clients of the library."""
    for name, made in (("SyncAPIClient", _sync), ("AsyncAPIClient", _async)):
        kind = getattr(module, name, None)
        if kind is not None and not hasattr(kind.request, _MARK):
            kind.request = made(kind.request)
