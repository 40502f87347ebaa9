"""
One library against the fake providers, run inside its virtual environment: `driver.py <case> <init|wrap> <providers>`. Prints what was found wrong, one line each, and ends with 1 then.
"""

from __future__ import annotations

import asyncio
import importlib
import inspect
import json
import sys
import time
import traceback
import urllib.request
import uuid
from pathlib import Path
from typing import Any

import zaehlwerk

sys.path.insert(0, str(Path(__file__).parent / "cases"))
sys.path.insert(0, str(Path(__file__).parents[1]))

from fake_service import FakeService

NAMESPACE = uuid.UUID("7c9d1f5e-1f0b-4f0a-9a53-0f6c2f6b8a11")


def get(url: str) -> Any:
    with urllib.request.urlopen(url) as answer:
        return json.loads(answer.read())


def own_id(name: str) -> str:
    return str(uuid.uuid5(NAMESPACE, f"answer {name}"))


class Matrix:
    """What a case may use, and what is held against the truth."""

    def __init__(self, case: str, mode: str, providers: str) -> None:
        self.case, self.mode, self.providers = case, mode, providers
        self.service = FakeService().start()
        self.faults: list[str] = []
        self.mark = f"{case}-{mode}-{uuid.uuid4().hex[:6]}"
        self.agent = f"matrix/{self.mark}"
        self.tag = ""
        self.always: tuple[str, ...] = ()
        """Directions of every call."""
        make = zaehlwerk.init if mode == "init" else zaehlwerk.Client
        options = zaehlwerk.GuardOptions(throttle=0.3)
        self.zw = make(self.service.url, "key", agent=self.agent, guard=options, buffer=False)

    def url(self, *directions: str) -> str:
        return f"{self.providers}/~{','.join((self.tag, *self.always, *directions))}"

    def watch(self, library: Any) -> Any:
        """In the mode `wrap` the library's client is handed over."""
        return self.zw.wrap(library) if self.mode == "wrap" else library

    def truth(self) -> list[dict[str, Any]]:
        return list(get(f"{self.providers}/truth?tag={self.tag}"))

    def says_usage(self) -> bool:
        """Whether the provider was asked for its counts in each call of the case."""
        return all(each["saysUsage"] for each in self.truth())

    def events(self, lauf_id: str) -> list[dict[str, Any]]:
        self.zw.flush(20)
        return [each for each in self.service.events if each.get("lauf_id") == lauf_id]

    def call(self, name: str, function: Any) -> Any:
        self.tag = f"{self.mark}-{name}-{uuid.uuid4().hex[:6]}"
        if inspect.iscoroutinefunction(function):
            return asyncio.run(function(self))
        return function(self)

    def fault(self, name: str, what: str) -> None:
        self.faults.append(f"{self.case} {self.mode} {name}: {what}")

    def counts(self, name: str, function: Any) -> None:
        """All that the provider answered is counted, once, in a run, as it is."""
        with self.zw.run(agent=self.agent, endkunde="K-1") as run:
            self.call(name, function)
        truth, events = self.truth(), self.events(run.lauf_id)
        if not truth:
            return self.fault(name, "no call was made")
        if len(events) != len(truth):
            return self.fault(name, f"{len(truth)} calls, {len(events)} events")
        if sorted(each["schritt_nr"] for each in events) != list(range(1, len(truth) + 1)):
            self.fault(name, f"steps {[each['schritt_nr'] for each in events]}")
        # What was called at once may have been counted in another order.
        order = {own_id(each["answerId"]): position for position, each in enumerate(truth)}
        events.sort(key=lambda each: (order.get(each["ereignis_id"], len(order)), each["schritt_nr"]))
        truth.sort(key=lambda each: 0 if each["answerId"] else 1)
        for true, event in zip(truth, events, strict=True):
            answered = true["status"] == 200
            known = answered and true["saysUsage"]
            aborted = answered and not true["complete"]
            want = {
                "agent": self.agent,
                "endkunde_ref": "K-1",
                "modell": true["model"],
                "status": "erfolgreich" if answered else "fehler",
            }
            if known and not aborted:
                want |= {
                    "eingabe_token": true["input"],
                    "ausgabe_token": true["output"],
                    "werkzeugaufrufe": true["toolCalls"],
                }
                if true["cacheRead"]:
                    want["cache_lese_token"] = true["cacheRead"]
                if true["reasoning"]:
                    want["denk_token"] = true["reasoning"]
            # What a provider counts as it goes stands, the rest is estimated.
            if aborted and (event["eingabe_token"] is None or event["ausgabe_token"] is None):
                self.fault(name, f"nothing of an aborted stream: {event}")
            if aborted and true["form"] != "gemini":
                want["geschaetzt"] = True
            if true["answerId"]:
                want["ereignis_id"] = own_id(true["answerId"])
            wrong = {each: (event.get(each), value) for each, value in want.items() if event.get(each) != value}
            if wrong:
                self.fault(name, f"(is, should be) {wrong}")
        return None

    def told(self, name: str, function: Any) -> None:
        """Without a `run` the framework tells the agent, and one run for all calls."""
        self.service.events.clear()
        agent = self.call(name, function)
        self.zw.flush(20)
        found = [(each["agent"], each.get("lauf_id"), each.get("schritt_nr")) for each in self.service.events]
        runs = {lauf for _, lauf, _ in found}
        right = {each for each, _, _ in found} == {agent} and len(runs) == 1 and None not in runs
        if not right or sorted(step for _, _, step in found) != list(range(1, len(self.truth()) + 1)):
            self.fault(name, f"told {found}")

    def is_refused(self, name: str, function: Any) -> None:
        """Of a blocked agent no call is made, and the caller gets the error itself."""
        calls = len(self.truth_of_all())
        try:
            with self.zw.run(agent=self.agent):
                self.call(name, function)
        except zaehlwerk.StoppedByIntervention:
            pass
        except BaseException as error:
            chain: BaseException | None = error
            while chain is not None and not isinstance(chain, zaehlwerk.StoppedByIntervention):
                chain = chain.__cause__ or chain.__context__
            if chain is None:
                self.fault(name, f"refused with {type(error).__name__}: {error}")
        else:
            self.fault(name, "not refused")
        if len(self.truth_of_all()) != calls:
            self.fault(name, "a refused call was made")

    def truth_of_all(self) -> list[dict[str, Any]]:
        return [each for each in get(f"{self.providers}/truth") if each["tag"].startswith(f"{self.mark}-")]

    def block(self, *eingriffe: dict[str, Any]) -> None:
        self.service.intervene(*eingriffe)
        end = time.monotonic() + 20
        while len(self.zw.guard_state().eingriffe) != len(eingriffe) and time.monotonic() < end:
            time.sleep(0.02)

    def ends(self, name: str, function: Any) -> None:
        """A stream under way of an agent that is blocked ends with an error, before its end."""
        self.call(name, lambda matrix: None)
        seen = 0
        try:
            with self.zw.run(agent=self.agent):
                for _piece in self.pieces(function):
                    seen += 1
                    if seen == 3:
                        self.block({"objekt": self.agent})
        except BaseException as error:
            if isinstance(error, (AssertionError, KeyboardInterrupt)):
                raise
            if "By hand" not in f"{error!r} {error} {getattr(error, 'body', '')} {getattr(error, 'response', '')}":
                self.fault(name, f"ended with {error!r}")
        else:
            self.fault(name, f"a stopped stream had no error, after {seen} pieces")
        finally:
            self.block()
        if seen > 60:
            self.fault(name, f"a stopped stream went on for {seen} pieces")

    def pieces(self, function: Any) -> Any:
        if not inspect.isasyncgenfunction(function):
            yield from function(self)
            return
        loop = asyncio.new_event_loop()
        produced = function(self)
        try:
            while True:
                try:
                    yield loop.run_until_complete(produced.__anext__())
                except StopAsyncIteration:
                    return
        finally:
            loop.run_until_complete(loop.shutdown_asyncgens())
            loop.close()


def loops(case: str, providers: str, service: str, key: str) -> None:
    """Against a real service: calls the same over and over until it is stopped; prints after how many calls."""
    matrix = Matrix(case, "init", providers)
    matrix.zw = zaehlwerk.init(service, key, buffer=False)
    matrix.always = ("loop", "slow=700")
    module = importlib.import_module(case)
    names = [name for name in vars(module) if name.startswith("counts_")]
    function = getattr(module, next((name for name in names if "tools" in name), names[0]))
    calls = 0
    with matrix.zw.run(agent=matrix.agent) as run:
        while calls < 40:
            try:
                matrix.call("loop", function)
            except Exception as error:
                chain: BaseException | None = error
                while chain is not None and not isinstance(chain, zaehlwerk.StoppedByIntervention):
                    chain = chain.__cause__ or chain.__context__
                if chain is None and "anhalten" in str(error):
                    # A stream under way ended with the provider's error; the next call is refused.
                    calls = len(matrix.truth_of_all())
                    continue
                if chain is None:
                    raise
                assert chain.eingriff.objekt == run.lauf_id, chain
                print(len(matrix.truth_of_all()))
                return
            calls = len(matrix.truth_of_all())
    sys.exit(f"{case}: not stopped after {calls} calls")


def main() -> None:
    if sys.argv[2] == "loop":
        return loops(sys.argv[1], *sys.argv[3:])
    case, mode, providers = sys.argv[1:]
    matrix = Matrix(case, mode, providers)
    module = importlib.import_module(case)
    attempts = {
        "counts": matrix.counts,
        "ends": matrix.ends,
        "told": matrix.told,
    }
    for name, function in list(vars(module).items()):
        kind, _, rest = name.partition("_")
        if kind not in attempts or (rest.endswith("_init") and mode != "init"):
            continue
        try:
            attempts[kind](name, function)
        except BaseException as error:
            matrix.fault(name, f"{type(error).__name__}: {error}\n{traceback.format_exc()}")
    matrix.zw.guard({"agent": matrix.agent})
    matrix.block({"objekt": matrix.agent})
    for name, function in list(vars(module).items()):
        is_call = name.startswith("counts_") and not name.startswith(("counts_fail", "counts_abort"))
        if is_call and not (name.endswith("_init") and mode != "init"):
            matrix.is_refused(name, function)
    matrix.block()
    stats = matrix.zw.shutdown()
    if stats.dropped or stats.unconverted or stats.last_error:
        matrix.fault("stats", str(stats))
    print("\n".join(matrix.faults))
    sys.exit(1 if matrix.faults else 0)


if __name__ == "__main__":
    main()
