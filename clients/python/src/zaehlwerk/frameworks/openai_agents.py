"""OpenAI Agents: which agent works, in which trace."""

from __future__ import annotations

import uuid
from collections import OrderedDict
from types import ModuleType
from typing import Any

from ..context import add_source
from ..conversion.exchange import Event

_MOST = 10_000
"""Spans that are under way at a time; the one that began first is forgotten first."""


class _Spans:
    """A trace processor of the library: knows the agent each span belongs to."""

    def __init__(self) -> None:
        self._agents: OrderedDict[str, str | None] = OrderedDict()

    def agent_of(self, span: Any) -> str | None:
        data = span.span_data
        if data.type == "agent":
            return str(data.name)
        return self._agents.get(span.parent_id)

    def on_span_start(self, span: Any) -> None:
        self._agents[span.span_id] = self.agent_of(span)
        if len(self._agents) > _MOST:
            self._agents.popitem(last=False)

    def on_span_end(self, span: Any) -> None:
        self._agents.pop(span.span_id, None)

    def on_trace_start(self, trace: Any) -> None:
        """Of no interest."""

    def on_trace_end(self, trace: Any) -> None:
        """Of no interest."""

    def shutdown(self) -> None:
        """Holds nothing open."""

    def force_flush(self) -> None:
        """Holds nothing back."""


def _lauf_of(trace: Any) -> str | None:
    _, _, name = str(getattr(trace, "trace_id", "")).partition("_")
    try:
        return str(uuid.UUID(name))
    except ValueError:
        return None


def hook_module(tracing: ModuleType) -> None:
    """`agents.tracing`."""
    spans = _Spans()
    tracing.add_trace_processor(spans)

    def told() -> Event | None:
        span, trace = tracing.get_current_span(), tracing.get_current_trace()
        if trace is None:
            return None
        group = getattr(trace, "group_id", None)
        return {
            "agent": None if span is None else spans.agent_of(span),
            "lauf_id": _lauf_of(trace),
            "zusatz": {"sitzung": group} if group else None,
        }

    add_source(told)
