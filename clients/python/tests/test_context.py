"""Whose calls they are."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import uuid

import pytest

import zaehlwerk

TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


@pytest.fixture
def zw():
    made = zaehlwerk.Client("http://127.0.0.1:1", "key", buffer=False, agent="default", projekt="p")
    yield made
    made.shutdown(0)


def call(zw):
    fields = zw.call_fields("m")
    return {**fields, "schritt_nr": zw.next_step(fields)}


def test_a_run_for_the_whole_program_has_the_calls_outside_of_others():
    program = str(uuid.uuid4())
    made = zaehlwerk.Client("http://127.0.0.1:1", "key", buffer=False, lauf_id=program)
    try:
        assert [(each["lauf_id"], each["schritt_nr"]) for each in (call(made), call(made))] == [
            (program, 1),
            (program, 2),
        ]
        with made.run(agent="a") as run:
            assert call(made)["lauf_id"] == run.lauf_id != program
        assert call(made)["schritt_nr"] == 3
    finally:
        made.shutdown(0)


def test_outside_of_any_run_calls_have_the_defaults(zw):
    assert call(zw) == {"agent": "default", "modell": "m", "zusatz": {"projekt": "p"}, "schritt_nr": None}


def test_a_run_numbers_its_steps(zw):
    with zw.run(agent="support/triage", endkunde="K-1", funktion="f", benutzer="u", extra={"x": 1}) as run:
        first, second = call(zw), call(zw)
    assert first == {
        "agent": "support/triage",
        "endkunde_ref": "K-1",
        "funktion_ref": "f",
        "benutzer_ref": "u",
        "modell": "m",
        "zusatz": {"projekt": "p", "x": 1},
        "lauf_id": run.lauf_id,
        "schritt_nr": 1,
    }
    assert second["schritt_nr"] == 2
    assert uuid.UUID(run.lauf_id).version == 7


def test_names_in_english(zw):
    with zw.run(agent="a", end_customer="K", function="f", user="u", project="q"):
        found = call(zw)
    assert (found["endkunde_ref"], found["funktion_ref"], found["benutzer_ref"]) == ("K", "f", "u")
    assert found["zusatz"] == {"projekt": "q"}
    with pytest.raises(TypeError, match="custmer"):
        zw.run(custmer="K")


def test_a_run_inside_keeps_the_run(zw):
    with zw.run(agent="outer", endkunde="K-1") as outer:
        call(zw)
        with zw.run(agent="inner"):
            inner = call(zw)
        with zw.run(funktion="f"):
            same = call(zw)
        with zw.run(agent="other", new_run=True) as other:
            begun = call(zw)
        assert call(zw)["agent"] == "outer"
    assert (inner["lauf_id"], inner["schritt_nr"], inner["endkunde_ref"]) == (outer.lauf_id, 2, "K-1")
    assert uuid.UUID(inner["eltern_span"])
    assert "eltern_span" not in same
    assert other.lauf_id != outer.lauf_id
    assert begun["schritt_nr"] == 1
    assert begun["zusatz"]["eltern_lauf"] == outer.lauf_id


def test_the_trace_of_the_caller_is_the_run(zw):
    with zw.run(traceparent=TRACE) as run:
        assert run.lauf_id == "0af76519-16cd-43dd-8448-eb211c80319c"
    with zw.run(traceparent="nonsense") as run:
        assert uuid.UUID(run.lauf_id).version == 7
    with zw.run(lauf_id="0AF7651916CD43DD8448EB211C80319C") as run:
        assert run.lauf_id == "0af76519-16cd-43dd-8448-eb211c80319c"


def test_a_run_that_is_entered_again_goes_on_with_its_steps(zw):
    def step(**said):
        with zw.run(**said):
            return call(zw)["schritt_nr"]

    assert [step(traceparent=TRACE), step(traceparent=TRACE)] == [1, 2]
    assert [step(lauf_id="1" * 32), step(lauf_id="1" * 32)] == [1, 2]
    assert [step(), step()] == [1, 1]


def test_as_decorator(zw):
    @zw.run(agent="plain")
    def plain(x):
        return x, call(zw)

    @zw.run(agent="coroutine")
    async def coroutine():
        await asyncio.sleep(0)
        return call(zw)

    @zw.run(agent="generator")
    def generator():
        yield call(zw)
        yield call(zw)

    @zw.run(agent="asynchronous")
    async def asynchronous():
        yield call(zw)

    (x, first), (_, second) = plain(1), plain(1)
    assert x == 1
    assert (first["agent"], second["schritt_nr"]) == ("plain", 1)
    assert first["lauf_id"] != second["lauf_id"]
    assert asyncio.run(coroutine())["agent"] == "coroutine"
    produced = []
    for each in generator():
        produced.append(each)
        assert call(zw)["agent"] == "default"
    assert [each["schritt_nr"] for each in produced] == [1, 2]

    async def collect():
        return [each async for each in asynchronous()]

    assert [each["agent"] for each in asyncio.run(collect())] == ["asynchronous"]


def test_tasks_and_threads_have_their_own(zw):
    async def work(agent):
        async with zw.run(agent=agent) as run:
            found = []
            for _ in range(10):
                found.append(call(zw))
                await asyncio.sleep(0)
        assert {each["lauf_id"] for each in found} == {run.lauf_id}
        assert [each["schritt_nr"] for each in found] == list(range(1, 11))

    async def both():
        await asyncio.gather(*(work(f"a{number}") for number in range(20)))

    asyncio.run(both())
    seen = {}
    with zw.run(agent="main"):
        context = contextvars.copy_context()
        threads = [
            threading.Thread(target=lambda: seen.__setitem__("bare", call(zw))),
            threading.Thread(target=context.run, args=(lambda: seen.__setitem__("copied", call(zw)),)),
        ]
        for thread in threads:
            thread.start()
            thread.join()
    assert seen["bare"]["agent"] == "default"
    assert seen["copied"]["agent"] == "main"
