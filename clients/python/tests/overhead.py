"""
What a call costs with and without being watched, and how much memory: against a transport that answers at once, or, with
`--network [pause in seconds]`, over a socket to a provider in another process, each prompt in a new order.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
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


PROVIDER = """
import socketserver, sys
ANSWER = sys.stdin.buffer.readline().strip()
class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        while self.rfile.readline():
            length = 0
            while (line := self.rfile.readline()) != b"\\r\\n":
                if line.lower().startswith(b"content-length:"): length = int(line.split(b":")[1])
            self.rfile.read(length)
            head = b"HTTP/1.1 200 OK\\r\\ncontent-type: application/json\\r\\ncontent-length: %d\\r\\n\\r\\n"
            self.wfile.write(head % len(ANSWER) + ANSWER)
with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
    server.daemon_threads = True
    print(server.server_address[1], flush=True)
    server.serve_forever()
"""
WORDS = [f"word{number}" for number in range(5_000)]
PAIRS = 300


def over_network(pause):
    """Pairs of a plain and a watched call, in either order; CPU time of the thread that calls."""
    service = FakeService().start()
    service.fingerprint_key = "ab" * 32
    process = subprocess.Popen([sys.executable, "-c", PROVIDER], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write(ANSWER + b"\n")
    process.stdin.flush()
    url = f"http://127.0.0.1:{int(process.stdout.readline())}/v1/chat/completions"
    zw = zaehlwerk.Client(service.url, "key", buffer=False)
    plain, watched = httpx.Client(), zw.wrap(httpx.Client())

    def cpu_of(client):
        asked = {"model": "gpt-4o", "messages": [{"role": "user", "content": " ".join(random.choices(WORDS, k=600))}]}
        time.sleep(pause)
        begin = time.thread_time()
        client.post(url, json=asked)
        return (time.thread_time() - begin) * 1_000

    direct, more = [], []
    with zw.run(agent="a"):
        zw.guard()
        for number in range(-30, PAIRS):
            order = (plain, watched) if number % 2 else (watched, plain)
            took = {client: cpu_of(client) for client in order}
            if number >= 0:
                direct.append(took[plain])
                more.append(took[watched] - took[plain])
    print(
        f"a call: {statistics.median(direct):.3f} ms; watched {statistics.median(more):.3f} ms more (median of pairs)"
    )
    process.kill()
    print(zw.shutdown())


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
    if "--network" in sys.argv:
        over_network(float((sys.argv[2:] or ["0.02"])[0]))
    else:
        main()
