"""JSON text, written by compiled code into an array of bytes: a table takes a millionth of a second.

Each of these writes something at `n` and gives the place after it. Commas come by themselves before a key or an item,
unless it is the first.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from carteado.rules.compiled import rule

Out = Any  # an array of bytes, long enough
MOST_BYTES = 1 << 16  # of a table; the longest that was seen has a fourth of it

OPEN, BRACE, COMMA, MINUS, ZERO = b"[{,-0"


def packed(words: Sequence[str], quote: str = '"') -> Any:
    """Words as compiled code needs them, in quotes: each row has a length and that many bytes."""
    quoted = [f"{quote}{word}{quote}".encode() for word in words]
    rows = np.zeros((len(quoted), 1 + max(len(word) for word in quoted)), np.uint8)
    for row, word in zip(rows, quoted):
        row[0], row[1 : 1 + len(word)] = len(word), list(word)
    return rows


@rule
def put(out: Out, n: int, text: bytes) -> int:
    for i in range(len(text)):
        out[n + i] = text[i]
    return n + len(text)


@rule
def item(out: Out, n: int) -> int:
    """The comma before the next of several."""
    if out[n - 1] == OPEN or out[n - 1] == BRACE:
        return n
    out[n] = COMMA
    return n + 1


@rule
def key(out: Out, n: int, name: bytes) -> int:
    n = put(out, put(out, item(out, n), b'"'), name)
    return put(out, n, b'":')


@rule
def word(out: Out, n: int, words: Any, k: Any) -> int:
    """One of `packed` words."""
    size: Any = np.int64(words[k, 0])
    for i in range(size):
        out[n + i] = words[k, 1 + i]
    return n + size


@rule
def number(out: Out, n: int, value: Any) -> int:
    left = np.int64(value)
    if left < 0:
        out[n] = MINUS
        n, left = n + 1, -left
    digits, rest = 1, left
    while rest >= 10:
        digits, rest = digits + 1, rest // 10
    for i in range(n + digits - 1, n - 1, -1):
        out[i] = ZERO + left % 10
        left //= 10
    return n + digits


@rule
def or_null(out: Out, n: int, value: Any) -> int:
    """A number, or null for a negative one: nobody, or nothing."""
    return number(out, n, value) if value >= 0 else put(out, n, b"null")


@rule
def flag(out: Out, n: int, value: bool) -> int:
    return put(out, n, b"true") if value else put(out, n, b"false")


@rule
def numbers(out: Out, n: int, row: Any, size: int) -> int:
    n = put(out, n, b"[")
    for i in range(size):
        n = number(out, item(out, n), np.int64(row[i]))
    return put(out, n, b"]")


@rule
def cards(out: Out, n: int, names: Any, row: Any, size: int) -> int:
    """The first of a row of cards, by their `packed` names."""
    n = put(out, n, b"[")
    for i in range(size):
        n = word(out, item(out, n), names, np.int64(row[i]))
    return put(out, n, b"]")
