"""Hard limits, kept by reservation."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

import zaehlwerk
from zaehlwerk.reservierungen.demand import demand_of

OUTPUT = 1_000
BODY = json.dumps(
    {"model": "gpt-4o-mini", "max_tokens": OUTPUT, "messages": [{"role": "user", "content": "?"}]}
).encode()
HIGHEST = len(BODY) + OUTPUT


class Provider:
    """Writes as much as it may, and takes its time."""

    def __init__(self):
        self.calls = 0
        self.status = 200
        provider = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format, *args):
                pass

            def do_POST(self):
                self.rfile.read(int(self.headers["content-length"]))
                provider.calls += 1
                time.sleep(0.02)
                usage = {"prompt_tokens": len(BODY), "completion_tokens": OUTPUT}
                answer = {"model": "gpt-4o-mini", "choices": [], "usage": usage}
                written = json.dumps(answer).encode()
                self.send_response(provider.status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(written)))
                self.end_headers()
                self.wfile.write(written)

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            # A hundred connect at once; by itself five may wait.
            request_queue_size = 128

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/v1/chat/completions"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()


@pytest.fixture
def provider():
    made = Provider()
    yield made
    made.server.shutdown()
    made.server.server_close()


def client(service, **guard):
    options = zaehlwerk.GuardOptions(**{"first_answer": 5, "limit_wait": 0.5, **guard})
    return zaehlwerk.Client(service.url, "key", guard=options, buffer=False, agent="a")


def post(http, url):
    return http.post(url, content=BODY, headers={"content-type": "application/json"})


def test_a_hundred_calls_at_once_in_two_clients_overshoot_by_nothing(service, provider):
    import httpx

    service.limit = 20.5 * HIGHEST
    clients = [client(service), client(service)]
    refused = []

    def call(number):
        try:
            post(https[number % 2], provider.url)
        except zaehlwerk.LimitReached as error:
            refused.append(error)

    https = [each.wrap(httpx.Client(timeout=30)) for each in clients]
    with ThreadPoolExecutor(100) as pool:
        list(pool.map(call, range(200)))
    for each in clients:
        each.flush()
    assert provider.calls == 200 - len(refused)
    assert 10 < provider.calls <= 20
    assert service.spent() <= service.limit
    assert refused[0].grenze.name == "Tageslimit"
    assert "Tageslimit" in str(refused[0])
    # Raised, calls go on.
    service.limit = 40 * HIGHEST
    post(https[0], provider.url)
    for each in clients:
        each.shutdown()
    booked = [each["zusatz"]["reserviert_eur"] for each in service.events]
    assert len(booked) == provider.calls
    # What was not booked is given back.
    assert sum(service.reserved.values()) == sum(float(each) for each in booked)


def test_most_calls_take_their_part_in_memory(service, provider):
    import httpx

    service.limit = 1_000_000 * HIGHEST
    zw = client(service)
    http = zw.wrap(httpx.Client(timeout=30))
    for _ in range(20):
        post(http, provider.url)
    assert [each["vorrat"] for each in service.wishes] == [4, 8, 16]
    assert service.wishes[0]["eingabe_token"] == len(BODY)
    assert service.wishes[0]["ausgabe_token"] == OUTPUT
    zw.shutdown()


def test_without_blocking_the_loop(service, provider):
    import httpx

    service.limit = 5.5 * HIGHEST
    zw = client(service)

    async def all_at_once():
        async with httpx.AsyncClient(timeout=30) as http:
            zw.wrap(http)
            return await asyncio.gather(*(post(http, provider.url) for _ in range(30)), return_exceptions=True)

    ended = asyncio.run(all_at_once())
    assert sum(isinstance(each, zaehlwerk.LimitReached) for each in ended) == 30 - provider.calls
    assert provider.calls <= 5
    zw.shutdown()
    assert service.spent() <= service.limit


def test_a_refused_call_costs_nothing_and_gives_its_part_back(service, provider):
    import httpx

    service.limit = 1.5 * HIGHEST
    provider.status = 429
    zw = client(service)
    http = zw.wrap(httpx.Client(timeout=30))
    for _ in range(3):
        assert post(http, provider.url).status_code == 429
        zw.flush()
    zw.shutdown()
    assert sum(service.reserved.values()) == 0


def test_without_hard_limits_nobody_is_asked(service, provider):
    import httpx

    zw = client(service)
    post(zw.wrap(httpx.Client(timeout=30)), provider.url)
    zw.shutdown()
    assert service.wishes == []


def test_the_service_away_calls_pass_or_none_does(service, provider):
    import httpx

    service.limit = 100 * HIGHEST
    for failure in ("open", "closed"):
        zw = client(service, failure=failure)
        zw.guard({"agent": "a"})
        service.stop()
        http = zw.wrap(httpx.Client(timeout=30))
        if failure == "open":
            assert post(http, provider.url).status_code == 200
        else:
            with pytest.raises(zaehlwerk.InterventionsUnknown):
                post(http, provider.url)
        service.start()
        zw.shutdown()


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ({"max_tokens": 5, "n": 2}, {"ausgabe": 10, "begrenzt": True}),
        ({"messages": [{"content": '"image_url": x'}]}, {"ausgabe": None, "begrenzt": True}),
        ({"previous_response_id": "r"}, {"eingabe": None}),
        ({"tools": [{"type": "web_search_preview"}]}, {"begrenzt": False}),
        ({"tools": [{"name": "web_search_of_mine", "input_schema": {}}]}, {"begrenzt": True}),
        ({"system": [{"cache_control": {}}]}, {"cache_schreiben": True}),
    ],
)
def test_the_demand_of_a_request(request_, expected):
    body = json.dumps(request_).encode()
    found = demand_of("https://api.openai.com/v1/chat/completions", None, "gpt-4o-mini", body, 1)
    assert {key: getattr(found, key) for key in expected} == expected
    assert found.anbieter == "openai"


def test_the_error_travels_between_processes():
    import pickle

    error = zaehlwerk.LimitReached(None, True)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
