"""A record as plain Python, for the names of moves."""

from typing import Any


class Plain:
    """The fields of a record by name: numbers as int, arrays as lists. Each is read when it is first asked for."""

    def __init__(self, states: Any) -> None:
        self._states = states  # an array of one record

    def __getattr__(self, name: str) -> Any:
        if name not in self._states.dtype.names:
            raise AttributeError(name)
        value = self.__dict__[name] = self._states[name][0].tolist()
        return value
