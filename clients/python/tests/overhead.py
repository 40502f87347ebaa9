"""What a call costs with and without being watched, and how much memory: against a transport that answers at once."""

from __future__ import annotations

import json
import statistics
import sys
import time
import tracemalloc
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1] / "src"))

from fake_service import FakeService

import zaehlwerk

ANSWER = json.dumps(
    {
        "id": "chatcmpl-CeXvq2N0mTz5b8aQwErTyUiOpAsDf",
        "model": "gpt-4o",
        "choices": [{"message": {"role": "assistant", "content": "Water boils at a hundred degrees. " * 30}}],
        "usage": {"prompt_tokens": 1_000, "completion_tokens": 200},
    }
).encode()
ASKED = {"model": "gpt-4o", "messages": [{"role": "user", "content": "At what temperature does water boil? " * 100}]}
ROUNDS, CALLS = 30, 100


def transport():
    return httpx.MockTransport(
        lambda _request: httpx.Response(
            200, headers={"content-type": "application/json"}, stream=httpx.ByteStream(ANSWER)
        )
    )


def cpu_per_call(client):
    """CPU milliseconds of the calling thread: a machine that is busy otherwise does not show in them."""
    times = []
    for _ in range(ROUNDS):
        begin = time.thread_time()
        for _ in range(CALLS):
            client.post("https://api.openai.com/v1/chat/completions", json=ASKED)
        times.append((time.thread_time() - begin) / CALLS * 1_000)
    return statistics.median(times)


def main():
    service = FakeService().start()
    service.fingerprint_key = "ab" * 32
    bare = cpu_per_call(httpx.Client(transport=transport()))
    tracemalloc.start()
    before = tracemalloc.take_snapshot()
    zw = zaehlwerk.Client(service.url, "key", buffer=False)
    client = zw.wrap(httpx.Client(transport=transport()))
    with zw.run(agent="a"):
        zw.guard()
        for _ in range(2_000):
            client.post("https://api.openai.com/v1/chat/completions", json=ASKED)
    peak = tracemalloc.get_traced_memory()[1]
    del before
    tracemalloc.stop()
    with zw.run(agent="a"):
        busy = cpu_per_call(client)
        later, zw.convert_later = zw.convert_later, lambda _work, _size: None
        alone = cpu_per_call(client)
        zw.convert_later = later
    begin = time.process_time()
    zw.flush(60)
    behind = time.process_time() - begin
    print(f"a call: {bare:.3f} ms; watched {alone - bare:.3f} ms more in the caller's thread")
    print(f"and {busy - bare:.3f} ms more while the background works for calls that follow each other without a pause")
    print(
        f"memory at its peak: {peak / 1e6:.1f} MB, for 2,000 calls as fast as they go (of which the service here keeps its own)"
    )
    print(zw.shutdown(), f"{behind:.2f} s")


if __name__ == "__main__":
    main()
