"""LlamaIndex: what its instrument tags say (`instrument_tags({"agent": "support/triage"})`)."""

from __future__ import annotations

from types import ModuleType

from ..context import add_source, fields_of
from ..conversion.exchange import Event

_SAID = ("agent", "endkunde", "end_customer", "funktion", "function", "benutzer", "user", "projekt", "project")


def hook_module(dispatcher: ModuleType) -> None:
    """`llama_index_instrumentation.dispatcher`."""

    def told() -> Event | None:
        tags = dispatcher.active_instrument_tags.get()
        fields, zusatz = fields_of({name: tags[name] for name in _SAID if name in tags})
        return {**fields, "lauf_id": tags.get("lauf_id"), "zusatz": zusatz or None}

    add_source(told)
