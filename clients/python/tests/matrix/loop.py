"""
A loop in each library is stopped by a real service within ten calls:

    python tests/matrix/loop.py --service http://127.0.0.1:8080 [--only openai] [--cache DIR]

Registers a Mandant there and arms the rule against exact loops; makes environments as `run.py` does.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import urllib.request
import uuid
from pathlib import Path
from typing import Any

from run import HERE, MATRIX, PACKAGE, fake_providers, python_of

MOST_CALLS = 10
A_LOOP = 5
"""The rule takes this number of calls alike for a loop, by default."""


def ask(url: str, body: Any, cookie: str = "") -> tuple[Any, str]:
    request = urllib.request.Request(
        url, json.dumps(body).encode(), {"content-type": "application/json", "cookie": cookie}, method="POST"
    )
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read()), (answer.headers["set-cookie"] or "").split(";")[0]


def register(service: str) -> str:
    """A key of a Mandant of its own, whose runs are stopped when they loop."""
    account = {"firma": "Muster GmbH", "email": f"{uuid.uuid4()}@example.org", "passwort": "richtig-lang-genug"}
    _, cookie = ask(f"{service}/v1/registrieren", account)
    key, _ = ask(f"{service}/v1/cockpit/konto/schluessel", {}, cookie)
    # The stand-in of the provider counts no more input however long the conversation is.
    parameter = {"ohne_verlauf": A_LOOP}
    rule = {"typ": "schleife_exakt", "stufe": "anhalten", "schattenbetrieb": False, "parameter": parameter}
    ask(f"{service}/v1/cockpit/regeln", rule, cookie)
    return str(key["schluessel"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--service", required=True)
    parser.add_argument("--only", action="append", default=[], help="names that begin so")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "zaehlwerk-matrix")
    given = parser.parse_args()
    wrong = 0
    with fake_providers() as providers:
        for name, (case, _, packages) in MATRIX.items():
            if given.only and not any(name.startswith(each) for each in given.only):
                continue
            python = python_of(given.cache, name, packages)
            command = [python, str(HERE / "driver.py"), case, "loop", providers, given.service, register(given.service)]
            environment = {"PYTHONPATH": str(PACKAGE / "src")}
            done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
            calls = int(done.stdout.split()[-1]) if done.returncode == 0 else None
            good = calls is not None and calls <= MOST_CALLS
            wrong += not good
            told = f"stopped after {calls} calls" if calls is not None else f"WRONG {done.stderr[-500:]}"
            print(f"{name}: {told}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
