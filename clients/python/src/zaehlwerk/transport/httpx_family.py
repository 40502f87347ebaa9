"""httpx and httpx2, on which most libraries are built."""

from __future__ import annotations

import functools
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from types import ModuleType
from typing import Any

from ..conversion.json_values import Json
from ..errors import Refusal
from .observed import Observed, carrier, refuse
from .refusal import error_body
from .usage_asked import may_refuse

ClientOf = Callable[[], Any]
"""The client that hears of calls, None where there is none."""

_MARK = "_zaehlwerk"


def _body_of(request: Any) -> bytes | dict[str, Json] | None:
    content = getattr(request, "_content", None)
    if isinstance(content, bytes):
        return content
    fields = getattr(getattr(request, "stream", None), "fields", None)
    if fields is None:
        return None
    return {each.name: each.value for each in fields if isinstance(getattr(each, "value", None), str)}


@functools.cache
def _tees(module: ModuleType) -> tuple[type, type]:
    """Streams that hand on what comes, and keep a copy."""

    class Tee(module.SyncByteStream):  # type: ignore[misc,name-defined]
        def __init__(self, stream: Any, observed: Observed) -> None:
            self._stream = stream
            self._observed = observed

        def __iter__(self) -> Iterator[bytes]:
            observed = self._observed
            try:
                for chunk in self._stream:
                    stop = observed.stopped()
                    if stop is not None:
                        yield observed.ending(stop)
                        return
                    passed = observed.passes(chunk)
                    if passed:
                        yield passed
                rest = observed.rest()
                if rest:
                    yield rest
            except BaseException:
                observed.finish(aborted=True, is_packed=True)
                raise
            observed.finish(is_packed=True)

        def close(self) -> None:
            self._stream.close()
            self._observed.finish(aborted=True, is_packed=True)

    class AsyncTee(module.AsyncByteStream):  # type: ignore[misc,name-defined]
        def __init__(self, stream: Any, observed: Observed) -> None:
            self._stream = stream
            self._observed = observed

        async def __aiter__(self) -> AsyncIterator[bytes]:
            observed = self._observed
            try:
                async for chunk in self._stream:
                    stop = observed.stopped()
                    if stop is not None:
                        yield observed.ending(stop)
                        return
                    passed = observed.passes(chunk)
                    if passed:
                        yield passed
                rest = observed.rest()
                if rest:
                    yield rest
            except BaseException:
                observed.finish(aborted=True, is_packed=True)
                raise
            observed.finish(is_packed=True)

        async def aclose(self) -> None:
            await self._stream.aclose()
            self._observed.finish(aborted=True, is_packed=True)

    return Tee, AsyncTee


def _watch(module: ModuleType, response: Any, observed: Observed, is_async: bool) -> None:
    observed.answered(response.status_code, response.headers)
    content = getattr(response, "_content", None)
    if isinstance(content, bytes):
        observed.passes(content)
        observed.finish()
        return
    tee, async_tee = _tees(module)
    response.stream = (async_tee if is_async else tee)(response.stream, observed)


def _asking(module: ModuleType, request: Any, observed: Observed) -> Any | None:
    """The request with the counts of its stream asked for, unpacked; None where it stays as it is."""
    # Nobody knows what stands behind an address that a host calls itself; what is signed has to stay as it is.
    is_of_library = carrier.get() is not None
    is_signed = request.headers.get("authorization", "").startswith("AWS4")
    body = observed.body_that_asks() if is_of_library and not is_signed else None
    if body is None:
        return None
    headers = request.headers.copy()
    headers.update({"content-length": str(len(body)), "accept-encoding": "identity"})
    return module.Request(request.method, request.url, headers=headers, content=body, extensions=request.extensions)


def _with(request: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """What `send` is given, with another request."""
    return (args, {**kwargs, "request": request}) if "request" in kwargs else ((*args[:-1], request), kwargs)


def _refused(module: ModuleType, request: Any, observed: Observed, error: Exception) -> Any:
    """An answer that the library takes for the provider's, and does not try again."""
    return module.Response(
        400,
        headers={"content-type": "application/json", "x-should-retry": "false"},
        content=error_body(observed.form, str(error)),
        request=request,
    )


def _begin(client_of: ClientOf, request: Any, is_wrapped: bool) -> Observed | None:
    return Observed.begin(client_of(), request.method, str(request.url), _body_of(request), is_wrapped)


def _sync(
    module: ModuleType, original: Callable[..., Any], client_of: ClientOf, is_wrapped: bool
) -> Callable[..., Any]:
    def send_asking(request: Any, observed: Observed, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Asks for counts as well; where the server does not know that, sends the request as it was."""
        asking = _asking(module, request, observed)
        if asking is not None:
            others, named = _with(asking, args, kwargs)
            response = original(*others, stream=True, **named)
            answer = response.read() if may_refuse(response.status_code) else b""
            if not observed.is_question_refused(response.status_code, answer):
                response.request = request
                return response
        return original(*args, stream=True, **kwargs)

    @functools.wraps(original)
    def send(*args: Any, stream: bool = False, **kwargs: Any) -> Any:
        request = kwargs["request"] if "request" in kwargs else args[-1]
        observed = _begin(client_of, request, is_wrapped)
        if observed is None:
            return original(*args, stream=stream, **kwargs)
        try:
            observed.ask()
        except Refusal as error:
            if refuse(error):
                return _refused(module, request, observed, error)
            raise
        with observed.under_way():
            response = send_asking(request, observed, args, kwargs)
        _watch(module, response, observed, is_async=False)
        if not stream:
            try:
                response.read()
            except BaseException:
                response.close()
                raise
        return response

    setattr(send, _MARK, True)
    return send


def _async(
    module: ModuleType, original: Callable[..., Any], client_of: ClientOf, is_wrapped: bool
) -> Callable[..., Any]:
    async def send_asking(request: Any, observed: Observed, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Asks for counts as well; where the server does not know that, sends the request as it was."""
        asking = _asking(module, request, observed)
        if asking is not None:
            others, named = _with(asking, args, kwargs)
            response = await original(*others, stream=True, **named)
            answer = await response.aread() if may_refuse(response.status_code) else b""
            if not observed.is_question_refused(response.status_code, answer):
                response.request = request
                return response
        return await original(*args, stream=True, **kwargs)

    @functools.wraps(original)
    async def send(*args: Any, stream: bool = False, **kwargs: Any) -> Any:
        request = kwargs["request"] if "request" in kwargs else args[-1]
        observed = _begin(client_of, request, is_wrapped)
        if observed is None:
            return await original(*args, stream=stream, **kwargs)
        try:
            await observed.ask_async()
        except Refusal as error:
            if refuse(error):
                return _refused(module, request, observed, error)
            raise
        with observed.under_way():
            response = await send_asking(request, observed, args, kwargs)
        _watch(module, response, observed, is_async=True)
        if not stream:
            try:
                await response.aread()
            except BaseException:
                await response.aclose()
                raise
        return response

    setattr(send, _MARK, True)
    return send


def hook_module(module: ModuleType, client_of: ClientOf) -> None:
    """All clients of the module, also those made before."""
    for name, made in (("Client", _sync), ("AsyncClient", _async)):
        kind = getattr(module, name)
        if not hasattr(kind.send, _MARK):
            kind.send = made(module, kind.send, client_of, False)


def hook_client(http_client: Any, client_of: ClientOf) -> bool:
    """This client alone; False where it is none of httpx or httpx2."""
    for name in ("httpx", "httpx2"):
        module = sys.modules.get(name)
        if module is None:
            continue
        for kind, made in ((module.Client, _sync), (module.AsyncClient, _async)):
            if isinstance(http_client, kind):
                if not hasattr(http_client.__dict__.get("send"), _MARK):
                    http_client.send = made(module, http_client.send, client_of, True)
                return True
    return False
