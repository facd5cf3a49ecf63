"""Why something that came in could not be read: for whoever writes a client. It is said in English, after a sentence in
the reader's own language."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from msgspec import inspect

MOST = 200  # characters: what is not expected may be long
ENUM = re.compile(r"^Invalid (?:enum )?value .* - at `\$(?:\.(.+))?`$", re.DOTALL)


def why(error: BaseException, root: Any) -> str:
    """What msgspec says is wrong, and where; of a value that is none of those listed, also which these are."""
    said = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
    if isinstance(error, UnicodeDecodeError):
        said = "it is not UTF-8"
    found = ENUM.match(said)
    values = ", ".join(_listed(root, found[1] or "")) if found else ""
    short = said if len(said) <= MOST else said[: MOST // 2] + " … " + said[-MOST // 2 :]
    return f"{short}; expected one of {values}" if values else short


@lru_cache(100)
def _listed(root: Any, path: str) -> list[str]:
    """The values that may stand there."""
    kinds = list(_plain([inspect.type_info(root)]))
    for name in re.findall(r"\.?(\w+)(?:\[[^]]*\])*", path):
        before = kinds
        fields = (field for kind in kinds for field in getattr(kind, "fields", ()) if field.encode_name == name)
        kinds = list(_plain(field.type for field in fields))
        if not kinds:  # what tells the messages apart
            return [str(one.tag) for one in before if isinstance(one, inspect.StructType) and one.tag_field == name]
    return [str(value) for kind in kinds if isinstance(kind, inspect.LiteralType) for value in kind.values]


def _plain(kinds: Iterable[inspect.Type]) -> Iterable[inspect.Type]:
    """Each of several, and what is in a list."""
    for kind in kinds:
        if isinstance(kind, inspect.UnionType):
            yield from _plain(kind.types)
        elif isinstance(kind, inspect.ListType):
            yield from _plain([kind.item_type])
        elif isinstance(kind, inspect.Metadata):
            yield from _plain([kind.type])
        else:
            yield kind
