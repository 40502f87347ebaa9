"""Watches one client of a library."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from . import aiohttp_hook, botocore_hook, httpx_family, requests_hook, stainless

if TYPE_CHECKING:
    from ..client import Client

_PLACES = (
    # openai, anthropic and others made by Stainless
    "_client",
    # google-genai
    "_api_client._httpx_client",
    "_api_client._async_httpx_client",
    # mistralai
    "sdk_configuration.client",
    "sdk_configuration.async_client",
    # cohere and others made by Fern
    "_client_wrapper.httpx_client.httpx_client",
    # the older name of the same
    "_raw_client._client_wrapper.httpx_client.httpx_client",
)
"""Where libraries keep their HTTP clients."""


_HOOKS: tuple[Callable[[Any, Any], bool], ...] = (
    httpx_family.hook_client,
    botocore_hook.hook_client,
    requests_hook.hook_client,
    aiohttp_hook.hook_client,
)


def _at(thing: Any, path: str) -> Any:
    for name in path.split("."):
        thing = getattr(thing, name, None)
        if thing is None:
            return None
    return thing


def _http_clients(library: Any) -> Iterator[Any]:
    yield library
    for place in _PLACES:
        found = _at(library, place)
        if found is not None:
            yield found


def _hook_stainless(library: Any) -> None:
    for kind in type(library).__mro__:
        if kind.__name__ in ("SyncAPIClient", "AsyncAPIClient"):
            stainless.hook_module(sys.modules[kind.__module__])


def wrap(client: Client, library: Any) -> None:
    """Raises TypeError for what makes no calls that can be seen."""

    def client_of() -> Client:
        return client

    hooked = [hook(each, client_of) for each in _http_clients(library) for hook in _HOOKS]
    _hook_stainless(library)
    if not any(hooked):
        raise TypeError(f"nothing to watch in {type(library).__module__}.{type(library).__qualname__}")
