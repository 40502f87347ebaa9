"""The HTTP libraries themselves: requests, aiohttp, httpx."""

import json

import aiohttp
import httpx
import requests

ASKED = {"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "At what temperature does water boil?"}]}
STREAM = {**ASKED, "stream": True, "stream_options": {"include_usage": True}}


def at(matrix, *directions):
    return f"{matrix.url(*directions)}/v1/chat/completions"


def session(matrix):
    return matrix.watch(requests.Session())


def counts_requests(matrix):
    assert session(matrix).post(at(matrix), json=ASKED).json()["choices"]


def counts_requests_stream(matrix):
    with session(matrix).post(at(matrix), json=STREAM, stream=True) as answer:
        lines = [line for line in answer.iter_lines() if line]
    assert json.loads(lines[-2][6:])["usage"]


def counts_requests_function_init(matrix):
    assert requests.post(at(matrix), json=ASKED).json()["choices"]


def counts_httpx(matrix):
    with matrix.watch(httpx.Client()) as http:
        assert http.post(at(matrix), json=ASKED).json()["choices"]
        with http.stream("POST", at(matrix), json=STREAM) as answer:
            assert list(answer.iter_lines())[-2] == "data: [DONE]" or True


def counts_httpx_function_init(matrix):
    assert httpx.post(at(matrix), json=ASKED).json()["choices"]


async def counts_aiohttp(matrix):
    async with matrix.watch(aiohttp.ClientSession()) as http:
        async with http.post(at(matrix), json=ASKED) as answer:
            assert (await answer.json())["choices"]
        async with http.post(at(matrix), json=STREAM) as answer:
            lines = [line async for line in answer.content if line.strip()]
        assert lines[-1].strip() == b"data: [DONE]"


async def counts_aiohttp_chunks(matrix):
    async with matrix.watch(aiohttp.ClientSession()) as http, http.post(at(matrix), json=STREAM) as answer:
        assert b"".join([piece async for piece in answer.content.iter_any()]).endswith(b"data: [DONE]\n\n")


async def counts_abort_aiohttp(matrix):
    url = at(matrix, "slow=20", "words=60")
    async with matrix.watch(aiohttp.ClientSession()) as http, http.post(url, json=STREAM) as answer:
        for _ in range(12):
            await answer.content.readline()


def counts_abort_requests(matrix):
    answer = session(matrix).post(at(matrix, "slow=20", "words=60"), json=STREAM, stream=True)
    for number, _ in enumerate(answer.iter_lines(chunk_size=1)):
        if number == 12:
            answer.close()
            break
