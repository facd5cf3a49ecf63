"""The words of Repeat Poker."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TypedDict

from carteado.rules.cards import RANK_NAMES
from carteado.text import Table, listed
from carteado.text.french import SUIT_SIGNS, drawn

# The categories from the best down, with their points (R2).
POINTS = {
    "royal flush": 100,
    "straight flush": 75,
    "four of a kind": 50,
    "full house": 25,
    "flush": 20,
    "straight": 15,
    "three of a kind": 10,
    "two pairs": 5,
    "pair": 2,
    "high card": 0,
}
ROW_NAMES = "abcde"

WORDS = {
    "pt": {
        "royal flush": "royal flush",
        "straight flush": "straight flush",
        "four of a kind": "quadra",
        "full house": "full house",
        "flush": "flush",
        "straight": "straight",
        "three of a kind": "trinca",
        "two pairs": "dois pares",
        "pair": "par",
        "high card": "carta alta",
        "place": "pôr {card} em {cell}",
        "place making": "pôr {card} em {cell} (faz {category})",
        "place scoring": "pôr {card} em {cell} e fechar a linha: {category}, {n} pontos",
        "placed": "{who} pôs {card} em {cell}.",
        "scored": "A linha {row} fechou: {category}, {n} pontos.",
        "left": "Saíram {cards}.",
        "left and stayed": "Saíram {cards}; {kickers}.",
        "left alone": "Saiu {cards}; {kickers}.",
        "stayed": "ficaram {cards}",
        "stayed alone": "ficou {cards}",
        "level over": "Fim do nível {level}, com {n} pontos. Começou o nível {next}: {rows}, baralho completo.",
        "rows": "{n} linhas",
        "one row": "uma só linha",
        "over": "O monte acabou: {n} pontos.",
        "all over": "O último monte acabou: {m} pontos no nível {level} e {n} pontos no total.",
        "level": "nível {level} de {levels}",
        "points": "{n} pontos",
        "leftover": "não vale mais",
        "to place": "carta a colocar",
        "deck": "no monte, {n}:",
        "by level": "por nível",
        "end": "fim de jogo",
    },
    "en": {
        "royal flush": "royal flush",
        "straight flush": "straight flush",
        "four of a kind": "four of a kind",
        "full house": "full house",
        "flush": "flush",
        "straight": "straight",
        "three of a kind": "three of a kind",
        "two pairs": "two pairs",
        "pair": "pair",
        "high card": "high card",
        "place": "place {card} on {cell}",
        "place making": "place {card} on {cell} (makes {category})",
        "place scoring": "place {card} on {cell} and fill the row: {category}, {n} points",
        "placed": "{who} placed {card} on {cell}.",
        "scored": "Row {row} is full: {category}, {n} points.",
        "left": "{cards} left the grid.",
        "left and stayed": "{cards} left the grid; {kickers}.",
        "left alone": "{cards} left the grid; {kickers}.",
        "stayed": "{cards} stayed",
        "stayed alone": "{cards} stayed",
        "level over": "End of level {level}, with {n} points. Level {next} began: {rows}, a full deck.",
        "rows": "{n} rows",
        "one row": "a single row",
        "over": "The deck ran out: {n} points.",
        "all over": "The last deck ran out: {m} points at level {level} and {n} points in all.",
        "level": "level {level} of {levels}",
        "points": "{n} points",
        "leftover": "worth nothing now",
        "to place": "card to place",
        "deck": "in the deck, {n}:",
        "by level": "by level",
        "end": "game over",
    },
}


class Row(TypedDict):
    category: str | None
    free: int
    with_card: str | None
    with_card_points: int


class Account(TypedDict):
    score: int
    points: list[int]
    rows: list[Row]


class Often(TypedDict):
    levels: int
    to_move: int | None
    level: int
    card: str | None
    made: list[dict[str, int]]
    account: Account


def card(name: str, lang: str) -> str:
    return drawn(name, lang)


def moves(legal: Sequence[str], table: Table, names: Sequence[str], lang: str) -> list[str]:
    name, said = table["card"], {}
    for letter, row in zip(ROW_NAMES, table["account"]["rows"], strict=False):
        if row["with_card"]:
            had, made, points = row["category"], row["with_card"], row["with_card_points"]
            said[letter] = placing(name, had, made, row["free"] == 1, points, lang)
    return [said[cell[0]] % cell for cell in legal]


@lru_cache(1 << 12)
def placing(name: str, had: str | None, category: str, is_last: bool, points: int, lang: str) -> str:
    """A card in a row and what that makes of it, with room for the cell."""
    say = WORDS[lang]
    key = "place scoring" if is_last else "place making" if category not in (had, "high card") else "place"
    return say[key].format(card=card(name, lang), cell="%s", category=say[category], n=points)


def happened(before: Table, move: str, mover: int, after: Table, seat: int, names: Sequence[str], lang: str) -> str:
    say = WORDS[lang]
    line = [say["placed"].format(who=names[mover], card=card(before["card"], lang), cell=move)]
    level = before["level"]
    made = [k for k in POINTS if after["made"][level - 1].get(k, 0) > before["made"][level - 1].get(k, 0)]
    if made:
        line += scored(before, move, made[0], lang)
    points = after["account"]["points"][level - 1]
    if after["level"] > level:
        rows = say["one row"] if len(after["grid"]) == 1 else say["rows"].format(n=len(after["grid"]))
        line.append(say["level over"].format(level=level, n=points, next=after["level"], rows=rows))
    elif after["to_move"] is None:
        key = "over" if after["levels"] == 1 else "all over"
        line.append(say[key].format(level=level, m=points, n=after["account"]["score"]))
    return " ".join(line)


def scored(before: Table, cell: str, category: str, lang: str) -> list[str]:
    """The row that the card filled: what it made, what left and what stayed (R2, R4)."""
    say = WORDS[lang]
    row = list(before["grid"][ROW_NAMES.index(cell[0])])
    row[int(cell[1]) - 1] = before["card"]
    gone = leaving(row, category)
    stayed = [card(name, lang) for name in row if name not in gone]
    cards = listed([card(name, lang) for name in gone], lang)
    kickers = say["stayed" if len(stayed) > 1 else "stayed alone"].format(cards=listed(stayed, lang))
    key = "left alone" if len(gone) == 1 else "left and stayed" if stayed else "left"
    return [
        say["scored"].format(row=cell[0], category=say[category], n=POINTS[category]),
        say[key].format(cards=cards, kickers=kickers),
    ]


def leaving(row: Sequence[str], category: str) -> list[str]:
    """Which cards of a full row make its category (R4)."""
    ranks = [name[:-1] for name in row]
    if category == "high card":
        return [max(row, key=lambda name: (name[0] == "A", RANK_NAMES.index(name[:-1])))]
    if category in ("pair", "two pairs", "three of a kind", "four of a kind"):
        return [name for name in row if ranks.count(name[:-1]) > 1]
    return list(row)


# Board: the grid as cards on felt, what each row is worth, the table of points; below, the card to place and the deck.

FELT = "on dark_green"
GRID_WIDTH = 34
WORTH_WIDTH = 20


def board(table: Table, seat: int, names: Sequence[str], lang: str) -> list[str]:
    left, right = felt(table), price_list(table, lang)
    middle = worth(table, lang)
    lines = [heading(table, names, lang)]
    for i in range(max(len(left), len(right))):
        grid = left[i] if i < len(left) else " " * GRID_WIDTH
        value = middle[i] if i < len(middle) else " " * WORTH_WIDTH
        lines.append(f"{grid} {value} {right[i] if i < len(right) else ''}".rstrip())
    return [*lines, *footer(table, lang)]


def heading(table: Table, names: Sequence[str], lang: str) -> str:
    say = WORDS[lang]
    who = names[0][:24].replace("[", r"\[")
    parts = [f"[bold]{who}[/]", f"[bold bright_yellow]{say['points'].format(n=table['account']['score'])}[/]"]
    if table["levels"] > 1:
        parts.insert(1, say["level"].format(level=table["level"], levels=table["levels"]))
    if table["to_move"] is None:
        parts.append(f"[bold]{say['end']}[/]")
    return " · ".join(parts)


def felt(table: Table) -> list[str]:
    """The rows of the grid with a strip of felt between them; a free cell shows its name."""
    strip = f"[{FELT}]{' ' * GRID_WIDTH}[/]"
    lines = [strip]
    for letter, row in zip(ROW_NAMES, table["grid"], strict=False):
        cells = [tile(name) if name else f"[dark_sea_green4]  {letter}{i} [/]" for i, name in enumerate(row, 1)]
        lines += [f"[{FELT}][dark_sea_green4] {letter} [/]{' '.join(cells)}  [/]", strip]
    return lines


def tile(name: str) -> str:
    """A card as a small white tile, five columns wide."""
    colour = "red3" if name[-1] in "dh" else "black"
    return f"[bold {colour} on grey93] {drawn(name, 'en'):>3} [/]"


def worth(table: Table, lang: str) -> list[str]:
    """Beside each row what it holds, and below that what the card shown would score there if it fills the row."""
    say = WORDS[lang]
    lines = [" " * WORTH_WIDTH]
    for row in table["account"]["rows"]:
        now = f"{say[row['category']]} {row['points']}" if row["category"] else ""
        then = f"→ {say[row['with_card']]} {row['with_card_points']}" if row["with_card"] and row["free"] == 1 else ""
        if table["to_move"] is None:
            now = say["leftover"] if row["category"] else ""
        style = "default" if row["points"] and table["to_move"] is not None else "dim"
        lines += [f"[{style}]{now:<{WORTH_WIDTH}}[/]", f"[bold bright_yellow]{then:<{WORTH_WIDTH}}[/]"]
    return lines


def price_list(table: Table, lang: str) -> list[str]:
    """The categories, their points, and how often each was made at this level."""
    made = table["made"][table["level"] - 1]
    lines = []
    for category, points in POINTS.items():
        times = f"×{made[category]}" if category in made else ""
        style = "bold" if times else "dim"
        lines.append(f"[{style}]{WORDS[lang][category]:<15} {points:>3} {times:<3}[/]")
    return lines


def footer(table: Table, lang: str) -> list[str]:
    """The card to place, what the deck still holds by rank and by suit, and the points of each level."""
    say, account = WORDS[lang], table["account"]
    unseen = {**account["unseen"]["ranks"], **account["unseen"]["suits"]}
    signs = "".join(f"{SUIT_SIGNS.get(sign, sign):>3}" for sign in unseen)
    counts = "".join(f"{n:>3}" if n else "  ·" for n in unseen.values())
    beside = [f"[bold]{say['to place']}[/]", "", say["deck"].format(n=len(table["deck"])), f"[dim]{signs}[/]", counts]
    if table["to_move"] is None:
        beside = [f"[bold]{say['end']}[/]", "", say["points"].format(n=account["score"]), "", ""]
    if table["levels"] > 1:
        beside[1] = f"[dim]{say['by level']}:[/] " + " · ".join(str(n) for n in account["points"][: table["level"]])
    return [f" {side}  {text}".rstrip() for side, text in zip(big_card(table["card"]), beside, strict=True)]


def big_card(name: str | None) -> list[str]:
    """The card to place, five lines of seven columns."""
    if name is None:
        return ["[dim]╭─────╮[/]", *["[dim]│     │[/]"] * 3, "[dim]╰─────╯[/]"]
    rank, sign = name[:-1], SUIT_SIGNS[name[-1]]
    colour = "bright_red" if name[-1] in "dh" else "bright_white"
    inside = [f" {rank:<4}", f"  {sign}  ", f"{rank:>4} "]
    return [f"[{colour}]╭─────╮[/]", *(f"[bold {colour}]│{line}│[/]" for line in inside), f"[{colour}]╰─────╯[/]"]
