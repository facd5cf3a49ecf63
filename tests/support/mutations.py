"""JSON data that is wrong: any at all, and true data with something changed, removed, added or exchanged somewhere."""

import copy
import math
from collections.abc import Callable, Iterator
from typing import Any

from hypothesis import strategies as st

Path = tuple[str | int, ...]
Change = Callable[[Any, Any, list[Path]], None]

NUMBERS = st.one_of(st.integers(-3, 12), st.integers(-300, 6000), st.sampled_from([2**31, -(2**63), 2**64, 10**40]))
ODD_NUMBERS = st.sampled_from([0.0, 1.0, -0.5, 1e300, math.inf, -math.inf, math.nan])
WORDS = ["", "?", "7s", "joker", "R7", "pass", "draw", "over", "\ud800"]
TEXTS = st.one_of(st.text(max_size=8), st.sampled_from(WORDS))
LEAVES = st.one_of(st.none(), st.booleans(), NUMBERS, ODD_NUMBERS, TEXTS)
JSON = st.recursive(
    LEAVES,
    lambda some: st.one_of(st.lists(some, max_size=4), st.dictionaries(st.text(max_size=6), some, max_size=4)),
    max_leaves=8,
)
OTHER = st.sampled_from([b"", b"7s", (), (1, 2), {1, 2}, object(), 1j, range(3), int])
ANYTHING = st.one_of(JSON, OTHER)


def paths(data: Any, here: Path = ()) -> Iterator[Path]:
    """The way to every value within the data; the data itself not."""
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in inner:
        yield (*here, key)
        yield from paths(value, (*here, key))


def at(data: Any, path: Path) -> Any:
    for key in path:
        data = data[key]
    return data


def put(data: Any, path: Path, value: Any) -> None:
    at(data, path[:-1])[path[-1]] = value


@st.composite
def mutated(draw: Any, true: Any) -> Any:
    """The data after up to three changes of any kind."""
    return changed(draw, true, 3, ROUGH)


@st.composite
def rearranged(draw: Any, true: Any) -> Any:
    """The data after up to four changes that lose no card and make none up."""
    return changed(draw, true, 4, GENTLE)


def changed(draw: Any, true: Any, most: int, changes: tuple[Change, ...]) -> Any:
    data = copy.deepcopy(true)
    for _ in range(draw(st.integers(1, most))):
        every = list(paths(data))
        if not every:
            return draw(JSON)
        draw(st.sampled_from(changes))(draw, data, every)
    return data


def replace(draw: Any, data: Any, every: list[Path]) -> None:
    put(data, draw(st.sampled_from(every)), draw(JSON))


def remove(draw: Any, data: Any, every: list[Path]) -> None:
    path = draw(st.sampled_from(every))
    del at(data, path[:-1])[path[-1]]


def add(draw: Any, data: Any, every: list[Path]) -> None:
    path = draw(st.sampled_from(every))
    holder, value = at(data, path[:-1]), draw(JSON)
    if isinstance(holder, list):
        holder.insert(path[-1], value)
    else:
        holder[draw(st.text(max_size=6))] = value


def repeat(draw: Any, data: Any, every: list[Path]) -> None:
    """One value of a list, twice."""
    path = draw(st.sampled_from(every))
    holder = at(data, path[:-1])
    if isinstance(holder, list):
        holder.insert(path[-1], copy.deepcopy(holder[path[-1]]))


def exchange(draw: Any, data: Any, every: list[Path]) -> None:
    """Two values of the same kind change places: two cards, two hands."""
    one = draw(st.sampled_from(every))
    kind = type(at(data, one))
    other = draw(st.sampled_from([path for path in every if type(at(data, path)) is kind]))
    if one != other[: len(one)] and other != one[: len(other)]:
        first, second = at(data, one), at(data, other)
        put(data, one, second)
        put(data, other, first)


def imitate(draw: Any, data: Any, every: list[Path]) -> None:
    """A value becomes a copy of another of its kind."""
    one = draw(st.sampled_from(every))
    kind = type(at(data, one))
    other = draw(st.sampled_from([path for path in every if type(at(data, path)) is kind]))
    put(data, one, copy.deepcopy(at(data, other)))


def shift(draw: Any, data: Any, every: list[Path]) -> None:
    """A number is one too many, or one too few; a flag turns over."""
    numbers = [path for path in every if isinstance(at(data, path), int)]
    if numbers:
        path = draw(st.sampled_from(numbers))
        value = at(data, path)
        put(data, path, not value if isinstance(value, bool) else value + draw(st.sampled_from([-1, 1, -2, 2, 4])))


def listed_texts(data: Any, every: list[Path]) -> list[Path]:
    """Those in lists, where cards are."""
    return [path for path in every if type(path[-1]) is int and isinstance(at(data, path), str)]


def swap_cards(draw: Any, data: Any, every: list[Path]) -> None:
    """Two texts in lists change places."""
    texts = listed_texts(data, every)
    if texts:
        one, other = draw(st.sampled_from(texts)), draw(st.sampled_from(texts))
        first, second = at(data, one), at(data, other)
        put(data, one, second)
        put(data, other, first)


def relocate(draw: Any, data: Any, every: list[Path]) -> None:
    """A text goes from one list to another, as a card does."""
    texts, lists = listed_texts(data, every), [path for path in every if is_text_list(at(data, path))]
    if texts and lists:
        source, into = draw(st.sampled_from(texts)), at(data, draw(st.sampled_from(lists)))
        card = at(data, source[:-1]).pop(source[-1])
        into.insert(draw(st.integers(0, len(into))), card)


def drain(draw: Any, data: Any, every: list[Path]) -> None:
    """All texts of one list go to another: the stock is empty, and somebody has it all."""
    lists = [path for path in every if is_text_list(at(data, path))]
    if lists:
        source, into = (at(data, draw(st.sampled_from(lists))) for _ in range(2))
        if source is not into:
            into.extend(source)
            source.clear()


def is_text_list(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


ROUGH = (replace, remove, add, repeat, exchange, imitate, relocate, shift)
GENTLE = (swap_cards, swap_cards, swap_cards, relocate, relocate, drain, shift)
