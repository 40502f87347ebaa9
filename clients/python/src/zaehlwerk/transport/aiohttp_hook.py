"""aiohttp."""

from __future__ import annotations

import functools
import json
import sys
from collections.abc import AsyncIterator, Callable
from types import ModuleType
from typing import Any

from .observed import Observed

_MARK = "_zaehlwerk"


class TeeReader:
    """Stands for the body of a response: hands on what is read, and keeps a copy."""

    def __init__(self, reader: Any, observed: Observed) -> None:
        self._reader = reader
        self._observed = observed
        self._rest = b""
        """What ends the stream in the provider's words, once it is stopped."""
        self._ended = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)

    def _take(self, chunk: bytes) -> bytes:
        observed = self._observed
        stop = observed.stopped() if chunk else None
        if stop is not None:
            self._ended = True
            observed.finish(aborted=True)
            return observed.ending(stop)
        observed.passes(chunk)
        if self._reader.at_eof():
            observed.finish()
        return chunk

    async def _next(self, read: Callable[..., Any], *args: Any) -> bytes:
        if self._ended:
            return b""
        try:
            chunk: bytes = await read(*args)
        except BaseException:
            self._observed.finish(aborted=True)
            raise
        return self._take(chunk)

    def at_eof(self) -> bool:
        """As aiohttp has it."""
        return self._ended or bool(self._reader.at_eof())

    async def read(self, n: int = -1) -> bytes:
        """As aiohttp has it."""
        return await self._next(self._reader.read, n)

    async def readany(self) -> bytes:
        """As aiohttp has it."""
        return await self._next(self._reader.readany)

    async def readline(self, **kwargs: Any) -> bytes:
        """As aiohttp has it."""
        return await self._next(functools.partial(self._reader.readline, **kwargs))

    async def readuntil(self, separator: bytes = b"\n", **kwargs: Any) -> bytes:
        """As aiohttp has it."""
        return await self._next(functools.partial(self._reader.readuntil, separator, **kwargs))

    async def readexactly(self, n: int) -> bytes:
        """As aiohttp has it."""
        return await self._next(self._reader.readexactly, n)

    async def readchunk(self) -> tuple[bytes, bool]:
        """As aiohttp has it."""
        if self._ended:
            return b"", True
        chunk, is_end = await self._reader.readchunk()
        return self._take(chunk), is_end

    async def _pieces(self, read: Callable[[], Any]) -> AsyncIterator[bytes]:
        while chunk := await read():
            yield chunk

    def __aiter__(self) -> AsyncIterator[bytes]:
        return self._pieces(self.readline)

    def iter_any(self) -> AsyncIterator[bytes]:
        """As aiohttp has it."""
        return self._pieces(self.readany)

    def iter_chunked(self, n: int) -> AsyncIterator[bytes]:
        """As aiohttp has it."""
        return self._pieces(lambda: self.read(n))

    async def iter_chunks(self) -> AsyncIterator[tuple[bytes, bool]]:
        """As aiohttp has it."""
        while True:
            chunk, is_end = await self.readchunk()
            if not chunk and (is_end or self.at_eof()):
                return
            yield chunk, is_end


def _body_of(kwargs: dict[str, Any]) -> bytes | None:
    if kwargs.get("json") is not None:
        return json.dumps(kwargs["json"], default=str).encode()
    data = kwargs.get("data")
    return data.encode() if isinstance(data, str) else data if isinstance(data, bytes) else None


def _close_with(response: Any, observed: Observed) -> None:
    """Closing and releasing end a body that was not read to its end."""
    for name in ("close", "release"):
        original = getattr(response, name)

        def end(*args: Any, _original: Callable[..., Any] = original, **kwargs: Any) -> Any:
            found = _original(*args, **kwargs)
            observed.finish(aborted=True)
            return found

        setattr(response, name, end)


def _requester(original: Callable[..., Any], client_of: Callable[[], Any], is_wrapped: bool) -> Callable[..., Any]:
    @functools.wraps(original)
    async def request(*args: Any, **kwargs: Any) -> Any:
        method, url = args[-2:]
        observed = Observed.begin(client_of(), str(method), str(url), _body_of(kwargs), is_wrapped)
        if observed is None:
            return await original(*args, **kwargs)
        await observed.ask_async()
        with observed.under_way():
            response = await original(*args, **kwargs)
        observed.answered(response.status, response.headers)
        response.content = TeeReader(response.content, observed)
        _close_with(response, observed)
        return response

    setattr(request, _MARK, True)
    return request


def hook_module(module: ModuleType, client_of: Callable[[], Any]) -> None:
    """`aiohttp.client`: all sessions, also those made before."""
    session = module.ClientSession
    if not hasattr(session._request, _MARK):
        session._request = _requester(session._request, client_of, False)


def hook_client(session: Any, client_of: Callable[[], Any]) -> bool:
    """This session alone; False where it is none."""
    module = sys.modules.get("aiohttp.client")
    if module is None or not isinstance(session, module.ClientSession):
        return False
    if not hasattr(session.__dict__.get("_request"), _MARK):
        object.__setattr__(session, "_request", _requester(session._request, client_of, True))
    return True
