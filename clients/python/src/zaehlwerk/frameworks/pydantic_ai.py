"""pydantic-ai: which agent works, in which run."""

from __future__ import annotations

import uuid
from types import ModuleType

from ..context import add_source
from ..conversion.exchange import Event


def hook_module(run_context: ModuleType) -> None:
    """`pydantic_ai._run_context`."""

    def told() -> Event | None:
        current = run_context.get_current_run_context()
        if current is None:
            return None
        name = getattr(current, "run_id", None)
        sitzung = getattr(current, "conversation_id", None)
        return {
            "agent": getattr(getattr(current, "agent", None), "name", None),
            "lauf_id": None if name is None else str(uuid.UUID(str(name))),
            "zusatz": {"sitzung": str(sitzung)} if sitzung else None,
        }

    add_source(told)
