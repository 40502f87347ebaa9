"""botocore, on which boto3 is built."""

from __future__ import annotations

import functools
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
        body = request.body if isinstance(request.body, bytes) else None
        observed = Observed.begin(client_of(), request.method, request.url, body, is_wrapped)
        if observed is None:
            return original(*args, **kwargs)
        observed.ask()
        with observed.under_way():
            response = original(*args, **kwargs)
        observed.answered(response.status_code, response.headers)
        if getattr(response, "_content", None) is None:
            response.raw = TeeRaw(response.raw, observed)
        else:
            observed.passes(response.content)
            observed.finish()
        return response

    setattr(send, _MARK, True)
    return send


def hook_module(module: ModuleType, client_of: Callable[[], Any]) -> None:
    """`botocore.httpsession`: all clients, also those made before."""
    session = module.URLLib3Session
    if not hasattr(session.send, _MARK):
        session.send = _sender(session.send, client_of, False)


def hook_client(library: Any, client_of: Callable[[], Any]) -> bool:
    """This client alone; False where it is none of boto3 or botocore."""
    session = getattr(getattr(library, "_endpoint", None), "http_session", None)
    if session is None or not hasattr(library, "meta"):
        return False
    if not hasattr(session.__dict__.get("send"), _MARK):
        session.send = _sender(session.send, client_of, True)
    return True
