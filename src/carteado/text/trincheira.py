"""The words of Trincheira: its board. What is said of moves is in trincheira_called.py and trincheira_told.py."""

from collections.abc import Sequence
from functools import cache
from typing import cast

from carteado.text import Table
from carteado.text.french import painted
from carteado.text.trincheira_called import called, hidden
from carteado.text.trincheira_told import told
from carteado.text.trincheira_words import PRIME, WORDS, card, plural, thing

__all__ = ["WORDS", "board", "called", "hidden", "told"]

HIDDEN = "?"
WIDTH = 78


# Sequences


def sequence_of(table: Table, seat: int, low: str) -> Table:
    for row in table["sequences"][seat]:
        if row["cards"][0] == low:
            return cast(Table, row)
    raise KeyError(low)


def span(row: Table, lang: str) -> str:
    """5♥–8♠, or 5♥ where it is alone."""
    cards = row["cards"]
    return between(cards[0], cards[-1], lang)


@cache
def between(low: str, high: str, lang: str) -> str:
    return card(low, lang) if low == high else f"{card(low, lang)}–{card(high, lang)}"


def where(table: Table, seat: int, low: str, lang: str) -> str:
    """The span of a sequence, by its lowest card."""
    return span(sequence_of(table, seat, low), lang)


def value(row: Table) -> int:
    """T3."""
    n = len(row["cards"])
    return n * n * (2 if len({name.rstrip(PRIME)[-1] for name in row["cards"]}) == 1 else 1)


def total(table: Table, seat: int) -> int:
    return sum(value(row) for row in table["sequences"][seat])


# Board


def inked(name: str) -> tuple[str, int]:
    """A card as markup, and its width."""
    if name == HIDDEN:
        return "[dim]▒▒[/]", 2
    if name == "joker":
        return "[bold magenta]★[/]", 1
    text = card(name, "en")
    return f"[bold {'bright_red' if name.rstrip(PRIME)[-1] in 'dh' else 'bright_white'}]{text}[/]", len(text)


def guard_mark(guard: Table) -> tuple[str, int]:
    """[▒▒] lies face down; its owner sees [▒9♠]; [9♠] is revealed."""
    text, width = inked(guard["card"])
    back = "" if guard["revealed"] or guard["card"] == HIDDEN else "[dim]▒[/]"
    return f"[yellow]\\[[/]{back}{text}[yellow]][/]", width + 2 + (1 if back else 0)


def sequence_mark(row: Table) -> tuple[str, int]:
    """[▒▒] 5♥ 6♥ 7♥ =18*: guard, cards, value; * is pure and # armoured."""
    cards = [inked(name) for name in row["cards"]]
    suits = {name.rstrip(PRIME)[-1] for name in row["cards"]}
    sign = "#" if suits == {"s"} else "*" if len(suits) == 1 else ""
    style = "bright_cyan" if sign == "#" else "bright_green" if sign else "default"
    worth = f"={value(row)}{sign}"
    marks = [*([guard_mark(row["guard"])] if row["guard"] else []), *cards, (f"[{style}]{worth}[/]", len(worth))]
    return " ".join(text for text, _ in marks), sum(width + 1 for _, width in marks) - 1


def flowed(marks: Sequence[tuple[str, int]], first: str = "  ") -> list[str]:
    """Marks beside each other, in as many lines as they need."""
    lines, width = [first], len(first)
    for text, wide in marks:
        if width + wide > WIDTH:
            lines.append("  ")
            width = 2
        lines[-1] += text + "   "
        width += wide + 3
    return [line.rstrip() for line in lines]


def trench(table: Table, seat: int, lang: str) -> list[str]:
    rows, loose = table["sequences"][seat], table["loose"][seat]
    lines = flowed([sequence_mark(row) for row in rows]) if rows else [f"  [dim]{WORDS[lang]['empty']}[/]"]
    if loose:
        marks = [guard_mark(guard) for guard in loose]
        numbered = [(f"{i} {text}", width + 1 + len(str(i))) for i, (text, width) in enumerate(marks, 1)]
        lines += flowed(numbered, f"  {WORDS[lang]['loose']}: ")
    return lines


def ruled(parts: Sequence[tuple[str, str]]) -> str:
    """Texts with their styles, in a line that goes on to the right border."""
    width = sum(len(text) + 3 for text, _ in parts)
    texts = " [dim]·[/] ".join(f"[{style}]{text}[/]" for text, style in parts)
    return f"[dim]──[/] {texts} [dim]{'─' * (WIDTH - width)}[/]"


def player(table: Table, seat: int, names: Sequence[str], lang: str) -> str:
    say, is_next = WORDS[lang], table["to_move"] == seat
    name = f"{'▶ ' if is_next else ''}{names[seat][:24]}"
    size = plural(len(table["hands"][seat]), "one card", "cards", lang)
    points = say["points"].format(n=total(table, seat))
    style = "bold bright_yellow" if is_next else "bold"
    return ruled([(name, style), (points, "bold"), (f"{say['hand']}: {size}", "default")])


def hand(table: Table, seat: int) -> list[str]:
    cards = table["hands"][seat]
    return ["  " + " ".join(painted(name) for name in cards)] if cards else []


def middle(table: Table, lang: str) -> str:
    """What lies between the trenches, and what is going on."""
    say, loud = WORDS[lang], "bold bright_yellow"
    parts = [(f"{say['stock']} {len(table['stock'])}", "bold"), (f"{say['trash']} {len(table['trash'])}", "default")]
    if table["last"] is not None or table["phase"] == "over":
        parts.append((say[{"duel": "duel phase", "over": "over"}.get(table["phase"], "last moves")], loud))
    elif table["quiet"] >= 40:
        parts.append((say["no recovering"], loud))
    elif table["quiet"] >= 20:
        parts.append((say["quiet"].format(n=table["quiet"]), "default"))
    if table["attack"]:
        attack = table["attack"]
        place = where(table, table["to_move"], attack["target"], lang)
        line = say["under attack"].format(card=thing(attack["card"], lang), where=place)
        parts.append((f"{line} {say[attack['end']]}" if attack["end"] else line, "bold bright_red"))
    if table["stolen"]:
        parts.append((say["stolen"].format(card=card(table["stolen"]["card"], lang)), "bold bright_red"))
    return ruled(parts)


def board(table: Table, seat: int, names: Sequence[str], lang: str) -> list[str]:
    """The enemy above, one's own trench below; a watcher sits with seat 0."""
    own = max(seat, 0)
    lines = [player(table, 1 - own, names, lang), *hand(table, 1 - own), *trench(table, 1 - own, lang)]
    lines += ["", middle(table, lang), ""]
    lines += [*trench(table, own, lang), player(table, own, names, lang), *hand(table, own)]
    return [*lines, f"  [dim]{WORDS[lang]['legend']}[/]"]
