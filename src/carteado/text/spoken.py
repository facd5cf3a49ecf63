"""Sentences, written by compiled code into an array of bytes, in the language of whoever hears them.

A sentence has gaps, `{who}` or `{card}`: these are filled first, each in its own place at the beginning of the array,
and then `say` writes the sentence with what is in them. As in rules/written.py, whatever writes something at `n` gives
the place after it. The text is the inside of a JSON string.
"""

import json
import re
from collections import namedtuple
from collections.abc import Mapping, Sequence
from functools import lru_cache
from json.encoder import encode_basestring
from keyword import iskeyword
from typing import Any

import numpy as np

from carteado.rules.compiled import rule
from carteado.rules.written import Out, put

MOST_GAPS, GAP_BYTES = 31, 4096
BEGIN = (MOST_GAPS + 1) * GAP_BYTES  # the text stands after all gaps
MOST_LINE, MOST_CALLED = 1 << 15, 512  # bytes of what happened, and of what one move is called
GAP = re.compile(r"\{(\w+)\}")

Text = Any  # sentences by language and number: in each two bytes for its length, then the sentence
Names = Any  # what seats are called: in each row one byte for its length, then the name

LANGS = ("pt", "en")
PT, EN = range(2)


def quoted(text: str) -> bytes:
    """As it stands within a JSON string."""
    return encode_basestring(text)[1:-1].encode()


def sentences(words: Mapping[str, Mapping[str, str]]) -> tuple[Any, Any, Text]:
    """The sentences of a game as compiled code needs them: their numbers by name, those of their gaps, and the text.
    ('lay on' is `lay_on`, '+4' is `plus4`, and a word of Python has a `_` after it: `pass_`.)"""
    keys = list(words[LANGS[PT]])
    gaps = sorted({gap for lang in LANGS for text in words[lang].values() for gap in GAP.findall(text)})
    assert len(gaps) <= MOST_GAPS
    numbers = {gap: n + 1 for n, gap in enumerate(gaps)}
    rows = [
        GAP.sub(lambda gap: chr(numbers[gap[1]]), json.dumps(words[lang][key], ensure_ascii=False)[1:-1]).encode()
        for lang in LANGS
        for key in keys
    ]
    text = np.zeros((len(rows), 2 + max(map(len, rows))), np.uint8)
    for place, row in zip(text, rows, strict=True):
        place[0], place[1], place[2 : 2 + len(row)] = len(row) & 255, len(row) >> 8, list(row)
    say, gap = numbered({attribute(key): n for n, key in enumerate(keys)}), numbered(numbers)
    return say, gap, text.reshape(len(LANGS), len(keys), -1)


def numbered(words: dict[str, int]) -> Any:
    """Numbers by name, as compiled code takes them."""
    make: Any = namedtuple
    return make("Numbered", words)(**words)


def attribute(key: str) -> str:
    word = re.sub(r"\W", "_", key.replace("+", "plus"))
    return f"{word}_" if iskeyword(word) else word


def table_of(words: Sequence[Sequence[str]]) -> Text:
    """Words by language and number, to be written by `term`: each has one byte for its length."""
    rows = [[quoted(word) for word in one] for one in words]
    text = np.zeros((len(rows), len(rows[0]), 1 + max(len(word) for row in rows for word in row)), np.uint8)
    for lang, row in enumerate(rows):
        for k, word in enumerate(row):
            text[lang, k, 0], text[lang, k, 1 : 1 + len(word)] = len(word), list(word)
    return text


def packed_names(names: Sequence[str], you: int) -> Names:
    """What the seats are called; then, in as many rows more, what they are called within a sentence: 'você'."""
    return _packed_names(tuple(names), you)


@lru_cache(1000)
def _packed_names(names: tuple[str, ...], you: int) -> Names:
    return table_of([[*names, *(name.lower() if seat == you else name for seat, name in enumerate(names))]])[0]


@rule
def hide_nothing(move: int) -> int:
    return move


@rule
def at(gap: int) -> int:
    """Where to write what is to stand in a gap."""
    return gap * GAP_BYTES + 2


@rule
def fill(out: Out, gap: int, end: int) -> None:
    """What was written at `at(gap)`, up to here, stands in that gap now."""
    size = end - at(gap)
    out[gap * GAP_BYTES] = size & 255
    out[gap * GAP_BYTES + 1] = size >> 8


@rule
def say(out: Out, n: int, text: Text, lang: int, key: int) -> int:
    """A sentence, with what is in its gaps."""
    size: Any = np.int64(text[lang, key, 0]) + 256 * np.int64(text[lang, key, 1])
    for i in range(2, 2 + size):
        sign: Any = np.int64(text[lang, key, i])
        if sign > MOST_GAPS:
            out[n] = sign
            n += 1
        else:
            first = at(sign)
            length: Any = np.int64(out[first - 2]) + 256 * np.int64(out[first - 1])
            for k in range(first, first + length):
                out[n] = out[k]
                n += 1
    return n


@rule
def term(out: Out, n: int, words: Text, lang: int, k: int) -> int:
    """One of `table_of` words."""
    size: Any = np.int64(words[lang, k, 0])
    for i in range(1, 1 + size):
        out[n] = words[lang, k, i]
        n += 1
    return n


@rule
def person(out: Out, n: int, names: Names, seat: int) -> int:
    """What a seat is called, at the beginning of a sentence."""
    size: Any = np.int64(names[seat, 0])
    for i in range(1, 1 + size):
        out[n] = names[seat, i]
        n += 1
    return n


@rule
def person_within(out: Out, n: int, names: Names, seat: int) -> int:
    """The same within a sentence: 'você'."""
    return person(out, n, names, seat + len(names) // 2)


@rule
def also(out: Out, n: int, begin: int) -> int:
    """The space before another sentence, if one stands there already."""
    return put(out, n, b" ") if n > begin else n


@rule
def comma(out: Out, n: int, begin: int) -> int:
    """The comma before the next of several, if one stands there already."""
    return put(out, n, b", ") if n > begin else n


@rule
def joined(out: Out, n: int, begin: int, left: int, lang: int) -> int:
    """What stands before the next of several, if one stands there already: a comma, or 'e' where none is left after
    it."""
    if n == begin or left:
        return comma(out, n, begin)
    return put(out, n, b" e ") if lang == PT else put(out, n, b" and ")


@rule
def listed(out: Out, n: int, names: Names, seats: int, lang: int) -> int:
    """'Ana, Bento e Caio': the seats of a set of bits."""
    begin = n
    for seat in range(len(names) // 2):
        if (seats >> seat) & 1:
            n = person(out, joined(out, n, begin, seats >> (seat + 1), lang), names, seat)
    return n
