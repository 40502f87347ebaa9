"""Server-sent events (WHATWG HTML 9.2.6)."""

from __future__ import annotations

import re

_LINE_END = re.compile(r"\r\n|\n|\r")
_FIELD = re.compile(r"^\ufeff?(data|event|id|retry|):", re.MULTILINE)


def sse_data(stream: str) -> list[str]:
    """
    The data of every event, in order. An event that the end of the text cuts off is kept: a stream may stop short, and
    its counts still hold.
    """
    events: list[str] = []
    lines: list[str] = []
    for line in [*_LINE_END.split(stream.removeprefix("\ufeff")), ""]:
        if line == "":
            if lines:
                events.append("\n".join(lines))
            lines = []
        elif line.startswith("data:"):
            lines.append(line[5:].removeprefix(" "))
    return events


def is_sse(body: str) -> bool:
    """Whether the text has the form of a server-sent event stream."""
    return _FIELD.search(body) is not None
