"""What may be called, and what not."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

import zaehlwerk
from zaehlwerk.eingriffe.decide import SeenRun, decide
from zaehlwerk.eingriffe.eingriff import Eingriff, eingriffe_in
from zaehlwerk.eingriffe.runs import Runs

LAUF = "0198a000-0000-7000-8000-000000000001"


def client(service, **guard):
    options = zaehlwerk.GuardOptions(**{"throttle": 0.2, "first_answer": 5, **guard})
    return zaehlwerk.Client(service.url, "key", guard=options, buffer=False)


def eingriff(**more):
    return Eingriff(
        **{
            "eingriff_id": "e",
            "stufe": "sperren",
            "objekt_art": "agent",
            "objekt": "support/triage",
            "agent": None,
            "grund": "",
            "grund_en": "",
            "beginn": "2026-01-01T00:00:00Z",
            "bis": None,
            **more,
        }
    )


CALL = {
    "agent": "support/triage",
    "lauf_id": LAUF,
    "endkunde_ref": "K-1",
    "funktion_ref": "f",
    "benutzer_ref": "u",
    "modell": "gpt-4o",
}


@pytest.mark.parametrize(
    ("art", "objekt"),
    [
        ("agent", "support/triage"),
        ("projekt", "support"),
        ("endkunde", "K-1"),
        ("funktion", "f"),
        ("benutzer", "u"),
        ("modell", "gpt-4o"),
        ("mandant", ""),
        ("lauf", "{0198A000-0000-7000-8000-000000000001}"),
    ],
)
def test_what_an_intervention_is_about(art, objekt):
    now = time.time()
    assert decide([eingriff(objekt_art=art, objekt=objekt)], CALL, SeenRun(now), now).forbids is not None
    if art != "mandant":
        assert decide([eingriff(objekt_art=art, objekt="another")], CALL, SeenRun(now), now).forbids is None


def test_stopping_means_runs_that_had_begun():
    begun = eingriff().begins()
    stopped = eingriff(stufe="anhalten")
    assert decide([stopped], CALL, SeenRun(begun - 1), begun + 9).forbids is stopped
    assert decide([stopped], CALL, SeenRun(begun + 1), begun + 9).forbids is None
    assert decide([stopped], {"agent": "support/triage"}, None, begun + 9).forbids is None
    run = eingriff(stufe="anhalten", objekt_art="lauf", objekt=LAUF)
    assert decide([run], CALL, SeenRun(begun + 1), begun + 9).forbids is run


def test_a_run_obeys_what_is_ordered_of_the_runs_it_was_begun_from():
    runs = Runs()
    root, child, grandchild, other = (f"0198a000-0000-7000-8000-00000000010{each}" for each in range(4))
    now = time.time()

    def seen(lauf, begun_from=None):
        zusatz = {} if begun_from is None else {"zusatz": {"eltern_lauf": begun_from}}
        call = {"agent": "a", "lauf_id": lauf, **zusatz}
        return call, runs.see(call, None, now)

    order = eingriff(stufe="anhalten", objekt_art="lauf", objekt=root)
    for call, run in (seen(root), seen(child, root), seen(grandchild, child), seen(grandchild)):
        assert decide([order], call, run, now).forbids is order
    for call, run in (seen(other), seen(other, other)):
        assert decide([order], call, run, now).forbids is None


def test_the_weightiest_is_named_and_what_is_over_is_not():
    mandant = eingriff(objekt_art="mandant", objekt="")
    agent = eingriff()
    over = eingriff(objekt_art="lauf", objekt=LAUF, bis="2026-01-02T00:00:00Z")
    now = time.time()
    assert decide([mandant, over, agent], CALL, SeenRun(now), now).forbids is agent


def test_what_is_no_intervention_is_passed_over():
    assert eingriffe_in("[]") is None
    assert eingriffe_in("no") is None
    assert eingriffe_in('{"eingriffe":[{"stufe":"warnen"},{}]}') == ()


def test_a_blocked_agent_is_refused_with_a_typed_error(service):
    service.intervene({"objekt": "a"})
    zw = client(service)
    with pytest.raises(zaehlwerk.StoppedByIntervention, match=r"sperren \(agent a\): By hand") as refused:
        zw.guard({"agent": "a"})
    assert refused.value.eingriff.stufe == "sperren"
    zw.guard({"agent": "b"})
    zw.shutdown()


def test_news_arrive_while_it_listens(service):
    zw = client(service)
    zw.guard({"agent": "a"})
    service.intervene({"objekt": "a"})
    end = time.monotonic() + 20
    while not zw.guard_state().eingriffe and time.monotonic() < end:
        time.sleep(0.01)
    with pytest.raises(zaehlwerk.StoppedByIntervention):
        zw.guard({"agent": "a"})
    service.intervene()
    while zw.guard_state().eingriffe and time.monotonic() < end:
        time.sleep(0.01)
    zw.guard({"agent": "a"})
    zw.shutdown()


def test_the_answer_to_a_batch_tells_as_well(service):
    zw = client(service)
    service.intervene({"objekt": "a"}, {"objekt": "elsewhere", "agent": "elsewhere"})
    zw.send({"agent": "a"})
    zw.flush(10)
    with pytest.raises(zaehlwerk.StoppedByIntervention):
        zw.guard({"agent": "a"})
    zw.shutdown()


def test_slowed_down_calls_wait_and_go_on_at_once_when_it_is_lifted(service):
    service.intervene({"objekt": "a", "stufe": "drosseln"})
    zw = client(service, throttle=0.3)
    begin = time.monotonic()
    zw.guard({"agent": "a"})
    zw.guard({"agent": "a"})
    assert time.monotonic() - begin >= 0.6
    slow = client(service, throttle=500, max_throttle=1_000)
    threads = [threading.Thread(target=slow.guard, args=({"agent": "a"},)) for _ in range(5)]
    for thread in threads:
        thread.start()
    time.sleep(0.2)
    assert all(thread.is_alive() for thread in threads)
    service.intervene()
    for thread in threads:
        thread.join(30)
    assert not any(thread.is_alive() for thread in threads)
    zw.shutdown()
    slow.shutdown()


def test_waiting_does_not_block_the_loop(service):
    service.intervene({"objekt": "a", "stufe": "drosseln"})
    zw = client(service, throttle=500, max_throttle=1_000)
    zw.guard({"agent": "b"})

    async def work():
        waiting = [asyncio.ensure_future(zw.guard_async({"agent": "a"})) for _ in range(3)]
        for _ in range(20):
            await asyncio.sleep(0.01)
        assert not any(each.done() for each in waiting)
        waiting[0].cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting[0]
        service.intervene()
        await asyncio.wait_for(asyncio.gather(*waiting[1:]), 30)

    asyncio.run(work())
    zw.shutdown()


def test_no_call_waits_for_longer_than_it_may(service):
    service.intervene({"objekt": "a", "stufe": "drosseln"})
    zw = client(service, throttle=500, max_throttle=0.1)
    zw.guard({"agent": "a"})
    zw.shutdown()


def test_away_the_service_changes_nothing_unless_that_is_wanted(service):
    zw = client(service)
    service.intervene({"objekt": "a"})
    with pytest.raises(zaehlwerk.StoppedByIntervention):
        zw.guard({"agent": "a"})
    service.stop()
    with pytest.raises(zaehlwerk.StoppedByIntervention):
        zw.guard({"agent": "a"})
    zw.guard({"agent": "b"})
    closed = client(service, failure="closed")
    with pytest.raises(zaehlwerk.InterventionsUnknown):
        closed.guard({"agent": "b"})
    zw.shutdown()
    closed.shutdown()
