"""A record as plain Python: what words and tables are made of, read many times sooner than numpy reads a field."""

from collections.abc import Callable
from operator import itemgetter
from struct import Struct
from typing import Any

import numpy as np

Read = Callable[[bytes], dict[str, Any]]

LETTERS = {"u1": "B", "i2": "h", "i4": "i", "i8": "q"}


class Plain:
    """The fields of a record by name: numbers as int, arrays of bytes as bytes, other arrays as tuples of int, and a
    tuple of these for two dimensions. Read all at once, when the first is asked for."""

    def __init__(self, states: Any, read: Read) -> None:
        self.states = states  # an array of one record, for what is compiled
        self._read = read

    def __getattr__(self, name: str) -> Any:
        fields = self._read(self.states.tobytes())
        if name not in fields:
            raise AttributeError(name)
        self.__dict__.update(fields)
        return fields[name]

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__[name] = value


def reader(dtype: "np.dtype[Any]") -> Read:
    """How the bytes of such a record are read: all at once, and then taken apart."""
    layout, end, n = "=", 0, 0
    wanted: dict[str, int | slice] = {}
    grids: list[tuple[str, int]] = []  # of numbers, and how wide they are
    for name, (kind, offset, *_) in sorted((dtype.fields or {}).items(), key=lambda item: item[1][1]):
        letter, (*rows, width) = LETTERS[kind.base.str[1:]], kind.shape or (0,)
        if letter == "B" and width:  # as one value each
            letters = f"{width}s" * (rows[0] if rows else 1)
            wanted[name] = slice(n, n + rows[0]) if rows else n
            n += rows[0] if rows else 1
        else:
            size = kind.itemsize // kind.base.itemsize
            letters, wanted[name] = f"{size}{letter}", slice(n, n + size) if width else n
            grids += [(name, width)] if rows else []
            n += size
        layout += f"{offset - end}x{letters}"
        end = offset + kind.itemsize
    parts, take = Struct(layout).unpack_from, itemgetter(*wanted.values())

    def read(data: bytes) -> dict[str, Any]:
        fields = dict(zip(wanted, take(parts(data)), strict=True))
        for name, width in grids:
            flat = fields[name]
            fields[name] = tuple(flat[first : first + width] for first in range(0, len(flat), width))
        return fields

    return read
