"""What becomes of exchanges, ids and prints: the same as in the TypeScript package."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest
from golden import exchanges, golden

from zaehlwerk.conversion.answer_id import answer_id, id_of_answer
from zaehlwerk.conversion.exchange import Answer, Exchange
from zaehlwerk.conversion.prints.new_input import new_input
from zaehlwerk.conversion.prints.prints import prints_of
from zaehlwerk.conversion.prints.sim_hash import KeyedPrints
from zaehlwerk.conversion.prints.words import words_of
from zaehlwerk.conversion.to_events import to_events

NOW = datetime(2026, 11, 26, 12, tzinfo=timezone.utc)
EXCHANGES = exchanges()
PRINTS = golden("fingerprints.json")
KEYED = KeyedPrints(PRINTS["key"])


def test_there_are_exchanges():
    assert len(EXCHANGES) > 40


@pytest.mark.parametrize("given", [each for _, each in EXCHANGES], ids=[name for name, _ in EXCHANGES])
def test_exchange(given):
    found = to_events(exchange_of(given["exchange"]), NOW)
    assert found.events == given["events"]
    assert found.unconverted == given.get("unconverted", [])


def exchange_of(said):
    return Exchange(
        uri=said["uri"],
        method=said.get("method", "POST"),
        request=said["request"],
        status=said["status"],
        content_type=said["contentType"],
        body=said["body"],
        headers=said.get("headers", {}),
        aborted=said.get("aborted", False),
    )


@pytest.mark.parametrize("given", golden("ids.json"), ids=lambda given: given["name"])
def test_id(given):
    headers = given.get("headers", {})
    if "requestId" in given:
        headers = {"x-amzn-requestid": given["requestId"]}
    exchange = Exchange(uri="", request={}, status=200, content_type="", body="", headers=headers)
    name = answer_id(Answer(exchange, "POST", "", "", given["answer"]))
    assert name == given["id"]
    if name is not None:
        assert id_of_answer(name, 0) == given["ereignis_id"]
        assert id_of_answer(name, 1) == given["weiteres"]


@pytest.mark.parametrize("given", PRINTS["words"], ids=lambda given: given["text"][:30])
def test_words(given):
    assert [[word.text, word.hashes] for word in words_of(given["text"])] == given["words"]


@pytest.mark.parametrize("given", PRINTS["prompts"], ids=lambda given: given["name"])
def test_prompt(given):
    assert len(new_input(given["request"])) == given["words"]
    assert prints_of(given["request"], [], KEYED)["prompt_fingerabdruck"] == given["prompt_fingerabdruck"]


@pytest.mark.parametrize("given", PRINTS["tools"], ids=lambda given: given["name"])
def test_tools(given):
    assert prints_of({}, given["answer"], KEYED)["werkzeug_fingerabdruck"] == given["werkzeug_fingerabdruck"]


def test_what_is_nested_too_deeply_has_no_print():
    deep = "x"
    for _ in range(100_000):
        deep = [deep]
    request = {"messages": [{"role": "user", "content": deep}]}
    assert prints_of(request, [], KEYED)["prompt_fingerabdruck"] is None
