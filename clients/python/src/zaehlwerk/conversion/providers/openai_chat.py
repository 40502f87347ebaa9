"""OpenAI's chat completions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ..exchange import Answer, from_path, model_of
from ..facts import facts
from ..json_values import Json, at, entries, last, object_at, text
from ..shape import Shape, Usage
from .openai_counts import openai_counts, openai_stream_counts


def azure_deployment(answer: Answer) -> str | None:
    """Name of the deployment in an Azure address, which stands for the model where nothing else names it."""
    return from_path(answer, r"/deployments/([^/]+)/")


def named_model(answer: Answer) -> str | None:
    """The model, as the answer or the request or the address names it."""
    return model_of(answer) or azure_deployment(answer)


def choices_in(parts: Sequence[Json]) -> list[Json]:
    """The choices of all parts."""
    return [choice for part in parts for choice in entries(at(part, "choices"))]


def message_in(choice: Json) -> Json:
    """What the choice holds of the message: the delta of a chunk, else the whole message."""
    delta = at(choice, "delta")
    return at(choice, "message") if delta is None else delta


def chat_tool_calls(parts: Sequence[Json]) -> int:
    """
    Tool calls in the choices of an answer. In a stream one call arrives in pieces: only the first has an id, the others
    repeat its index; some providers send no index, some give every call index 0 with an id of its own.
    """
    calls: set[str] = set()
    indexes: set[str] = set()
    for choice in choices_in(parts):
        message = message_in(choice)
        place = str(at(choice, "index") or 0)
        for position, call in enumerate(entries(at(message, "tool_calls"))):
            said = at(call, "index")
            index = f"{place}.{position if said is None else said}"
            name = text(at(call, "id"))
            if name is not None:
                calls.add(f"id:{name}")
            elif index not in indexes:
                calls.add(f"index:{index}")
            indexes.add(index)
        if text(at(message, "function_call", "name")) is not None:
            calls.add(f"function:{place}")
    return len(calls)


_SEARCHES_ALWAYS = re.compile(r"-search-(preview|api)\b")
"""Models that look something up for every answer, at a fixed fee."""


def _searches(modell: str | None, parts: Sequence[Json]) -> int:
    """Searches that were made on the way: Groq lists the tools it used in the message."""
    messages = [message_in(choice) for choice in choices_in(parts)]
    tools = [tool for message in messages for tool in entries(at(message, "executed_tools"))]
    made = sum("search" in (text(at(tool, "type")) or "") for tool in tools)
    return made or int(bool(messages) and _SEARCHES_ALWAYS.search(modell or "") is not None)


def _whole(answer: Answer) -> Usage:
    counts = openai_stream_counts(answer)
    modell = named_model(answer)
    return replace(
        counts,
        modell=modell,
        werkzeugaufrufe=chat_tool_calls(answer.parts),
        zusatz={**facts(websuchen=_searches(modell, answer.parts)), **counts.zusatz},
    )


def _by_model(whole: Usage, answer: Answer) -> list[Usage]:
    """
    Groq's systems of several models have no price of their own: the models that answered are billed, each for what it
    did. All else of the answer stays with the first.
    """
    shares = last(answer.parts, lambda part: entries(at(part, "usage_breakdown", "models")) or None)
    found = []
    for index, share in enumerate(shares or []):
        counts = openai_counts(object_at(share, "usage") or {}, answer)
        tier = {name: value for name, value in whole.zusatz.items() if name == "preisstufe"}
        found.append(
            replace(
                counts,
                modell=text(at(share, "model")),
                werkzeugaufrufe=whole.werkzeugaufrufe if index == 0 else 0,
                zusatz={**(whole.zusatz if index == 0 else tier), **counts.zusatz},
            )
        )
    return found


def chat_usages(answer: Answer) -> list[Usage]:
    """One, or one per model that answered."""
    whole = _whole(answer)
    return _by_model(whole, answer) or [whole]


openai_chat = Shape(
    # Spoken by Azure, Groq, Mistral, DeepSeek, Together, vLLM and many others.
    name="openai-chat",
    matches_uri=lambda answer: re.search(r"/(chat|agents)/completions$", answer.path) is not None,
    matches_body=lambda answer: any(message_in(choice) is not None for choice in choices_in(answer.parts)),
    to_usages=chat_usages,
)


def _is_writer(answer: Answer) -> bool:
    return "writer.com" in answer.host and re.search(r"/(chat|completions)$", answer.path) is not None


writer = replace(
    # OpenAI's form under a path of its own, which Cohere's first version shares.
    openai_chat,
    name="writer",
    anbieter="writer",
    matches_uri=_is_writer,
    matches_body=lambda _answer: False,
)
