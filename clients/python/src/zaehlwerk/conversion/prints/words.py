"""The words of a text: step 2 of docs/fingerprints.md."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

READ_AT_MOST = 8_192
"""Code units of a text that are read: half of them from its beginning, half from its end."""


class Word(NamedTuple):
    """A word of the recipe."""

    text: str
    hashes: int
    """How many of the four hashes of the word count: all of them for what tells rows of a list apart."""


def _units(text: str) -> bytes | None:
    """The code units of UTF-16; None where they are the characters."""
    return None if text.isascii() or max(text) <= "\uffff" else text.encode("utf-16-le", "surrogatepass")


def length_of(text: str) -> int:
    """In code units of UTF-16."""
    units = _units(text)
    return len(text) if units is None else len(units) // 2


def first_of(text: str, length: int) -> str:
    """The first code units of a text."""
    units = _units(text)
    return text[:length] if units is None else units[: 2 * length].decode("utf-16-le", "surrogatepass")


def last_of(text: str, length: int) -> str:
    """The last code units of a text."""
    units = _units(text)
    return text[-length:] if units is None else units[-2 * length :].decode("utf-16-le", "surrogatepass")


def well_formed(text: str) -> str:
    """Without lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if 0xD800 <= ord(char) <= 0xDFFF else char for char in text)
    return text


_INSTANT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[t ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?(z|[+-][0-9]{2}:?[0-9]{2})?"
)
_UNPARTED = r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
"""Scripts that do not part their words: each character is one."""
_WORD = re.compile(rf"§|[{_UNPARTED}]|(?:(?![{_UNPARTED}])[^\W_])+")
_DIGIT = re.compile(r"[0-9]")


@lru_cache(maxsize=4_096)
def _word_of(text: str) -> Word:
    return Word(text, 4 if _DIGIT.search(text) else 1)


def mark(text: str) -> Word:
    """What stands for something that is not read: the end of a picture, the length of a text."""
    return Word(f"§{text}", 4)


def words_of(text: str) -> list[Word]:
    """The words of a text in their order; an instant is `§`, whichever it is."""
    length, half = length_of(text), READ_AT_MOST // 2
    is_long = length > READ_AT_MOST
    read = f"{first_of(text, half)}\n{last_of(text, half)}" if is_long else text
    plain = _INSTANT.sub(" § ", unicodedata.normalize("NFKC", well_formed(read)).lower())
    words = list(map(_word_of, _WORD.findall(plain)))
    return [*words, mark(str(length))] if is_long else words
