"""requests."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from .observed import Observed
from .raw import TeeRaw

_MARK = "_zaehlwerk"


def _sender(original: Callable[..., Any], client_of: Callable[[], Any], is_wrapped: bool) -> Callable[..., Any]:
    @functools.wraps(original)
    def send(*args: Any, **kwargs: Any) -> Any:
        request = kwargs["request"] if "request" in kwargs else args[-1]
        body = request.body.encode() if isinstance(request.body, str) else request.body
        seen = body if isinstance(body, bytes) else None
        observed = Observed.begin(client_of(), request.method or "", request.url or "", seen, is_wrapped)
        if observed is None:
            return original(*args, **kwargs)
        observed.ask()
        with observed.under_way():
            response = original(*args, **kwargs)
        observed.answered(response.status_code, response.headers)
        if kwargs.get("stream") and not response._content_consumed:
            response.raw = TeeRaw(response.raw, observed)
        else:
            observed.passes(response.content or b"")
            observed.finish()
        return response

    setattr(send, _MARK, True)
    return send


def hook_module(module: ModuleType, client_of: Callable[[], Any]) -> None:
    """`requests.sessions`: all sessions, also those made before."""
    session = module.Session
    if not hasattr(session.send, _MARK):
        session.send = _sender(session.send, client_of, False)


def hook_client(session: Any, client_of: Callable[[], Any]) -> bool:
    """This session alone; False where it is none."""
    module = sys.modules.get("requests.sessions")
    if module is None or not isinstance(session, module.Session):
        return False
    if not hasattr(session.__dict__.get("send"), _MARK):
        session.send = _sender(session.send, client_of, True)
    return True
