"""LangChain and LangGraph: which agent works, in which run. The calls themselves are seen on their way."""

from __future__ import annotations

import sys
from collections import OrderedDict
from contextvars import ContextVar
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from ..context import add_source, fields_of
from ..conversion.exchange import Event
from ..conversion.json_values import Json

_MOST = 10_000
"""Steps that are under way at a time; the one that began first is forgotten first."""

_PLAIN = {"RunnableSequence", "RunnableParallel", "RunnableLambda", "LangGraph", "AgentExecutor"}
"""Names of kinds, not of agents."""

_FIELDS = ("agent", "endkunde", "end_customer", "funktion", "function", "benutzer", "user", "projekt", "project")

_call: ContextVar[Event | None] = ContextVar("zaehlwerk_langchain_call", default=None)


@dataclass(frozen=True)
class _Step:
    root: str
    agent: str | None


def _said(metadata: dict[str, Json]) -> Event:
    fields, zusatz = fields_of({name: metadata[name] for name in _FIELDS if metadata.get(name)})
    sitzung = metadata.get("thread_id") or metadata.get("session_id")
    if sitzung:
        zusatz["sitzung"] = str(sitzung)
    return {**fields, "zusatz": zusatz or None}


class _Steps:
    """What the handler knows: steps begin inside each other, and the outermost is the run."""

    def __init__(self) -> None:
        self._steps: OrderedDict[Any, _Step] = OrderedDict()

    def begin(self, run_id: Any, parent_run_id: Any, name: str | None, metadata: dict[str, Json] | None) -> None:
        parent = self._steps.get(parent_run_id)
        own = (metadata or {}).get("lc_agent_name")
        if own is None and name not in _PLAIN and parent is None:
            own = name
        agent = own or (None if parent is None else parent.agent)
        self._steps[run_id] = _Step(str(run_id) if parent is None else parent.root, agent)
        if len(self._steps) > _MOST:
            self._steps.popitem(last=False)

    def call(self, parent_run_id: Any, metadata: dict[str, Json] | None) -> None:
        parent = self._steps.get(parent_run_id)
        said = _said(metadata or {})
        told = {} if parent is None else {"lauf_id": parent.root, "agent": parent.agent}
        _call.set({**told, **said})

    def end(self, run_id: Any) -> None:
        self._steps.pop(run_id, None)


def _handler_kind(base: Any) -> type:
    class ZaehlwerkHandler(base):  # type: ignore[misc]
        """Runs in the context of the call, so that the watcher of the call finds what it says."""

        run_inline = True

        def __init__(self) -> None:
            self._known = _Steps()

        def on_chain_start(self, serialized: Any, inputs: Any, *, run_id: Any, **kwargs: Any) -> None:
            self._known.begin(run_id, kwargs.get("parent_run_id"), kwargs.get("name"), kwargs.get("metadata"))

        def on_tool_start(self, serialized: Any, input_str: Any, *, run_id: Any, **kwargs: Any) -> None:
            self._known.begin(run_id, kwargs.get("parent_run_id"), None, kwargs.get("metadata"))

        def on_chat_model_start(self, serialized: Any, messages: Any, **kwargs: Any) -> None:
            self._known.call(kwargs.get("parent_run_id"), kwargs.get("metadata"))

        def on_llm_start(self, serialized: Any, prompts: Any, **kwargs: Any) -> None:
            self._known.call(kwargs.get("parent_run_id"), kwargs.get("metadata"))

        def on_llm_end(self, response: Any, **kwargs: Any) -> None:
            _call.set(None)

        def on_llm_error(self, error: BaseException, **kwargs: Any) -> None:
            _call.set(None)

        def on_chain_end(self, outputs: Any, *, run_id: Any, **kwargs: Any) -> None:
            self._known.end(run_id)

        def on_chain_error(self, error: BaseException, *, run_id: Any, **kwargs: Any) -> None:
            self._known.end(run_id)

        def on_tool_end(self, output: Any, *, run_id: Any, **kwargs: Any) -> None:
            self._known.end(run_id)

        def on_tool_error(self, error: BaseException, *, run_id: Any, **kwargs: Any) -> None:
            self._known.end(run_id)

    return ZaehlwerkHandler


def handler() -> Any:
    """A callback handler, to be given to a model, a chain or a graph."""
    from importlib import import_module

    add_source(_call.get)
    return _handler_kind(import_module("langchain_core.callbacks.base").BaseCallbackHandler)()


def hook_module(context: ModuleType) -> None:
    """`langchain_core.tracers.context`: every chain has the handler."""
    base = sys.modules["langchain_core.callbacks.base"].BaseCallbackHandler
    add_source(_call.get)
    # As default, it is there in every context and thread.
    made: ContextVar[Any] = ContextVar("zaehlwerk_langchain", default=_handler_kind(base)())  # noqa: B039
    context.register_configure_hook(made, True)
