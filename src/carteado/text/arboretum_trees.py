"""The trees of Arboretum: what they are called, and how cards and gardens are drawn."""

import re
from collections.abc import Sequence

from carteado.text import Table

SPECIES = {
    "pt": {
        "ipe": "ipê-amarelo",
        "jac": "jacarandá",
        "ara": "araucária",
        "pau": "pau-brasil",
        "fla": "flamboyant",
        "qua": "quaresmeira",
        "pai": "paineira",
        "man": "manacá",
        "jeq": "jequitibá",
        "sib": "sibipiruna",
    },
    "en": {
        "ipe": "golden trumpet",
        "jac": "jacaranda",
        "ara": "araucaria",
        "pau": "brazilwood",
        "fla": "flamboyant",
        "qua": "glory tree",
        "pai": "silk floss tree",
        "man": "manacá",
        "jeq": "jequitibá",
        "sib": "sibipiruna",
    },
}
PAINT = {
    "ipe": "bright_yellow",
    "jac": "medium_purple1",
    "ara": "green3",
    "pau": "red1",
    "fla": "dark_orange",
    "qua": "magenta1",
    "pai": "pink1",
    "man": "sky_blue1",
    "jeq": "tan",
    "sib": "chartreuse1",
}
# For gardens too wide for whole codes: a letter of each, its own. The score shows it as a capital.
LETTERS = dict(zip(PAINT, "IJAUFQPMES", strict=True))
HIDDEN = "?"
NAME = 12  # columns of a player's name in the board

TAG = re.compile(r"(?<!\\)\[[^\[\]]*\]")


def width_of(markup: str) -> int:
    return len(TAG.sub("", markup).replace("\\[", "["))


def padded(markup: str, width: int) -> str:
    return markup + " " * (width - width_of(markup))


def beside(left: Sequence[str], right: Sequence[str], width: int) -> list[str]:
    """Two blocks of lines next to each other, the right one from column `width` on."""
    height = max(len(left), len(right))
    rows = zip([*left, *[""] * (height - len(left))], [*right, *[""] * (height - len(right))], strict=True)
    return [f"{padded(a, width)}{b}".rstrip() for a, b in rows]


def escaped(name: str) -> str:
    return name[:NAME].replace("[", "\\[")


def painted(name: str, is_short: bool = False, style: str = "bold") -> str:
    """A card as markup: its code, or where that is too long a letter and the number."""
    text = LETTERS[name[:3]] + name[3:] if is_short else name
    return f"[{style} {PAINT[name[:3]]}]{text}[/]"


def row_of(cards: Sequence[str], width: int) -> str:
    """Cards in a row, as many as there is room for; hidden ones are backs."""
    shown = [name for name in cards if name != HIDDEN]
    backs = "▒" * (len(cards) - len(shown))
    width -= len(backs)
    is_short = 5 * len(shown) > width
    room = (width - 1) // 3 if 3 * len(shown) > width else len(shown)
    texts = [painted(name, is_short) for name in shown[:room]] + ["…"] * (room < len(shown))
    return " ".join(texts + [f"[dim]{backs}[/]"] * bool(backs))


def garden(planted: Sequence[Table], width: int, is_own: bool) -> list[str]:
    """The cards where they lie; one's own with coordinates and the places where the next one may go."""
    cards = {(one["x"], one["y"]): one["card"] for one in planted}
    free = {(x + dx, y + dy) for x, y in cards for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0))} - set(cards)
    shown = set(cards) | ((free or {(0, 0)}) if is_own else set())
    if not shown:
        return []
    columns = range(min(x for x, _ in shown), max(x for x, _ in shown) + 1)
    rows = range(max(y for _, y in shown), min(y for _, y in shown) - 1, -1)
    margin = 4 if is_own else 0
    cell = next((n for n in (5, 3) if margin + n * len(columns) <= width), 2)
    newest = (planted[-1]["x"], planted[-1]["y"]) if planted else None
    lines = []
    for y in rows:
        line = f"[dim]{y:>3}[/] " if is_own else ""
        for x in columns:
            text = "[dim]·[/]" if (x, y) in shown else ""
            if (x, y) in cards:
                style = "bold underline" if (x, y) == newest else "bold"
                text = painted(cards[x, y], cell < 5, style)
            line += padded(text, cell)
        lines.append(line.rstrip())
    return [*lines, f"[dim]{margin * ' '}{scale(columns, cell)}[/]"] if is_own else lines


def scale(columns: range, cell: int) -> str:
    """The x of each column, or of every second or third where they would touch."""
    step = max(len(str(x)) for x in columns) // cell + 1
    line = ""
    for i, x in enumerate(columns):
        if x % step == 0:
            line = line.ljust(i * cell) + str(x)
    return line


def short_names(names: Sequence[str]) -> list[str]:
    """At most six columns each, and no two alike."""
    heads = [name[:6] for name in names]
    return heads if len(set(heads)) == len(heads) else [f"{name[:4]} {seat}" for seat, name in enumerate(names)]
