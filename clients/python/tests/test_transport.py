"""What passes through a watched client of httpx, without any library on top."""

from __future__ import annotations

import asyncio
import gzip
import json

import pytest

httpx = pytest.importorskip("httpx")

import zaehlwerk  # noqa: E402
from zaehlwerk.transport.observed import Carrier, carrier  # noqa: E402
from zaehlwerk.transport.usage_asked import CountsOut  # noqa: E402

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


STREAM = {**ASKED, "stream": True}
PIECE = {"id": "c", "choices": [{"delta": {"content": 'a,"usage":null'}}], "usage": None}
COUNTS = {"id": "c", "choices": [], "usage": ANSWER["usage"]}
FILTERED = {"id": "", "choices": [], "prompt_filter_results": [], "usage": None}


def sse(*events):
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events).encode() + b"data: [DONE]\n\n"


@pytest.fixture
def library():
    """As within a call of `openai`."""
    token = carrier.set(Carrier())
    yield
    carrier.reset(token)


def asked_of(zw, answer, is_async=False):
    """A client, and the bodies of the requests that it sends."""
    requests = []

    def take(request):
        requests.append(request)
        return answer(json.loads(request.content))

    kind = httpx.AsyncClient if is_async else httpx.Client
    return zw.wrap(kind(transport=httpx.MockTransport(take))), requests


def streaming(body, pieces=1, is_async=False):
    size = -(-len(body) // pieces)
    cut = [body[begin : begin + size] for begin in range(0, len(body), size)]

    async def later():
        for piece in cut:
            yield piece

    content = later() if is_async else iter(cut)
    return httpx.Response(200, headers={"content-type": "text/event-stream"}, content=content)


@pytest.mark.usefixtures("library")
def test_counts_of_a_stream_are_asked_for_read_and_kept_from_a_caller_who_did_not_ask(service, zw):
    http, requests = asked_of(zw, lambda _: streaming(sse(FILTERED, PIECE, COUNTS), pieces=40))
    answer = http.post(URL, json=STREAM)
    filtered, piece = (dict(each) for each in (FILTERED, PIECE))
    del filtered["usage"], piece["usage"]
    assert answer.content == sse(filtered, piece)
    assert json.loads(requests[0].content) == {"stream_options": {"include_usage": True}, **STREAM}
    assert requests[0].headers["content-length"] == str(len(requests[0].content))
    assert json.loads(answer.request.content) == STREAM
    found = event(service, zw)
    assert (found["eingabe_token"], found["ausgabe_token"], found.get("geschaetzt")) == (7, 2, None)


@pytest.mark.usefixtures("library")
def test_the_same_in_asyncio(service, zw):
    http, _ = asked_of(zw, lambda _: streaming(sse(PIECE, COUNTS), pieces=7, is_async=True), is_async=True)

    async def post():
        return (await http.post(URL, json=STREAM)).content

    assert b'"prompt_tokens"' not in asyncio.run(post())
    assert event(service, zw)["eingabe_token"] == 7


def test_a_request_of_ones_own_stays_as_it_is(zw):
    http, requests = asked_of(zw, lambda _: streaming(sse(PIECE, COUNTS)))
    assert http.post(URL, json=STREAM).content == sse(PIECE, COUNTS)
    assert json.loads(requests[0].content) == STREAM


@pytest.mark.parametrize("options", [{"include_usage": True}, {"include_usage": False}, None])
@pytest.mark.usefixtures("library")
def test_who_says_something_of_counts_gets_what_comes(zw, options):
    http, requests = asked_of(zw, lambda _: streaming(sse(PIECE, COUNTS)))
    assert http.post(URL, json={**STREAM, "stream_options": options}).content == sse(PIECE, COUNTS)
    assert json.loads(requests[0].content)["stream_options"] == options


@pytest.mark.usefixtures("library")
def test_who_is_told_counts_in_any_case_and_what_is_signed_stay_as_they_are(zw):
    http, requests = asked_of(zw, lambda _: streaming(sse(PIECE, COUNTS)))
    router = "https://openrouter.ai/api/v1/chat/completions"
    signed = {"authorization": "AWS4-HMAC-SHA256 Credential=x"}
    for answer in (http.post(router, json=STREAM), http.post(URL, json=STREAM, headers=signed)):
        assert answer.content == sse(PIECE, COUNTS)
    assert all(json.loads(each.content) == STREAM for each in requests)


@pytest.mark.usefixtures("library")
def test_a_server_that_does_not_know_the_question_is_asked_without_it_once_with_it_in_all(service, zw):
    def answer(body):
        if "stream_options" in body:
            return httpx.Response(400, json={"error": {"message": "Unrecognized request argument: stream_options"}})
        return streaming(sse(PIECE))

    http, requests = asked_of(zw, answer)
    for _ in range(2):
        assert http.post("https://old.openai.azure.com/v1/chat/completions", json=STREAM).content == sse(PIECE)
    assert ["stream_options" in json.loads(each.content) for each in requests] == [True, False, False]
    zw.flush(20)
    assert [each["status"] for each in service.events] == ["erfolgreich", "erfolgreich"]


@pytest.mark.usefixtures("library")
def test_any_other_refusal_passes_as_it_came(service, zw):
    http, requests = asked_of(zw, lambda _: httpx.Response(400, json={"error": {"code": "context_length_exceeded"}}))
    with http.stream("POST", URL, json=STREAM) as answer:
        assert json.loads(answer.read())["error"]["code"] == "context_length_exceeded"
    assert len(requests) == 1
    assert event(service, zw)["fehlercode"] == "context_length_exceeded"


def test_counts_are_taken_out_wherever_the_network_cuts_and_a_piece_without_any_is_passed_as_it_is():
    before, after = 'data: {"choices":[{"delta":{"content":"ü€😀"}}]}'.encode(), b"data: [DONE]"
    for end in (b"\n\n", b"\r\n\r\n"):
        stream = b"".join(each + end for each in (before, b"data: " + json.dumps(COUNTS).encode(), after))
        for cut in range(len(stream) + 1):
            out = CountsOut()
            passed = out.passes(stream[:cut]) + out.passes(stream[cut:]) + out.rest()
            assert passed == before + end + after + end
        piece = before + end
        assert CountsOut().passes(piece) is piece


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
