"""Reading a position that came from outside, field by field; each complaint names the field and what was expected."""

from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any, NoReturn

from carteado.rules.errors import BadPosition


class Reader:
    """A JSON object that is read one field at a time."""

    def __init__(self, data: object, where: str = "") -> None:
        if not isinstance(data, dict):
            raise BadPosition(f"{where or 'position'}: expected an object, got {_kind(data)}")
        self.data, self.where = data, where

    def _fail(self, key: str, expected: str, value: object) -> NoReturn:
        raise BadPosition(f"{self._path(key)}: expected {expected}, got {_short(value)}")

    def _path(self, key: str) -> str:
        return f"{self.where}.{key}" if self.where else key

    def _value(self, key: str) -> Any:
        if key not in self.data:
            raise BadPosition(f"{self._path(key)}: missing")
        return self.data[key]

    def number(self, key: str, low: int, high: int) -> int:
        value = self._value(key)
        if isinstance(value, Integral) and not isinstance(value, bool):
            value = int(value)  # numpy's are as good
        if type(value) is not int or not low <= value <= high:
            self._fail(key, whole_number(low, high), value)
        return value

    def flag(self, key: str) -> bool:
        value = self._value(key)
        if type(value) is not bool:
            self._fail(key, "true or false", value)
        return value

    def seat(self, key: str, players: int) -> int:
        """A seat, or -1 where there is none (null)."""
        return -1 if self._value(key) is None else self.number(key, 0, players - 1)

    def word(self, key: str, words: Sequence[str]) -> int:
        """The place of the word among those that may stand here."""
        value = self._value(key)
        if not isinstance(value, str) or value not in words:
            self._fail(key, f"one of {', '.join(words)}", value)
        return words.index(value)

    def items(self, key: str, least: int, most: int) -> list[Any]:
        value = self._value(key)
        if not isinstance(value, list) or not least <= len(value) <= most:
            size = f"{least}" if least == most else f"{least} to {most}"
            self._fail(key, f"a list of {size}", value)
        return value

    def numbers(self, key: str, least: int, most: int, low: int, high: int) -> list[int]:
        values = self.items(key, least, most)
        return [Reader({f"{key}[{i}]": v}, self.where).number(f"{key}[{i}]", low, high) for i, v in enumerate(values)]

    def card(self, key: str, cards: dict[str, int]) -> int:
        value = self._value(key)
        if not isinstance(value, str) or value not in cards or cards[value] == 0:
            self._fail(key, f"a card such as {next(name for name in cards if cards[name])}", value)
        return cards[value]

    def cards(self, key: str, least: int, most: int, cards: dict[str, int]) -> list[int]:
        """A list of known cards, by the names in `cards`."""
        values = self.items(key, least, most)
        return [Reader({f"{key}[{i}]": v}, self.where).card(f"{key}[{i}]", cards) for i, v in enumerate(values)]

    def lists(self, key: str, n: int, read: Callable[["Reader", str], list[int]]) -> list[list[int]]:
        """A list of n lists, each read by `read(reader, key)`."""
        values = self.items(key, n, n)
        return [read(Reader({f"{key}[{i}]": v}, self.where), f"{key}[{i}]") for i, v in enumerate(values)]

    def object(self, key: str) -> "Reader":
        return Reader(self._value(key), self._path(key))

    def objects(self, key: str, least: int, most: int) -> list["Reader"]:
        values = self.items(key, least, most)
        return [Reader(value, f"{self._path(key)}[{i}]") for i, value in enumerate(values)]

    def is_null(self, key: str) -> bool:
        return self._value(key) is None


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", int: "a number", float: "a number"}
    return "null" if value is None else names.get(type(value), type(value).__name__)


def _short(value: object) -> str:
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return repr(value[:40])[:40] if isinstance(value, str) else said(value)


def whole_number(low: int, high: int) -> str:
    return f"a whole number from {low} to {high}" if low < high else str(low)


def typed(value: object, wanted: type) -> str:
    """What was said, with its type, where that is what is wrong with it."""
    if type(value) is wanted:
        return said(value)
    what, kind = repr(said(value)) if isinstance(value, str) else said(value), type(value).__name__
    return what if what == kind else f"{what} of type {kind}"


def printable(text: str, also: str = "") -> str:
    """Without signs that would move a terminal's cursor, but for those that are wanted."""
    return "".join(sign if sign.isprintable() or sign in also else "�" for sign in text)


def said(value: object) -> str:
    """What came from outside, in a few characters for a message, whatever it is: even a number of 10,000 digits, or
    text with signs that would move a terminal's cursor."""
    if isinstance(value, str):
        return printable(value[:40])
    is_short = isinstance(value, Integral) and int(value).bit_length() <= 128
    return str(value) if value is None or isinstance(value, bool | float) or is_short else _kind(value)
