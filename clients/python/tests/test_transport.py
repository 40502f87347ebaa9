"""What passes through a watched client of httpx, without any library on top."""

from __future__ import annotations

import gzip
import json

import pytest

httpx = pytest.importorskip("httpx")

import zaehlwerk  # noqa: E402

URL = "https://api.openai.com/v1/chat/completions"
ASKED = {"model": "gpt-4o", "messages": [{"role": "user", "content": "Hello?"}]}
ANSWER = {
    "id": "chatcmpl-CeXvq2N0mTz5b8aQwErTyUiOpAsDf",
    "model": "gpt-4o",
    "choices": [],
    "usage": {"prompt_tokens": 7, "completion_tokens": 2},
}


class Pieces(httpx.SyncByteStream):
    def __init__(self, pieces, before=lambda number: None):
        self.pieces, self.before, self.is_closed = pieces, before, False

    def __iter__(self):
        for number, piece in enumerate(self.pieces):
            self.before(number)
            yield piece

    def close(self):
        self.is_closed = True


@pytest.fixture
def zw(service):
    made = zaehlwerk.Client(service.url, "key", agent="a", buffer=False)
    made.guard()
    yield made
    made.shutdown()


def client(zw, stream, content_type="application/json", status=200, **headers):
    def answer(_request):
        return httpx.Response(status, headers={"content-type": content_type, **headers}, stream=stream)

    return zw.wrap(httpx.Client(transport=httpx.MockTransport(answer)))


def block(service, zw):
    service.intervene({"objekt": "a"})
    while not zw.guard_state().eingriffe:
        pass


def event(service, zw):
    zw.flush(20)
    (found,) = service.events
    return found


def test_what_was_packed_is_unpacked_for_counting(service, zw):
    packed = gzip.compress(json.dumps(ANSWER).encode())
    answer = client(zw, Pieces([packed[:20], packed[20:]]), **{"content-encoding": "gzip"}).post(URL, json=ASKED)
    assert answer.json() == ANSWER
    assert event(service, zw)["eingabe_token"] == 7


def test_an_answer_in_one_piece_passes_although_it_is_stopped_meanwhile(service, zw):
    body = json.dumps(ANSWER).encode()
    stream = Pieces([body[:9], body[9:]], lambda number: block(service, zw) if number else None)
    assert client(zw, stream).post(URL, json=ASKED).json() == ANSWER
    assert event(service, zw)["eingabe_token"] == 7


def test_a_stream_ends_with_the_error_of_the_provider_and_is_closed(service, zw):
    pieces = [f"data: {json.dumps({'model': 'gpt-4o', 'choices': [{'delta': {'content': 'word'}}]})}\n\n".encode()] * 9
    stream = Pieces(pieces, lambda number: block(service, zw) if number == 4 else None)
    with client(zw, stream, "text/event-stream").stream("POST", URL, json=ASKED) as answer:
        lines = [line for line in answer.iter_lines() if line]
    assert len(lines) == 5
    assert json.loads(lines[-1][6:])["error"]["code"] == "eingriff"
    assert stream.is_closed
    found = event(service, zw)
    assert (found["geschaetzt"], found["ausgabe_token"]) == (True, 4)


def test_a_stream_of_a_form_without_such_an_error_raises(service, zw):
    stream = Pieces([b'{"done":false}\n'] * 9, lambda number: block(service, zw) if number == 4 else None)
    asked = {"model": "llama3"}
    with client(zw, stream, "application/x-ndjson") as http, pytest.raises(zaehlwerk.StoppedByIntervention):
        http.post("http://localhost:11434/api/chat", json=asked)
    assert stream.is_closed


def test_errors_of_the_stream_pass(service, zw):
    def breaks(number):
        if number == 2:
            raise httpx.ReadError("cut")

    with pytest.raises(httpx.ReadError, match="cut"):
        client(zw, Pieces([b"data: {}\n\n"] * 9, breaks), "text/event-stream").post(URL, json=ASKED)
    assert event(service, zw)["status"] == "erfolgreich"


def test_what_is_no_call_of_a_model_is_left_alone(service, zw):
    other = zw.wrap(
        httpx.Client(transport=httpx.MockTransport(lambda _request: httpx.Response(200, json={"hello": "world"})))
    )
    assert other.get("https://example.com/").json() == {"hello": "world"}
    assert other.post("https://example.com/api", json={"a": 1}).json() == {"hello": "world"}
    zw.flush(10)
    assert service.events == []
    assert zw.stats().unconverted == 0


def test_an_address_of_ones_own_that_looks_like_a_providers_needs_a_model(service):
    zw = zaehlwerk.init(service.url, "key", agent="a", buffer=False)
    http = httpx.Client(transport=httpx.MockTransport(lambda _request: httpx.Response(200, json={"ok": True})))
    http.post("https://shop.example.com/api/chat", json={"text": "Where is my parcel?"})
    zw.flush(10)
    assert service.events == []
    http.post("https://llm.example.com/v1/chat/completions", json=ASKED)
    assert event(service, zw)["modell"] == "gpt-4o"
    zw.shutdown()


def test_a_large_answer_is_counted_from_what_is_kept(service, zw):
    piece = f"data: {json.dumps({'choices': [{'delta': {'content': 'x' * 900}}]})}\n\n".encode()
    last = f"data: {json.dumps({'model': 'gpt-4o', 'choices': [], 'usage': ANSWER['usage']})}\n\n".encode()
    stream = Pieces([piece] * 9_000 + [last])
    answer = client(zw, stream, "text/event-stream").post(URL, json=ASKED)
    assert len(answer.content) == len(piece) * 9_000 + len(last)
    assert event(service, zw)["eingabe_token"] == 7
