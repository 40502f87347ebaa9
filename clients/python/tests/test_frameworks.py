"""What frameworks and gateways tell, in the shapes in which they tell it."""

from __future__ import annotations

import sys
import types
from types import SimpleNamespace

import pytest

import zaehlwerk
from zaehlwerk import context
from zaehlwerk.frameworks import llama_index, openai_agents, pydantic_ai
from zaehlwerk.frameworks.langchain import _call, _Steps
from zaehlwerk.frameworks.litellm import event_of

LAUF = "0af76519-16cd-43dd-8448-eb211c80319c"


@pytest.fixture(autouse=True)
def no_sources(monkeypatch):
    monkeypatch.setattr(context, "_sources", [])


@pytest.fixture
def zw():
    made = zaehlwerk.Client("http://127.0.0.1:1", "key", buffer=False, agent="default")
    yield made
    made.shutdown(0)


def test_openai_agents(zw):
    found = {}
    tracing = SimpleNamespace(
        add_trace_processor=lambda processor: found.update(processor=processor),
        get_current_span=lambda: found["span"],
        get_current_trace=lambda: SimpleNamespace(trace_id=f"trace_{LAUF.replace('-', '')}", group_id="chat-7"),
    )
    openai_agents.hook_module(tracing)
    agent = SimpleNamespace(span_id="s1", parent_id=None, span_data=SimpleNamespace(type="agent", name="Physicist"))
    response = SimpleNamespace(span_id="s2", parent_id="s1", span_data=SimpleNamespace(type="response"))
    for span in (agent, response):
        found["processor"].on_span_start(span)
    found["span"] = response
    call = zw.call_fields("m")
    assert (call["agent"], call["lauf_id"], call["zusatz"]) == ("Physicist", LAUF, {"sitzung": "chat-7"})
    assert [zw.next_step(call), zw.next_step(call)] == [1, 2]
    with zw.run(agent="support/triage") as run:
        call = zw.call_fields("m")
    assert (call["agent"], call["lauf_id"]) == ("support/triage", run.lauf_id)


def test_pydantic_ai(zw):
    current = SimpleNamespace(agent=SimpleNamespace(name="physicist"), run_id=LAUF, conversation_id="c")
    pydantic_ai.hook_module(SimpleNamespace(get_current_run_context=lambda: current))
    call = zw.call_fields("m")
    assert (call["agent"], call["lauf_id"], call["zusatz"]) == ("physicist", LAUF, {"sitzung": "c"})


def test_llama_index(zw):
    tags = {"agent": "a", "endkunde": "K-1", "other": 1}
    llama_index.hook_module(SimpleNamespace(active_instrument_tags=SimpleNamespace(get=lambda: tags)))
    call = zw.call_fields("m")
    assert (call["agent"], call["endkunde_ref"]) == ("a", "K-1")
    assert "lauf_id" not in call


def test_langchain(zw):
    context.add_source(_call.get)
    steps = _Steps()
    steps.begin("root", None, "LangGraph", {"lc_agent_name": "physicist"})
    steps.begin("node", "root", "model", {})
    steps.call("node", {"thread_id": "t", "endkunde": "K-1"})
    call = zw.call_fields("m")
    _call.set(None)
    assert (call["agent"], call["lauf_id"], call["endkunde_ref"]) == ("physicist", "root", "K-1")
    assert call["zusatz"] == {"sitzung": "t"}
    assert zw.call_fields("m")["agent"] == "default"


def test_a_source_that_breaks_disturbs_nothing(zw):
    def breaks():
        raise RuntimeError

    context.add_source(breaks)
    assert zw.call_fields("m")["agent"] == "default"


LOGGED = {
    "id": "chatcmpl-CeXvq2N0mTz5b8aQwErTyUiOpAsDf",
    "status": "success",
    "custom_llm_provider": "vertex_ai",
    "model": "vertex_ai/gemini-2.5-flash",
    "prompt_tokens": 1_234,
    "completion_tokens": 56,
    "startTime": 1_790_000_000.0,
    "endTime": 1_790_000_001.5,
    "end_user": "K-1",
    "metadata": {
        "usage_object": {
            "prompt_tokens_details": {"cached_tokens": 1_000},
            "completion_tokens_details": {"reasoning_tokens": 20},
        }
    },
    "response": {"choices": [{"message": {"tool_calls": [{}]}}]},
}


def test_litellm():
    assert event_of(LOGGED, None) == {
        "ereignis_id": "14ee1b95-e0cf-5a3c-808c-0675495d157b",
        "zeitpunkt": "2026-09-21T14:13:20.000Z",
        "anbieter": "google",
        "modell": "gemini-2.5-flash",
        "eingabe_token": 1_234,
        "ausgabe_token": 56,
        "cache_lese_token": 1_000,
        "cache_schreib_token": None,
        "denk_token": 20,
        "werkzeugaufrufe": 1,
        "latenz_ms": 1_500,
        "status": "erfolgreich",
        "fehlercode": None,
        "zusatz": {"eingabe_umfasst_cache": True},
    }
    assert event_of({**LOGGED, "cache_hit": True}, None) is None
    failed = event_of({**LOGGED, "status": "failure", "error_information": {"error_code": "429"}}, None)
    assert (failed["status"], failed["fehlercode"], failed["eingabe_token"]) == ("fehler", "429", None)


def test_the_callback_of_litellm_sends(service, monkeypatch):
    for name in ("litellm", "litellm.integrations", "litellm.integrations.custom_logger"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    sys.modules["litellm.integrations.custom_logger"].CustomLogger = object
    zw = zaehlwerk.Client(service.url, "key", buffer=False)
    logger = zw.litellm_callback()
    with zw.run(agent="a"):
        logger.log_success_event({"standard_logging_object": LOGGED}, None, None, None)
        logger.log_success_event({}, None, None, None)
    zw.flush(10)
    (event,) = service.events
    assert (event["agent"], event["endkunde_ref"], event["zusatz"]) == ("a", "K-1", {"eingabe_umfasst_cache": True})
    zw.shutdown()
