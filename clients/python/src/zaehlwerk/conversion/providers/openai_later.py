"""Answers in OpenAI's form that are fetched later: runs of assistants, deferred chat."""

from __future__ import annotations

import re
from dataclasses import replace

from ..exchange import Answer, model_of
from ..json_values import Json, at, entries, last, object_at, text
from ..shape import Shape, Usage, never
from .openai_chat import chat_usages
from .openai_counts import openai_counts

_ENDED = {"completed", "failed", "cancelled", "expired", "incomplete"}


def _run_in(part: Json) -> Json | None:
    """The run as it stands last; a list of runs has them one level down and is no result."""
    return object_at(part) if at(part, "object") == "thread.run" else None


def _was_refused(answer: Answer) -> bool:
    return answer.method == "POST" and answer.exchange.status >= 400


def _run_usages(answer: Answer) -> list[Usage]:
    if _was_refused(answer):
        return [Usage(modell=model_of(answer))]
    run = last(answer.parts, _run_in)
    name = text(at(run, "id"))
    if name is None or text(at(run, "status")) not in _ENDED:
        return []
    usage = object_at(run, "usage")
    counts = Usage() if usage is None else openai_counts(usage, answer)
    return [replace(counts, modell=text(at(run, "model")) or model_of(answer), ergebnis=name)]


openai_runs = Shape(
    # A run is asked for until it has ended, and only then says what it used.
    name="openai-runs",
    polled=True,
    matches_uri=lambda answer: (
        re.search(r"/threads/runs$|/threads/[^/]+/runs(/[^/]+(/(cancel|submit_tool_outputs))?)?$", answer.path)
        is not None
    ),
    matches_body=lambda answer: any(_run_in(part) is not None for part in answer.parts),
    to_usages=_run_usages,
)


def _completion_in(part: Json) -> Json | None:
    """The completion once it is there: at xAI the whole answer, at Perplexity a part of it."""
    places = (object_at(part), object_at(part, "response"))
    return next((place for place in places if entries(at(place, "choices"))), None)


def _is_deferred(answer: Answer) -> bool:
    if re.search(r"/async/chat/completions(/[^/]+)?$|/chat/deferred-completion/[^/]+$", answer.path):
        return True
    return answer.path.endswith("/chat/completions") and at(answer.exchange.request, "deferred") is True


def _deferred_usages(answer: Answer) -> list[Usage]:
    if _was_refused(answer):
        return chat_usages(answer)
    completion = last(answer.parts, _completion_in)
    name = text(at(completion, "id"))
    if completion is None or name is None:
        return []
    return [replace(usage, ergebnis=name) for usage in chat_usages(replace(answer, parts=[completion]))]


deferred_chat = Shape(
    # Perplexity's asynchronous, xAI's deferred completions: counted once they are there, a refusal as such.
    name="deferred-chat",
    polled=True,
    matches_uri=_is_deferred,
    matches_body=never,
    to_usages=_deferred_usages,
)
