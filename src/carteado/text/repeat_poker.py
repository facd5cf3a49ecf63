"""The words of Repeat Poker."""

from collections.abc import Sequence

from carteado.rules.cards import CARD_NAMES, DECK
from carteado.rules.compiled import rule
from carteado.rules.game import State
from carteado.rules.repeat_poker import (
    CATEGORIES,
    CELL_NAMES,
    COLUMNS,
    HIGH_CARD,
    LEVELS,
    RANK_BITS,
    REMOVED,
    ROW_NAMES,
    cards_in,
    judge,
    points_of,
    rows_of,
    to_move,
)
from carteado.rules.repeat_poker import POINTS as WORTH
from carteado.rules.written import Out, number
from carteado.text import Table
from carteado.text.french import SUIT_SIGNS, drawn
from carteado.text.spoken import LANGS, Names, also, at, fill, joined, person, say, sentences, table_of, term

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


SAY, GAP, TEXT = sentences(WORDS)
CARDS = table_of([[drawn(name, lang) for name in CARD_NAMES[: DECK + 1]] for lang in LANGS])
HANDS = table_of([[WORDS[lang][category] for category in CATEGORIES] for lang in LANGS])
PLACES = table_of([CELL_NAMES])  # in any language
ROWS = table_of([ROW_NAMES])
WHOLE_ROW = (1 << COLUMNS) - 1  # its columns as a set of bits


@rule
def judge_with_card(view: State, cell: int, out: Out) -> tuple[int, int]:
    """What the row of that cell makes with the card shown (see `judge`). No gap begins at 0: the row is laid there."""
    for k in range(COLUMNS):
        out[k] = view.grid[cell - cell % COLUMNS + k]
    out[cell % COLUMNS] = view.card
    return judge(out, 0)


@rule
def fill_placing(view: State, cell: int, lang: int, out: Out) -> None:
    """The card shown, and where it goes."""
    fill(out, GAP.card, term(out, at(GAP.card), CARDS, lang, int(view.card)))
    fill(out, GAP.cell, term(out, at(GAP.cell), PLACES, 0, cell))


@rule
def fill_hand(category: int, lang: int, out: Out) -> None:
    """A category, and its points."""
    fill(out, GAP.category, term(out, at(GAP.category), HANDS, lang, category))
    fill(out, GAP.n, number(out, at(GAP.n), WORTH[category]))


# Moves


@rule
def called(view: State, move: int, lang: int, names: Names, out: Out, n: int) -> int:
    first = move - move % COLUMNS
    category = judge_with_card(view, move, out)[0]
    fill_placing(view, move, lang, out)
    fill_hand(category, lang, out)
    if cards_in(view, first) == COLUMNS - 1:
        return say(out, n, TEXT, lang, SAY.place_scoring)
    is_news = category != HIGH_CARD and category != judge(view.grid, first)[0]
    return say(out, n, TEXT, lang, SAY.place_making if is_news else SAY.place)


# What happened


@rule
def told(
    before: State,
    move: int,
    mover: int,
    after: State,
    seat: int,
    winners: int,
    lang: int,
    names: Names,
    out: Out,
    n: int,
) -> int:
    fill(out, GAP.who, person(out, at(GAP.who), names, mover))
    fill_placing(before, move, lang, out)
    n = say(out, n, TEXT, lang, SAY.placed)
    if cards_in(before, move - move % COLUMNS) == COLUMNS - 1:
        n = scored(before, move, lang, out, n)
    if after.level > before.level:
        n = level_over(after, int(before.level), lang, out, n)
    elif to_move(after) < 0:
        n = ended(after, lang, out, n)
    return n


@rule
def scored(before: State, move: int, lang: int, out: Out, n: int) -> int:
    """The row that the card filled: what it made, what left and what stayed (R2, R4)."""
    category, ranks = judge_with_card(before, move, out)
    gone, leaves = int(REMOVED[category]), 0
    for k in range(COLUMNS):
        leaves |= int((RANK_BITS[out[k]] & ranks) != 0) << k
    fill(out, GAP.row, term(out, at(GAP.row), ROWS, 0, move // COLUMNS))
    fill_hand(category, lang, out)
    n = say(out, also(out, n, 0), TEXT, lang, SAY.scored)
    fill(out, GAP.cards, cards_listed(WHOLE_ROW & ~leaves, lang, out, at(GAP.cards)))
    how = SAY.stayed if COLUMNS - gone > 1 else SAY.stayed_alone
    fill(out, GAP.kickers, say(out, at(GAP.kickers), TEXT, lang, how))
    fill(out, GAP.cards, cards_listed(leaves, lang, out, at(GAP.cards)))
    how = SAY.left_alone if gone == 1 else SAY.left_and_stayed if gone < COLUMNS else SAY.left
    return say(out, also(out, n, 0), TEXT, lang, how)


@rule
def cards_listed(columns: int, lang: int, out: Out, n: int) -> int:
    """'J♣, J♦ e J♠': cards of the row that was judged, those of a set of columns."""
    begin = n
    for k in range(COLUMNS):
        if (columns >> k) & 1:
            n = term(out, joined(out, n, begin, columns >> (k + 1), lang), CARDS, lang, int(out[k]))
    return n


@rule
def level_over(after: State, level: int, lang: int, out: Out, n: int) -> int:
    rows = rows_of(int(after.level))
    fill(out, GAP.n, number(out, at(GAP.n), rows))
    fill(out, GAP.rows, say(out, at(GAP.rows), TEXT, lang, SAY.one_row if rows == 1 else SAY.rows))
    fill(out, GAP.level, number(out, at(GAP.level), level))
    fill(out, GAP.n, number(out, at(GAP.n), points_of(after, level)))
    fill(out, GAP.next, number(out, at(GAP.next), after.level))
    return say(out, also(out, n, 0), TEXT, lang, SAY.level_over)


@rule
def ended(after: State, lang: int, out: Out, n: int) -> int:
    score = 0
    for level in range(1, LEVELS + 1):
        score += points_of(after, level)
    fill(out, GAP.level, number(out, at(GAP.level), after.level))
    fill(out, GAP.m, number(out, at(GAP.m), points_of(after, int(after.level))))
    fill(out, GAP.n, number(out, at(GAP.n), score))
    return say(out, also(out, n, 0), TEXT, lang, SAY.over if after.levels == 1 else SAY.all_over)


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
