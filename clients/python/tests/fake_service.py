"""As much of the service as a client speaks to, for tests: takes events, says what is in force, and refuses when told to."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Refusal:
    """How the next request with events is answered."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None


class FakeService:
    """Listens from `start` to `stop`, on the same port each time."""

    def __init__(self, port: int = 0) -> None:
        self.events: list[dict[str, Any]] = []
        self.libraries: set[tuple[str, str]] = set()
        self.posts: list[tuple[str, bytes]] = []
        """Key and body of every request with events, also of refused ones."""
        self.questions: list[str] = []
        self.refusals: list[Refusal] = []
        self.fingerprint_key: str | None = None
        self.limit: float | None = None
        """What all calls may cost, at a token of input or output each an EUR; None: nothing limits them."""
        self.reserved: dict[str, float] = {}
        self.wishes: list[dict[str, Any]] = []
        self._eingriffe: list[dict[str, Any]] = []
        self._tag = 0
        self._changed = threading.Condition()
        self._port = port
        self._server: ThreadingHTTPServer | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> FakeService:
        service = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, format: str, *args: Any) -> None:
                pass

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                if self.path == "/eingriffe":
                    service.intervene(*json.loads(body))
                    self._reply(200, {})
                elif self.path == "/v1/reservierungen":
                    self._reply(200, service._reserve(json.loads(body)))
                else:
                    self._reply(*service._take(self.headers["idempotency-key"], body))

            def do_GET(self) -> None:
                if self.path.startswith("/v1/eingriffe/aktiv"):
                    self._reply(*service._tell(self.path, self.headers["if-none-match"]))
                else:
                    self._reply(200, service.events)

            def _reply(self, status: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
                written = b"" if body is None else json.dumps(body).encode()
                self.send_response(status)
                for name, value in (headers or {}).items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(written)))
                self.end_headers()
                self.wfile.write(written)

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            allow_reuse_address = True
            # A hundred connect at once; by itself five may wait.
            request_queue_size = 128

            def handle_error(self, request: Any, client_address: Any) -> None:
                pass

        self._server = Server(("127.0.0.1", self._port), Handler)
        self._port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def stop(self) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def intervene(self, *eingriffe: dict[str, Any]) -> None:
        """From now on these are in force, and no others."""
        with self._changed:
            self._eingriffe = [
                {
                    "eingriff_id": f"e-{position}-{each.get('objekt')}",
                    "stufe": "sperren",
                    "objekt_art": "agent",
                    "objekt": "a",
                    "agent": each.get("objekt") if each.get("objekt_art", "agent") == "agent" else None,
                    "grund": "Von Hand.",
                    "grund_en": "By hand.",
                    "beginn": "2026-01-01T00:00:00Z",
                    "bis": None,
                    **each,
                }
                for position, each in enumerate(eingriffe)
            ]
            self._tag += 1
            self._changed.notify_all()

    def until(self, count: int, seconds: float = 30) -> list[dict[str, Any]]:
        """The events, once there are this many."""
        end = time.monotonic() + seconds
        while len(self.events) < count and time.monotonic() < end:
            time.sleep(0.01)
        assert len(self.events) >= count, f"{len(self.events)} events instead of {count}"
        return self.events

    def _take(self, key: str, body: bytes) -> tuple[int, Any, Mapping[str, str]]:
        self.posts.append((key, body))
        if self.refusals:
            refusal = self.refusals.pop(0)
            return refusal.status, refusal.body, refusal.headers
        events = json.loads(body)["ereignisse"]
        self.events.extend(self._without_library(each) for each in events)
        return 202, {"angenommen": len(events), "eingriffe": self._eingriffe}, {}

    def _without_library(self, event: dict[str, Any]) -> dict[str, Any]:
        """The event as it was handed over; which library names itself in it is kept apart."""
        zusatz = dict(event.get("zusatz") or {})
        self.libraries.add((zusatz.pop("bibliothek", ""), zusatz.pop("bibliothek_version", "")))
        return {**event, "zusatz": zusatz or None}

    def _tell(self, path: str, known: str | None) -> tuple[int, Any, Mapping[str, str]]:
        self.questions.append(path)
        with self._changed:
            end = time.monotonic() + 5
            while known == str(self._tag) and "warten" in path and time.monotonic() < end:
                self._changed.wait(0.2)
            tag = str(self._tag)
            if known == tag:
                return 304, None, {"etag": tag}
            scopes = [] if self.limit is None else [{"objekt_art": "mandant", "objekt": "", "je_lauf": False}]
            told = {"eingriffe": self._eingriffe, "harte_grenzen": scopes}
            return 200, {**told, "fingerabdruck_schluessel": self.fingerprint_key}, {"etag": tag}

    def spent(self) -> float:
        """What the calls have cost that have an event."""
        return sum((each.get("eingabe_token") or 0) + (each.get("ausgabe_token") or 0) for each in self.events)

    def _reserve(self, asked: dict[str, Any]) -> dict[str, Any]:
        with self._changed:
            for each in asked.get("zurueck", []):
                self.reserved[each["reservierung_id"]] -= float(each["betrag_eur"])
            self.wishes += asked.get("aufrufe", [])
            return {"reservierungen": [self._grant(each) for each in asked.get("aufrufe", [])]}

    def _grant(self, wish: dict[str, Any]) -> dict[str, Any]:
        booked = [each["zusatz"] for each in self.events if "reserviert_eur" in (each.get("zusatz") or {})]
        held = sum(self.reserved.values()) - sum(float(each["reserviert_eur"]) for each in booked)
        room = (self.limit or 0) - self.spent() - held
        highest = wish["eingabe_token"] + wish["ausgabe_token"]
        saetze = {"eingabe_eur": "1", "ausgabe_eur": "1", "aufruf_eur": "0", "bis_eingabe_token": None}
        answer: dict[str, Any] = {"hoechstkosten_eur": str(highest), "saetze": saetze, "reservierung_id": None}
        if room < highest:
            spent = {"verbraucht_eur": str(self.spent()), "reserviert_eur": str(held)}
            grenze = {
                "art": "regel",
                "name": "Tageslimit",
                "objekt_art": "mandant",
                "grenze_eur": str(self.limit),
                **spent,
            }
            return {**answer, "gewaehrt": False, "grenze": grenze}
        amount = max(highest, min(highest * wish["vorrat"], room / 8))
        name = f"00000000-0000-7000-8000-{len(self.reserved):012}"
        self.reserved[name] = amount
        return {**answer, "gewaehrt": True, "reservierung_id": name, "betrag_eur": str(amount), "grenze": None}
