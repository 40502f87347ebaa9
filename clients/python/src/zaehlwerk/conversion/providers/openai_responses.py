"""OpenAI's responses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ..exchange import Answer
from ..facts import facts, tier_of
from ..json_values import Json, at, count, entries, first, last, object_at, text
from ..shape import Shape, Usage
from .openai_chat import named_model
from .openai_counts import openai_counts

_OBJECTS = {"response", "response.compaction"}
_ASKED_AGAIN = {"web_search_call", "file_search_call", "code_interpreter_call", "mcp_call"}
"""With tools on the provider's side the model is asked again with what they found: the input is the sum of these prompts."""
_UNDER_WAY = {"queued", "in_progress"}


def _response_in(part: Json) -> Json | None:
    """The response object itself: the whole answer, or what the last `response.*` event of a stream carries."""
    return object_at(part) if at(part, "object") in _OBJECTS else object_at(part, "response")


def _type_of(item: Json) -> str | None:
    return text(at(item, "type"))


def _items_of(response: Json, parts: Sequence[Json]) -> list[Json]:
    """What the model put out, item by item; a stream that broke off lists what had begun."""
    listed = entries(at(response, "output"))
    if listed:
        return listed
    return [at(part, "item") for part in parts if _type_of(part) == "response.output_item.added"]


def _is_search(item: Json) -> bool:
    """Only looking for something is billed; opening a page found and looking through it are not."""
    return _type_of(item) == "web_search_call" and (text(at(item, "action", "type")) or "search") == "search"


def _new_containers(items: list[Json], request: Json) -> int:
    """
    Containers in which code ran: one is billed however often it is used. Those the request names were there before, and
    were paid for by their creator.
    """
    given = [at(tool, "container") for tool in entries(at(request, "tools"))]
    ran = [item for item in items if _type_of(item) == "code_interpreter_call"]
    names = {text(at(item, "container_id")) or "" for item in ran}
    return sum(name not in given for name in names)


def _counts_of(response: Json, items: list[Json], answer: Answer) -> Usage:
    usage = object_at(response, "usage")
    counts = Usage() if usage is None else openai_counts(usage, answer)
    asked = count(at(response, "tool_usage", "web_search", "num_requests"))
    found = facts(
        websuchen=asked or sum(map(_is_search, items)),
        dateisuchen=sum(_type_of(item) == "file_search_call" for item in items),
        codeausfuehrungen=_new_containers(items, answer.exchange.request),
        eingabe_ist_summe=any(_type_of(item) in _ASKED_AGAIN for item in items),
    )
    tier = facts(preisstufe=tier_of(text(at(response, "service_tier"))))
    # What xAI counts of its own tools in the usage block comes first.
    return replace(counts, zusatz={**found, **counts.zusatz, **tier})


def _pictures(response: Json, answer: Answer) -> list[Usage]:
    """Pictures made on the way by a model of its own, whose tokens are in no other count."""
    usage = object_at(response, "tool_usage", "image_gen")
    counts = None if usage is None else openai_counts(usage, answer)
    if counts is None or not counts.ausgabe_token:
        return []
    tools = [*entries(at(response, "tools")), *entries(at(answer.exchange.request, "tools"))]
    modell = first(tools, lambda tool: text(at(tool, "model")) if _type_of(tool) == "image_generation" else None)
    zusatz = {**facts(bild_ausgabe_token=counts.ausgabe_token), **counts.zusatz}
    return [replace(counts, zusatz=zusatz, modell=modell)]


def _is_second_look(answer: Answer) -> bool:
    """Reading or cancelling a response shows one that was made before."""
    return answer.method != "POST" or re.search(r"/responses/(?!compact$)[^/]", answer.path) is not None


def _usages(answer: Answer) -> list[Usage]:
    response = last(answer.parts, _response_in)
    is_background = at(response, "background") is True
    if is_background:
        if text(at(response, "status")) in _UNDER_WAY:
            return []
    elif _is_second_look(answer):
        return []
    items = _items_of(response, answer.parts)
    own = replace(
        _counts_of(response, items, answer),
        modell=named_model(answer),
        werkzeugaufrufe=sum((_type_of(item) or "").endswith("_call") for item in items),
    )
    usages = [own, *_pictures(response, answer)]
    name = text(at(response, "id")) if is_background else None
    if name is None:
        return usages
    return [replace(usage, ergebnis=f"{name} {index}" if index else name) for index, usage in enumerate(usages)]


openai_responses = Shape(
    # Creating one counts, reading it again does not; of one made in the background only reading it shows what it used,
    # so its event comes once it has ended, with the same id however often it is read.
    name="openai-responses",
    polled=True,
    matches_uri=lambda answer: re.search(r"/responses(/(?!input_tokens$)[^/]+(/cancel)?)?$", answer.path) is not None,
    matches_body=lambda answer: any(at(_response_in(part), "object") in _OBJECTS for part in answer.parts),
    to_usages=_usages,
)
