"""Ends and copies of processes: nothing is lost, nothing is sent twice, and the host ends as it would without us."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

BEGIN = """
import os, signal, sys, threading, time
sys.path.insert(0, {src!r})
import zaehlwerk
zw = zaehlwerk.Client({url!r}, "key", buffer={buffer!r}, sender=zaehlwerk.SenderOptions(flush_interval={interval}))

def wait():
    # In pieces: Python 3.14 hears of a signal that comes right before a sleep only after it.
    while True: time.sleep(0.05)
"""

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")


def start(service, code, interval=60.0, buffer=False):
    begin = BEGIN.format(
        src=str(Path(__file__).parents[1] / "src"), url=service.url, interval=interval, buffer=buffer and str(buffer)
    )
    return subprocess.Popen(
        [sys.executable, "-W", "ignore::DeprecationWarning", "-c", begin + textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(service, code, **options):
    process = start(service, code, **options)
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def numbers(service):
    return sorted(each["eingabe_token"] for each in service.events)


@pytest.mark.parametrize(
    ("end", "code"),
    [("", 0), ("sys.exit(3)", 3), ("raise ValueError('own')", 1), ("import asyncio; asyncio.run(asyncio.sleep(0))", 0)],
)
def test_a_script_that_ends_has_delivered(service, end, code):
    returned, _, err = run(service, f"zw.send({{'eingabe_token': 1}})\n{end}")
    assert returned == code
    assert numbers(service) == [1]
    assert "zaehlwerk" not in err


def test_what_passed_at_the_very_end_is_converted(service):
    code = """
        body = '{"model":"gpt-4o","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":1}}'
        exchange = zaehlwerk.Exchange("https://api.openai.com/v1/chat/completions", {}, 200, "application/json", body)
        zw.convert_later(lambda: zw.record(exchange), len(body))
    """
    assert run(service, code)[0] == 0
    assert numbers(service) == [7]


def test_sigterm_ends_the_process_as_it_would_after_delivering(service):
    process = start(service, "zw.send({'eingabe_token': 1}); print('ready', flush=True); wait()")
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    assert process.returncode == -signal.SIGTERM
    assert numbers(service) == [1]


def test_a_host_that_handles_sigterm_keeps_doing_so(service):
    code = """
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
        zaehlwerk.Client(zw._base_url, "key", buffer=False)
        zw.send({'eingabe_token': 1}); print('ready', flush=True); wait()
    """
    process = start(service, code)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=30)
    assert process.returncode == 7
    assert numbers(service) == [1]


def test_ctrl_c_is_a_keyboard_interrupt_and_delivers(service):
    code = """
        zw.send({'eingabe_token': 1})
        try: print('ready', flush=True); wait()
        except KeyboardInterrupt: sys.exit(9)
    """
    process = start(service, code)
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 9
    assert numbers(service) == [1]


def test_away_at_the_end_it_is_on_the_disk_and_the_process_ends(service, tmp_path):
    service.stop()
    returned, _, err = run(service, "zw.send({'eingabe_token': 1})", buffer=tmp_path)
    assert (returned, err) == (0, "")
    assert len(list(tmp_path.glob("*.ndjson"))) == 1
    service.start()
    run(service, "zw.send({'eingabe_token': 2}); zw.flush()", buffer=tmp_path)
    assert numbers(service) == [1, 2]
    assert not list(tmp_path.glob("*.ndjson"))


def test_killed_while_the_service_is_away_nothing_is_lost(service, tmp_path):
    service.stop()
    code = """
        for number in range(50): zw.send({'eingabe_token': number})
        while not any(os.scandir(sys.argv[-1] if len(sys.argv) > 1 else {0!r})): time.sleep(0.01)
        time.sleep(0.5); print('ready', flush=True); wait()
    """.replace("{0!r}", repr(str(tmp_path)))
    process = start(service, code, interval=0.05, buffer=tmp_path)
    assert process.stdout.readline() == "ready\n"
    process.kill()
    process.communicate()
    service.start()
    run(service, "zw.flush()", buffer=tmp_path)
    assert numbers(service) == list(range(50))


@needs_fork
def test_a_fork_sends_its_own_and_not_twice(service):
    code = """
        zw.send({'eingabe_token': 0})
        zw.guard({'agent': 'a'})
        children = []
        for number in (1, 2, 3):
            pid = os.fork()
            if pid == 0:
                zw.send({'eingabe_token': number})
                zw.guard({'agent': 'a'})
                sys.exit(0)
            children.append(pid)
        for pid in children: os.waitpid(pid, 0)
        zw.send({'eingabe_token': 4})
    """
    returned, _, err = run(service, code)
    assert (returned, err) == (0, "")
    assert numbers(service) == [0, 1, 2, 3, 4]


@needs_fork
def test_a_fork_while_threads_are_at_work(service):
    code = """
        stop = threading.Event()
        def work():
            while not stop.is_set(): zw.send({'eingabe_token': 0}); time.sleep(0.001)
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads: thread.start()
        for number in range(1, 11):
            pid = os.fork()
            if pid == 0:
                zw.send({'eingabe_token': number}); zw.flush(20); os._exit(0)
            os.waitpid(pid, 0)
        stop.set()
        for thread in threads: thread.join()
        print(zw.shutdown().sent)
    """
    returned, out, err = run(service, code, interval=0.01)
    assert returned == 0, err
    found = numbers(service)
    assert [each for each in found if each] == list(range(1, 11))
    assert found.count(0) == int(out)
    assert len({each["ereignis_id"] for each in service.events}) == len(service.events)


@needs_fork
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_children_of_multiprocessing_deliver(service, tmp_path, method):
    file = tmp_path / "host.py"
    begin = BEGIN.format(src=str(Path(__file__).parents[1] / "src"), url=service.url, interval=60.0, buffer=False)
    file.write_text(
        begin
        + textwrap.dedent(
            f"""
            import multiprocessing
            def work(number): zw.send({{'eingabe_token': number}})
            if __name__ == "__main__":
                context = multiprocessing.get_context({method!r})
                children = [context.Process(target=work, args=(number,)) for number in (1, 2)]
                for child in children: child.start()
                for child in children: child.join()
            """
        )
    )
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert numbers(service) == [1, 2]
