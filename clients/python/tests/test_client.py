"""How events reach the service, and what the host notices of it: nothing."""

from __future__ import annotations

import json
import re
import threading
import time
import uuid
from pathlib import Path

import pytest
from fake_service import FakeService, Refusal

import zaehlwerk
from zaehlwerk.delivery.fate import retry_after_of
from zaehlwerk.delivery.sender import SenderOptions
from zaehlwerk.delivery.spool import Spool


def client(service, **options):
    sender = SenderOptions(**{"flush_interval": 0.05, "retry_delay": 0.02, **options.pop("sender", {})})
    return zaehlwerk.Client(service.url, "key", sender=sender, buffer=options.pop("buffer", False), **options)


def event(number=0, **more):
    return {"agent": "a", "modell": f"m{number}", "eingabe_token": number, **more}


def test_events_arrive_in_order_with_an_id_and_a_time(service):
    zw = client(service)
    for number in range(250):
        zw.send(event(number))
    stats = zw.flush(10)
    assert (stats.sent, stats.queued, stats.dropped, stats.last_error) == (250, 0, 0, None)
    assert [each["eingabe_token"] for each in service.events] == list(range(250))
    assert len({uuid.UUID(each["ereignis_id"]) for each in service.events}) == 250
    assert all(each["zeitpunkt"].endswith("Z") for each in service.events)
    assert max(len(json.loads(body)["ereignisse"]) for _, body in service.posts) == 100
    zw.shutdown()


def test_a_retry_repeats_key_and_bytes(service):
    service.refusals = [Refusal(503), Refusal(429, {"retry-after": "0"}), Refusal(409)]
    zw = client(service)
    zw.send(event())
    zw.flush(10)
    assert len(service.events) == 1
    assert len(service.posts) == 4
    assert len(set(service.posts)) == 1
    zw.shutdown()


def test_faulty_events_do_not_take_their_neighbours_along(service):
    detail = [{"loc": ["body", "ereignisse", 1, "agent"]}]
    service.refusals = [Refusal(422, body={"detail": detail})]
    zw = client(service)
    for number in range(3):
        zw.send(event(number))
    stats = zw.flush(10)
    assert [each["eingabe_token"] for each in service.events] == [0, 2]
    assert (stats.sent, stats.dropped) == (2, 1)
    assert service.posts[0][0] != service.posts[1][0]
    zw.shutdown()


def test_what_is_too_large_goes_in_halves(service):
    service.refusals = [Refusal(413)]
    zw = client(service)
    for number in range(4):
        zw.send(event(number))
    assert zw.flush(10).sent == 4
    assert [len(json.loads(body)["ereignisse"]) for _, body in service.posts] == [4, 2, 2]
    zw.shutdown()


def test_what_is_refused_for_good_is_dropped(service):
    service.refusals = [Refusal(401)]
    zw = client(service)
    zw.send(event())
    stats = zw.flush(10)
    assert (stats.sent, stats.dropped) == (0, 1)
    assert stats.last_error.startswith("HTTP 401")
    zw.shutdown()


def test_the_queue_is_bounded(service):
    service.stop()
    zw = client(service, sender={"max_queue": 10})
    for number in range(15):
        zw.send(event(number))
    assert zw.stats().dropped == 5
    service.start()
    assert zw.flush(10).sent == 10
    zw.shutdown()


def test_what_cannot_be_sent_raises_nothing(service):
    zw = client(service)
    zw.send({"zusatz": object()})
    zw.send({"eingabe_token": float("nan")})
    assert zw.stats().dropped == 2
    zw.shutdown()
    zw.send(event())
    assert zw.stats().dropped == 3


def test_names_itself_unless_the_call_names_another_library(service):
    zw = client(service)
    zw.send(event())
    zw.send(event(zusatz={"projekt": "p"}))
    zw.flush(10)
    assert service.libraries == {("zaehlwerk-python", zaehlwerk.__version__)}
    assert service.events[1]["zusatz"] == {"projekt": "p"}
    zw.send(event(zusatz={"bibliothek": "own", "bibliothek_version": "7"}))
    zw.shutdown()
    assert ("own", "7") in service.libraries


def test_the_version_is_that_of_the_package():
    project = Path(__file__).parent.parent / "pyproject.toml"
    assert f'\nversion = "{zaehlwerk.__version__}"\n' in project.read_text(encoding="utf-8")


def test_many_threads(service):
    zw = client(service)

    def work(thread):
        for number in range(200):
            zw.send(event(number, funktion_ref=str(thread)))

    threads = [threading.Thread(target=work, args=(thread,)) for thread in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert zw.flush(20).sent == 1_600
    for thread in range(8):
        own = [each["eingabe_token"] for each in service.events if each["funktion_ref"] == str(thread)]
        assert own == list(range(200))
    zw.shutdown()


def test_waits_on_the_disk_while_the_service_is_away(service, tmp_path):
    zw = client(service, buffer=tmp_path)
    service.stop()
    for number in range(30):
        zw.send(event(number, geheim=None))
    end = time.monotonic() + 20
    while not any(file.stat().st_size for file in tmp_path.glob("*.ndjson")) and time.monotonic() < end:
        time.sleep(0.01)
    assert list(tmp_path.glob("*.ndjson"))
    service.start()
    zw.flush(20)
    assert sorted(each["eingabe_token"] for each in service.events) == list(range(30))
    assert not list(tmp_path.glob("*.ndjson"))
    zw.shutdown()


def test_what_is_not_delivered_at_the_end_the_next_process_delivers(service, tmp_path):
    service.stop()
    first = client(service, buffer=tmp_path)
    for number in range(5):
        first.send(event(number))
    assert first.shutdown(5).dropped == 0
    (file,) = tmp_path.glob("*.ndjson")
    lines = file.read_text().splitlines()
    assert len(lines) == 5
    # As it is left by a process that is gone, in the middle of a line.
    gone = tmp_path / re.sub(r"\.\d+-.{8}", ".999999999-0badcafe", file.name)
    file.rename(gone)
    with gone.open("a") as more:
        more.write('{"agent":"cut o')
    service.start()
    second = client(service, buffer=tmp_path)
    second.send(event(5))
    second.flush(20)
    service.until(6)
    assert sorted(each["eingabe_token"] for each in service.events) == list(range(6))
    assert len({each["ereignis_id"] for each in service.events}) == 6
    assert not list(tmp_path.glob("*.ndjson"))
    second.shutdown()


def test_a_folder_of_somebody_else_is_not_used(service, tmp_path):
    open_to_all = tmp_path / "open"
    open_to_all.mkdir()
    open_to_all.chmod(0o777)
    service.stop()
    zw = client(service, buffer=open_to_all)
    zw.send(event())
    zw.shutdown(0.5)
    assert not list(open_to_all.iterdir())


def test_what_a_service_asks_to_wait():
    assert retry_after_of("3") == 3
    assert retry_after_of("99999") == 600
    assert retry_after_of("soon") is None
    assert retry_after_of(None) is None
    assert retry_after_of("Wed, 21 Oct 2015 07:28:00 GMT") == 0


def test_address_and_key_may_come_from_the_environment(monkeypatch):
    with pytest.raises(ValueError, match="ZAEHLWERK_URL"):
        zaehlwerk.Client(buffer=False)
    monkeypatch.setenv("ZAEHLWERK_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("ZAEHLWERK_KEY", "k")
    zaehlwerk.Client(buffer=False).shutdown(0)


def test_prints_come_with_the_key_of_the_mandant(service):
    service.fingerprint_key = "ab" * 32
    zw = client(service)
    exchange = zaehlwerk.Exchange(
        uri="https://api.openai.com/v1/chat/completions",
        request={"messages": [{"role": "user", "content": "Hello?"}]},
        status=200,
        content_type="application/json",
        body='{"choices":[]}',
    )
    zw.record(exchange)
    zw.guard({"agent": "a"})
    zw.record(exchange)
    zw.flush(10)
    before, after = service.events
    assert "prompt_fingerabdruck" not in before
    assert len(after["prompt_fingerabdruck"]) == 16
    assert "Hello" not in json.dumps(service.events)
    zw.shutdown()


def test_what_cannot_be_converted_is_told(service):
    told = []
    zw = client(service, on_unconverted=lambda reason, exchange: told.append(reason))
    zw.record(
        zaehlwerk.Exchange(
            uri="https://api.openai.com/v1/surprise", request={}, status=200, content_type="application/json", body="{}"
        )
    )
    assert told == ["no converter for POST api.openai.com/v1/surprise"]
    assert zw.stats().unconverted == 1
    zw.shutdown()


def test_the_disk_is_not_needed(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    service = FakeService().start()
    service.refusals = [Refusal(503)]
    zw = client(service, buffer=Path(blocked) / "inside")
    zw.send(event())
    zw.flush(10)
    assert len(service.events) == 1
    zw.shutdown()
    service.stop()


def test_a_file_that_another_process_takes_is_begun_anew(service, tmp_path):
    spool = Spool(tmp_path)
    assert spool.append(['{"eingabe_token":1}'])
    (file,) = tmp_path.glob("*.ndjson")
    file.rename(tmp_path / "taken")
    assert spool.append(['{"eingabe_token":2}'])
    lines, mark = spool.next(10)
    assert lines == ['{"eingabe_token":2}']
    spool.passed(mark)
    assert spool.is_empty()
    assert (tmp_path / "taken").read_text() == '{"eingabe_token":1}\n'


def test_the_disk_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr("zaehlwerk.delivery.spool._MAX_BYTES", 100)
    spool = Spool(tmp_path)
    assert spool.append(["{" + "x" * 60 + "}"])
    assert not spool.append(["{" + "x" * 60 + "}"])
