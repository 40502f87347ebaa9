"""From an exchange with a provider to the events of the calls in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timezone

from .answer_id import answer_id, id_of_answer
from .batch import BatchLine, batch_lines
from .estimate import with_estimates
from .exchange import Answer, Event, Exchange, host_and_path, read_answer
from .hosts import is_provider
from .ids import stable_id
from .management import is_management, is_stored
from .prints.prints import prints_of
from .prints.sim_hash import KeyedPrints
from .providers.anthropic import anthropic
from .providers.bedrock import bedrock
from .providers.cohere import cohere
from .providers.gemini import gemini, google_predict
from .providers.mistral import mistral_conversations, mistral_ocr
from .providers.openai_chat import openai_chat, writer
from .providers.openai_later import deferred_chat, openai_runs
from .providers.openai_more import audio, images, openai_completions, openai_embeddings
from .providers.openai_responses import openai_responses
from .providers.others import ollama, rerank, voyage
from .shape import Shape, Usage
from .usage_event import usage_event

SHAPES: tuple[Shape, ...] = (
    bedrock,
    gemini,
    google_predict,
    anthropic,
    mistral_conversations,
    mistral_ocr,
    rerank,
    voyage,
    writer,
    cohere,
    ollama,
    openai_runs,
    openai_responses,
    deferred_chat,
    openai_chat,
    openai_completions,
    openai_embeddings,
    images,
    audio,
)
"""Those that look at the host or a path of their own come before OpenAI's, which share theirs with many."""


@dataclass(frozen=True)
class Conversion:
    """What became of an exchange. With neither it was no call of a model, or one whose result has yet to be fetched."""

    events: list[Event] = field(default_factory=list)
    """Without agent; with an `ereignis_id` only where the same result may be seen again."""
    unconverted: list[str] = field(default_factory=list)
    """Why, for each call of a model that could not be converted."""


def _events_in(answer: Answer, shape: Shape, now: datetime) -> list[Event]:
    usages = shape.to_usages(answer)
    # Models called on the way have said what they used, or were not called.
    return [
        usage_event(answer, shape.anbieter, usage if position else with_estimates(usage, answer), now)
        for position, usage in enumerate(usages)
    ]


def _of_call(answer: Answer, shape: Shape, now: datetime, keyed: KeyedPrints | None) -> Conversion:
    """The events of one answer, with its id, and its prints on the first: models called on the way got another prompt."""
    name = answer_id(answer)
    return Conversion(
        [
            {
                **({} if name is None else {"ereignis_id": id_of_answer(name, position)}),
                **event,
                **(prints_of(answer.exchange.request, answer.parts, keyed) if keyed and not position else {}),
            }
            for position, event in enumerate(_events_in(answer, shape, now))
        ]
    )


def _of_line(line: BatchLine | None, position: int, exchange: Exchange, now: datetime) -> Conversion:
    """A batch costs less, whatever the tier of the single answer; its time is that of the answer, not of the download."""
    if line is None:
        return Conversion(unconverted=[f"line {position + 1} of a batch is no result"])
    answer = line.answer
    if answer is None:
        return Conversion()
    shape = next((known for known in SHAPES if known.matches_body(answer)), None)
    if shape is not None:
        events = _events_in(answer, shape, now)
    elif answer.exchange.status >= 400:
        events = [usage_event(answer, None, Usage(), now)]
    else:
        return Conversion(unconverted=[f"line {position + 1} of a batch has an unknown form"])
    return Conversion(
        [
            {
                **event,
                "ereignis_id": stable_id("batch", *line.names, str(index)),
                "zeitpunkt": event["zeitpunkt"] or exchange.zeitpunkt,
                "zusatz": {**(event["zusatz"] or {}), "preisstufe": "batch"},
            }
            for index, event in enumerate(events)
        ]
    )


def _of_answer(answer: Answer, now: datetime, keyed: KeyedPrints | None) -> Conversion:
    at_home = next((shape for shape in SHAPES if shape.matches_uri(answer)), None)
    if at_home is not None:
        counts = answer.method == "POST" or at_home.polled
        return _of_call(answer, at_home, now, keyed) if counts else Conversion()
    if answer.method != "POST" or is_stored(answer.path):
        return Conversion()
    shape = next((known for known in SHAPES if known.matches_body(answer)), None)
    if shape is not None:
        return _of_call(answer, shape, now, keyed)
    exchange = answer.exchange
    if exchange.status < 400 and is_provider(exchange.uri) and not is_management(answer.path):
        return Conversion(unconverted=[f"no converter for {answer.method} {answer.host}{answer.path}"])
    return Conversion()


def to_events(exchange: Exchange, now: datetime | None = None, keyed: KeyedPrints | None = None) -> Conversion:
    """
    The events of one exchange with a model provider: one for a call (several where other models were called on the
    way), one for each line where it fetched the results of a batch. Counts that the provider did not send are None.
    `now` bounds the times taken from the answer; with the key of the Mandant the events carry prints (docs/fingerprints.md).
    """
    until = now or datetime.now(timezone.utc)
    lines = batch_lines(exchange)
    if lines is None:
        return _of_answer(read_answer(exchange), until, keyed)
    found = [_of_line(line, position, exchange, until) for position, line in enumerate(lines)]
    return Conversion(
        [event for each in found for event in each.events],
        [reason for each in found for reason in each.unconverted],
    )


def form_at(uri: str, request: object) -> Shape | None:
    """The form that the address alone tells."""
    host, path = host_and_path(uri)
    asked = Exchange(uri=uri, request=request, status=200, content_type="", body="")
    answer = Answer(asked, "POST", host, path, [])
    return next((shape for shape in SHAPES if shape.matches_uri(answer)), None)
