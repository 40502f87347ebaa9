"""
Requests to the service. By the standard library alone, so that what observes the HTTP libraries of the host never sees
them.
"""

from __future__ import annotations

import codecs
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO, Any, NoReturn

# What names of hosts are encoded by is loaded with the first of them. A process that forks while a thread does that leaves its
# child waiting for that thread for ever.
codecs.lookup("idna")


@dataclass(frozen=True)
class Reply:
    """What the service answered."""

    status: int
    headers: Mapping[str, str]
    """By their names in lower case."""
    body: str


class _Unfollowed(urllib.request.HTTPRedirectHandler):
    """A key goes nowhere but where it was meant for."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> NoReturn:
        raise urllib.error.HTTPError(req.full_url, code, msg, headers, fp)


def _reply_of(answer: Any) -> Reply:
    headers = {name.lower(): value for name, value in answer.headers.items()}
    return Reply(answer.status, headers, answer.read().decode(errors="replace"))


class Connection:
    """Asks the service under a key. Raises OSError or HTTPException where no answer comes."""

    def __init__(self, base_url: str, key: str) -> None:
        self._base_url = base_url.rstrip("/")
        self._key = key
        self._opener: urllib.request.OpenerDirector | None = None

    def ask(
        self, method: str, path: str, timeout: float, headers: Mapping[str, str], body: bytes | None = None
    ) -> Reply:
        """One request, whatever it is answered."""
        # Made when it is first needed: certificates take their time to load.
        opener = self._opener = self._opener or urllib.request.build_opener(_Unfollowed())
        request = urllib.request.Request(
            self._base_url + path,
            data=body,
            method=method,
            headers={"authorization": f"Bearer {self._key}", "user-agent": "zaehlwerk-python", **headers},
        )
        try:
            with opener.open(request, timeout=timeout) as answer:
                return _reply_of(answer)
        except urllib.error.HTTPError as refusal:
            with refusal:
                return _reply_of(refusal)
