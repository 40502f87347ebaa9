"""One line that watches every call of a program."""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

from .client import Client
from .frameworks import langchain, llama_index, openai_agents, pydantic_ai
from .transport import aiohttp_hook, botocore_hook, httpx_family, requests_hook, stainless
from .transport.imports import when_imported

_client: Client | None = None


def current_client() -> Client | None:
    """The client that `init` made last, None where none was."""
    return _client


_HOOKS = (
    ("httpx", httpx_family.hook_module),
    ("httpx2", httpx_family.hook_module),
    ("botocore.httpsession", botocore_hook.hook_module),
    ("requests.sessions", requests_hook.hook_module),
    ("aiohttp.client", aiohttp_hook.hook_module),
)


_FRAMEWORKS = (
    ("langchain_core.tracers.context", langchain.hook_module),
    ("agents.tracing", openai_agents.hook_module),
    ("pydantic_ai._run_context", pydantic_ai.hook_module),
    ("llama_index_instrumentation.dispatcher", llama_index.hook_module),
)
_are_hooked = False


def _hook(hook: Any, module: ModuleType) -> None:
    hook(module, current_client)


def init(base_url: str | None = None, key: str | None = None, **options: Any) -> Client:
    """
    Makes a client (`options` as `Client` takes them) and has it watch all calls of models that go through httpx, httpx2,
    botocore, requests and aiohttp, whenever those are imported. Called again, the new client takes the place of the former.
    """
    global _client, _are_hooked
    former, _client = _client, Client(base_url, key, **options)
    if former is not None:
        former.shutdown()
    for name, hook in _HOOKS:
        when_imported(name, functools.partial(_hook, hook))
    for name in stainless.MODULES:
        when_imported(name, stainless.hook_module)
    if not _are_hooked:
        _are_hooked = True
        for name, framework in _FRAMEWORKS:
            when_imported(name, framework)
    return _client
