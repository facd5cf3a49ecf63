"""The words of Arboretum."""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TypedDict

from carteado.text import Table, listed

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
LOOKED_UP = tuple(f"phase {phase}" for phase in ("first", "second", "plant", "discard", "over"))
WIDTH = 80
NAME = 12  # columns of a player's name in the board

WORDS = {
    "pt": {
        "hidden": "uma carta",
        "deck": "comprar do monte",
        "pile": "pegar {card} do descarte de {who}",
        "own pile": "pegar {card} do seu próprio descarte",
        "plant": "plantar {card} em {place}",
        "discard": "descartar {card}",
        "drew": "{who} comprou {card} do monte.",
        "last card": "Era a última carta do monte: a partida acaba no fim desta vez.",
        "took": "{who} pegou {card} do descarte de {whose}.",
        "took yours": "{who} pegou de você {card}, do descarte.",
        "took own": "{who} pegou {card} do próprio descarte.",
        "took your own": "{who} pegou {card} do seu próprio descarte.",
        "no second": "Não havia segunda carta para comprar.",
        "planted": "{who} plantou {card} em {place}.",
        "path": "Caminho de {species}: {n}.",
        "one point": "1 ponto",
        "points": "{n} pontos",
        "discarded": "{who} descartou {card}.",
        "over": "A partida acabou.",
        "result": "{who}: {points} ({paths}).",
        "no result": "{who}: {points}.",
        "won": "{who} venceu!",
        "won by species": "{who} venceu no desempate, com mais espécies plantadas!",
        "shared": "{who} dividiram a vitória!",
        "shared by species": "{who} dividiram a vitória no desempate, com mais espécies plantadas!",
        "phase first": "comprar a primeira carta",
        "phase second": "comprar a segunda carta",
        "phase plant": "plantar uma carta",
        "phase discard": "descartar uma carta",
        "phase over": "fim de jogo",
        "stock": "monte",
        "last turn": "última vez!",
        "pile of": "descarte",
        "empty": "vazio",
        "hand": "mão",
        "seen hand": "que todos viram",
        "species": "espécie",
        "total": "total",
        "key": "✓ pontua  ✗ não pontua  ? não se sabe",
    },
    "en": {
        "hidden": "a card",
        "deck": "draw from the deck",
        "pile": "take {card} from {who}'s pile",
        "own pile": "take {card} from your own pile",
        "plant": "plant {card} at {place}",
        "discard": "discard {card}",
        "drew": "{who} drew {card} from the deck.",
        "last card": "It was the last card of the deck: the game ends after this turn.",
        "took": "{who} took {card} from {whose}'s pile.",
        "took yours": "{who} took {card} from your pile.",
        "took own": "{who} took {card} from their own pile.",
        "took your own": "{who} took {card} from your own pile.",
        "no second": "There was no second card to draw.",
        "planted": "{who} planted {card} at {place}.",
        "path": "Path of {species}: {n}.",
        "one point": "1 point",
        "points": "{n} points",
        "discarded": "{who} discarded {card}.",
        "over": "The game is over.",
        "result": "{who}: {points} ({paths}).",
        "no result": "{who}: {points}.",
        "won": "{who} won!",
        "won by species": "{who} won the tie-break, with more species planted!",
        "shared": "{who} shared the victory!",
        "shared by species": "{who} shared the victory in the tie-break, with more species planted!",
        "phase first": "draw the first card",
        "phase second": "draw the second card",
        "phase plant": "plant a card",
        "phase discard": "discard a card",
        "phase over": "game over",
        "stock": "deck",
        "last turn": "last turn!",
        "pile of": "pile",
        "empty": "empty",
        "hand": "hand",
        "seen hand": "seen by all",
        "species": "species",
        "total": "total",
        "key": "✓ scores  ✗ does not  ? not known",
    },
}


class Path(TypedDict):
    points: int
    right: bool | None


class Player(TypedDict):
    species: dict[str, Path]
    planted: int
    total: int | None


class Account(TypedDict):
    players: list[Player]


class Often(TypedDict):
    phase: str
    to_move: int | None
    hands: list[list[str]]
    piles: list[list[str]]
    deck: list[str]
    account: Account


@cache
def card(name: str, lang: str) -> str:
    return WORDS[lang]["hidden"] if name == HIDDEN else f"{SPECIES[lang][name[:3]]} {name[3:]}"


def place(name: str) -> str:
    """'2,-1' as it is said: (2, -1)."""
    return f"({name.replace(',', ', ')})"


def moves(legal: Sequence[str], table: Table, names: Sequence[str], lang: str) -> list[str]:
    return [by_itself(name, lang) or taking(int(name[5:]), table, names, lang) for name in legal]


@lru_cache(1 << 14)  # a garden has many places
def by_itself(name: str, lang: str) -> str:
    """To plant a card, to discard it, or to draw one; not to take one, for which one has to look at a pile."""
    verb, *rest = name.split()
    if verb == "pile":
        return ""
    what, where = (*rest, "", "")[:2]
    return WORDS[lang][verb].format(card=card(what, lang) if what else "", place=place(where))


def taking(whose: int, table: Table, names: Sequence[str], lang: str) -> str:
    how = "own pile" if whose == table["to_move"] else "pile"
    return WORDS[lang][how].format(card=card(table["piles"][whose][-1], lang), who=names[whose])


# What happened


def happened(before: Table, move: str, mover: int, after: Table, seat: int, names: Sequence[str], lang: str) -> str:
    say, who = WORDS[lang], names[mover]
    verb, *rest = move.split()
    if verb == "plant":
        line = [say["planted"].format(who=who, card=card(rest[0], lang), place=place(rest[1]))]
        return " ".join(line + grown_paths(before, mover, after, lang))
    if verb == "discard":
        line = [say["discarded"].format(who=who, card=card(rest[0], lang))]
        return " ".join(line + (result(after, names, lang) if after["phase"] == "over" else []))
    if verb == "deck":
        drawn = [name for name in after["hands"][mover] if name not in before["hands"][mover]]
        line = [say["drew"].format(who=who, card=card(drawn[0] if drawn else HIDDEN, lang))]
        if not after["deck"]:
            line.append(say["last card"])
    else:
        whose = int(rest[0])
        how = "took own" if mover == whose else "took"
        if seat == whose:
            how = "took your own" if mover == whose else "took yours"
        line = [say[how].format(who=who, card=card(before["piles"][whose][-1], lang), whose=names[whose])]
    if before["phase"] == "first" and after["phase"] == "plant":
        line.append(say["no second"])
    return " ".join(line)


def points(n: int, lang: str) -> str:
    return WORDS[lang]["one point"] if n == 1 else WORDS[lang]["points"].format(n=n)


def grown_paths(before: Table, mover: int, after: Table, lang: str) -> list[str]:
    """A sentence for each species whose best path is worth more now."""
    then, now = (table["account"]["players"][mover]["species"] for table in (before, after))
    grown = [name for name in now if now[name]["points"] > then[name]["points"]]
    say = WORDS[lang]["path"]
    return [say.format(species=SPECIES[lang][name], n=points(now[name]["points"], lang)) for name in grown]


def result(table: Table, names: Sequence[str], lang: str) -> list[str]:
    """What each player scored, and who won."""
    say, rows = WORDS[lang], table["account"]["players"]
    lines = [say["over"]]
    for who, row in zip(names, rows, strict=True):
        scored = [f"{SPECIES[lang][name]} {one['points']}" for name, one in row["species"].items() if one["right"]]
        paths = [text for text in scored if not text.endswith(" 0")]
        how = "result" if paths else "no result"
        lines.append(say[how].format(who=who, points=points(row["total"], lang), paths=listed(paths, lang)))
    winners = winners_of(rows)
    ties = sum(row["total"] == rows[winners[0]]["total"] for row in rows)
    hows = ("won by species", "shared by species") if ties > len(winners) else ("won", "shared")
    how = hows[len(winners) > 1]
    return [*lines, say[how].format(who=listed([names[seat] for seat in winners], lang))]


def winners_of(rows: Sequence[Table]) -> list[int]:
    """The most points, then the most species planted."""
    worth = [(row["total"], row["planted"]) for row in rows]
    return [seat for seat, one in enumerate(worth) if one == max(worth)]


# Board

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


def score(table: Table, names: Sequence[str], lang: str) -> list[str]:
    """For each species, what everyone's best path is worth and whether it scores."""
    say, rows = WORDS[lang], table["account"]["players"]
    room = max(len(SPECIES[lang][name]) for name in table["species"]) + 5
    marks = {True: "[green]✓[/]", False: "[red]✗[/]", None: "[dim]?[/]"}
    heads = "".join(f"{head:>6} " for head in short_names(names))
    lines = [f"[dim]{say['species']:<{room}}{heads}[/]"]
    for name in table["species"]:
        code = name.replace(LETTERS[name].lower(), LETTERS[name], 1)
        line = f"[bold {PAINT[name]}]{code}[/] {SPECIES[lang][name]:<{room - 4}}"
        for row in rows:
            one = row["species"][name]
            line += f"{one['points']:>6}{marks[one['right']]}" if one["points"] else f"[dim]{'–':>6}[/] "
        lines.append(line)
    totals = "".join(f"{'?' if row['total'] is None else row['total']:>6} " for row in rows)
    return [*lines, f"[bold]{say['total']:<{room}}{totals}[/]", f"[dim]{say['key']}[/]"]


def player(table: Table, seat: int, name: str, width: int, lang: str) -> list[str]:
    """Another player: name, hand, pile and garden."""
    say, hand, pile = WORDS[lang], table["hands"][seat], table["piles"][seat][::-1]
    mark = "[bold]▶[/]" if seat == table["to_move"] else " "
    lines = [f"{mark} [bold]{name}[/]"]
    lines.append(f"  [dim]{say['hand']}[/] {row_of(hand, width - 4 - len(say['hand']))}")
    cards = row_of(pile, width - 4 - len(say["pile of"])) if pile else f"[dim]{say['empty']}[/]"
    lines.append(f"  [dim]{say['pile of']}[/] {cards}")
    rows = garden(table["gardens"][seat], width - 2, False)
    indent = "  " if all(width_of(row) <= width - 2 for row in rows) else ""
    return lines + [indent + row for row in rows]


def own(table: Table, seat: int, name: str, lang: str) -> list[str]:
    """The hand and the pile of the player at the bottom."""
    say, hand, known = WORDS[lang], table["hands"][seat], table["known"][seat]
    mark = "[bold]▶[/]" if seat == table["to_move"] else " "
    cards = row_of(hand[known:], 45)
    if known:
        cards += f"  [dim]{say['seen hand']}[/] {row_of(hand[:known], 45)}"
    pile = row_of(table["piles"][seat][::-1], WIDTH - 12) or f"[dim]{say['empty']}[/]"
    return [f"{mark} [bold]{name}[/]  [dim]{say['hand']}[/] {cards}", f"  [dim]{say['pile of']}[/] {pile}"]


def board(table: Table, seat: int, names: Sequence[str], lang: str) -> list[str]:
    say, players = WORDS[lang], len(names)
    names = [escaped(name) for name in names]
    bottom = max(seat, 0)
    head = f"{say['stock']} [bold]{len(table['deck'])}[/]"
    phase = say["phase " + table["phase"]]
    if table["to_move"] is None:
        head += f"   [bold]{phase}[/]"
    else:
        head += f"   {names[table['to_move']]}: {phase}"
        head += "" if table["deck"] else f"   [bold bright_red]{say['last turn']}[/]"
    panel = score(table, [name.replace("\\[", "(") for name in names], lang)
    side = WIDTH - max(width_of(line) for line in panel)
    others = [(bottom + i) % players for i in range(1, players)]
    room = side if players == 2 else (WIDTH + 1) // len(others)  # with a column between
    top: list[str] = []
    for i, other in enumerate(others):
        top = beside(top, player(table, other, names[other], room - 1, lang), i * room)
    ground = garden(table["gardens"][bottom], WIDTH if players == 2 else side - 1, True)
    if players == 2:
        top = beside(top, panel, side)
    else:
        ground = beside(ground, panel, side)
    return [head, "", *top, "", *ground, *own(table, bottom, names[bottom], lang)]
