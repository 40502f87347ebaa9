"""
LiteLLM. Where `init` watches the program, its calls are seen on their way. The callback is for where it does not (a proxy
of LiteLLM, a client that is not watched): a call that comes twice has the same id and counts once.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..conversion.answer_id import id_of_answer
from ..conversion.exchange import Event
from ..conversion.hosts import provider_named
from ..conversion.json_values import Json, at, count, entries, text
from ..conversion.usage_event import iso

if TYPE_CHECKING:
    from ..client import Client

_OWN_NAMES = {
    "gemini": "google",
    "vertex_ai": "google",
    "azure_ai": "azure",
    "bedrock": "aws",
    "together_ai": "together",
}


def _moment(seconds: Json) -> str | None:
    return iso(datetime.fromtimestamp(seconds, timezone.utc)) if isinstance(seconds, (int, float)) else None


def _anbieter(said: str | None) -> str | None:
    return None if said is None else _OWN_NAMES.get(said) or provider_named(said) or said


def _millis(begin: Json, end: Json) -> int | None:
    if not isinstance(begin, (int, float)) or not isinstance(end, (int, float)) or end < begin:
        return None
    return round((end - begin) * 1_000)


def _first(*values: Any) -> Any:
    return next((value for value in values if value is not None), None)


def event_of(logged: Mapping[str, Json], answer: Any) -> Event | None:
    """The event of what LiteLLM calls its standard payload; None where its cache answered, which costs nothing."""
    payload = dict(logged)
    if payload.get("cache_hit"):
        return None
    usage = at(payload, "metadata", "usage_object")
    name = text(_first(getattr(answer, "id", None), payload.get("id")))
    letters = 0 if name is None else sum(char.isascii() and char.isalnum() for char in name)
    is_error = payload.get("status") == "failure"
    eingabe, ausgabe = count(payload.get("prompt_tokens")), count(payload.get("completion_tokens"))
    choices = entries(at(payload.get("response"), "choices"))
    error = payload.get("error_information")
    return {
        **({"ereignis_id": id_of_answer(name, 0)} if name is not None and letters >= 20 else {}),
        "zeitpunkt": _moment(payload.get("startTime")),
        "anbieter": _anbieter(text(payload.get("custom_llm_provider"))),
        "modell": (text(payload.get("model")) or "").rsplit("/", 1)[-1] or None,
        "eingabe_token": None if is_error else eingabe,
        "ausgabe_token": None if is_error else ausgabe,
        "cache_lese_token": count(at(usage, "prompt_tokens_details", "cached_tokens")),
        "cache_schreib_token": count(at(usage, "cache_creation_input_tokens")),
        "denk_token": count(at(usage, "completion_tokens_details", "reasoning_tokens")),
        "werkzeugaufrufe": sum(len(entries(at(choice, "message", "tool_calls"))) for choice in choices),
        "latenz_ms": _millis(payload.get("startTime"), payload.get("endTime")),
        "status": "fehler" if is_error else "erfolgreich",
        "fehlercode": (text(at(error, "error_code")) or text(at(error, "error_class"))) if is_error else None,
        # Whatever its provider does, LiteLLM counts the cache as a part of the input.
        "zusatz": None if is_error else {"eingabe_umfasst_cache": True},
    }


def callback(client: Client) -> Any:
    """A logger of LiteLLM: `litellm.callbacks = [zw.litellm_callback()]`."""
    base = import_module("litellm.integrations.custom_logger").CustomLogger

    class ZaehlwerkLogger(base):  # type: ignore[misc,valid-type]
        def _tell(self, kwargs: Mapping[str, Any], answer: Any) -> None:
            try:
                logged = kwargs.get("standard_logging_object")
                event = None if logged is None else event_of(logged, answer)
                if event is None:
                    return
                call = client.call_fields(None)
                call.pop("modell")
                customer = text(at(dict(logged or {}), "end_user"))
                own = {"endkunde_ref": customer} if customer and "endkunde_ref" not in call else {}
                zusatz = {**(event["zusatz"] or {}), **(call.pop("zusatz", None) or {})}
                client.send({**event, **call, **own, "zusatz": zusatz or None})
            except Exception as error:
                client.note(error)

        def log_success_event(self, kwargs: Any, response_obj: Any, start_time: Any, end_time: Any) -> None:
            self._tell(kwargs, response_obj)

        def log_failure_event(self, kwargs: Any, response_obj: Any, start_time: Any, end_time: Any) -> None:
            self._tell(kwargs, response_obj)

        async def async_log_success_event(self, kwargs: Any, response_obj: Any, start_time: Any, end_time: Any) -> None:
            self._tell(kwargs, response_obj)

        async def async_log_failure_event(self, kwargs: Any, response_obj: Any, start_time: Any, end_time: Any) -> None:
            self._tell(kwargs, response_obj)

    return ZaehlwerkLogger()
