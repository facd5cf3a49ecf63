"""The words of Arboretum."""

from collections.abc import Sequence

import numpy as np

from carteado.rules.arboretum import (
    AREA,
    CARD_NAMES,
    DISCARD,
    DRAW,
    FIRST,
    OVER,
    PILE,
    PLACES,
    PLANT,
    PLANTING,
    SEATS,
    SHEET,
    SPECIES_NAMES,
    best_path,
    find_steps,
    hand_sums,
    has_right,
    planted_species,
)
from carteado.rules.arboretum import SPECIES as SPECIES_IN_ALL
from carteado.rules.compiled import rule
from carteado.rules.game import Moves, State
from carteado.rules.written import Out, number, put
from carteado.text import Table
from carteado.text.arboretum_trees import (
    HIDDEN,
    LETTERS,
    PAINT,
    SPECIES,
    beside,
    escaped,
    garden,
    row_of,
    short_names,
    width_of,
)
from carteado.text.spoken import LANGS, Names, also, at, fill, joined, listed, person, say, sentences, table_of, term

LOOKED_UP = tuple(f"phase {phase}" for phase in ("first", "second", "plant", "discard", "over"))
WIDTH = 80

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


SAY, GAP, TEXT = sentences(WORDS)


def card(name: str, lang: str) -> str:
    return WORDS[lang]["hidden"] if name == HIDDEN else f"{SPECIES[lang][name[:3]]} {name[3:]}"


CARDS = table_of([[card(name, lang) for name in CARD_NAMES] for lang in LANGS])
TREES = table_of([[SPECIES[lang][name] for name in SPECIES_NAMES] for lang in LANGS])


# Moves


@rule
def called(view: State, move: int, lang: int, names: Names, out: Out, n: int) -> int:
    if move == DRAW:
        return say(out, n, TEXT, lang, SAY.deck)
    if move >= PLANT:
        fill_planting(move, lang, out)
        return say(out, n, TEXT, lang, SAY.plant)
    if move > DISCARD:
        fill_card(move - DISCARD, lang, out)
        return say(out, n, TEXT, lang, SAY.discard)
    whose = move - PILE
    fill_card(int(view.piles[whose, view.pile_n[whose] - 1]), lang, out)
    fill(out, GAP.who, person(out, at(GAP.who), names, whose))
    return say(out, n, TEXT, lang, SAY.own_pile if whose == view.seat else SAY.pile)


@rule
def fill_card(card: int, lang: int, out: Out) -> None:
    fill(out, GAP.card, term(out, at(GAP.card), CARDS, lang, card))


@rule
def fill_planting(move: int, lang: int, out: Out) -> None:
    """The card, and its place as it is said: (2, -1)."""
    fill_card(1 + (move - PLANT) // AREA, lang, out)
    cell = (move - PLANT) % AREA
    n = number(out, put(out, at(GAP.place), b"("), PLACES[cell, 0])
    n = number(out, put(out, n, b", "), PLACES[cell, 1])
    fill(out, GAP.place, put(out, n, b")"))


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
    if move >= PLANT:
        fill_planting(move, lang, out)
        n = say(out, n, TEXT, lang, SAY.planted)
        return grown_paths(before, mover, after, lang, out, n)
    if move > DISCARD:
        fill_card(move - DISCARD, lang, out)
        n = say(out, n, TEXT, lang, SAY.discarded)
        return result(after, lang, names, out, n) if after.phase == OVER else n
    if move == DRAW:
        fill_card(drawn_card(before, mover, after), lang, out)
        n = say(out, n, TEXT, lang, SAY.drew)
        if after.deck_n == 0:
            n = say(out, also(out, n, 0), TEXT, lang, SAY.last_card)
    else:
        n = took(before, mover, move - PILE, seat, lang, names, out, n)
    if before.phase == FIRST and after.phase == PLANTING:
        n = say(out, also(out, n, 0), TEXT, lang, SAY.no_second)
    return n


@rule
def drawn_card(before: State, mover: int, after: State) -> int:
    """The first that was not in that hand before; 0 if it is hidden."""
    for i in range(after.hand_n[mover]):
        is_new = True
        for k in range(before.hand_n[mover]):
            is_new &= before.hands[mover, k] != after.hands[mover, i]
        if is_new:
            return int(after.hands[mover, i])
    return 0


@rule
def took(before: State, mover: int, whose: int, seat: int, lang: int, names: Names, out: Out, n: int) -> int:
    fill_card(int(before.piles[whose, before.pile_n[whose] - 1]), lang, out)
    fill(out, GAP.whose, person(out, at(GAP.whose), names, whose))
    if seat == whose:
        return say(out, n, TEXT, lang, SAY.took_your_own if mover == whose else SAY.took_yours)
    return say(out, n, TEXT, lang, SAY.took_own if mover == whose else SAY.took)


@rule
def fill_points(points: int, lang: int, out: Out) -> None:
    fill(out, GAP.n, number(out, at(GAP.n), points))
    fill(out, GAP.points, say(out, at(GAP.points), TEXT, lang, SAY.one_point if points == 1 else SAY.points))


@rule
def again(out: Out, n: int, gap: int) -> int:
    """What stands in a gap, once more."""
    size = int(out[at(gap) - 2]) + 256 * int(out[at(gap) - 1])
    for i in range(size):
        out[n + i] = out[at(gap) + i]
    return n + size


@rule
def grown_paths(before: State, mover: int, after: State, lang: int, out: Out, n: int) -> int:
    """A sentence for each species whose best path is worth more now."""
    then, now = np.zeros(SHEET, np.int64), np.zeros(SHEET, np.int64)
    find_steps(before, mover, then)
    find_steps(after, mover, now)
    for species in range(SPECIES_IN_ALL):
        points = int(best_path(after, mover, species, now))
        if points > 0 and points > best_path(before, mover, species, then):
            fill(out, GAP.species, term(out, at(GAP.species), TREES, lang, species))
            fill_points(points, lang, out)
            fill(out, GAP.n, again(out, at(GAP.n), GAP.points))
            n = say(out, also(out, n, 0), TEXT, lang, SAY.path)
    return n


@rule
def result(view: State, lang: int, names: Names, out: Out, n: int) -> int:
    """What each player scored, and who won."""
    n = say(out, also(out, n, 0), TEXT, lang, SAY.over)
    sums, sheet = np.zeros((SPECIES_IN_ALL, SEATS), np.int64), np.zeros(SHEET, np.int64)
    points, totals = np.zeros(SPECIES_IN_ALL, np.int64), np.zeros(SEATS, np.int64)
    hand_sums(view, sums)
    for seat in range(view.players):
        find_steps(view, seat, sheet)
        for species in range(SPECIES_IN_ALL):
            is_right = has_right(sums, species, view.players, seat)
            points[species] = best_path(view, seat, species, sheet) if is_right else 0
            totals[seat] += points[species]
        fill(out, GAP.who, person(out, at(GAP.who), names, seat))
        fill_points(int(totals[seat]), lang, out)
        fill(out, GAP.paths, scored_paths(points, lang, out, at(GAP.paths)))
        n = say(out, also(out, n, 0), TEXT, lang, SAY.result if totals[seat] > 0 else SAY.no_result)
    return victory(view, totals, lang, names, out, n)


@rule
def scored_paths(points: Moves, lang: int, out: Out, n: int) -> int:
    """'jacarandá 3, araucária 5 e manacá 2'."""
    left, begin = np.count_nonzero(points), n
    for species in range(SPECIES_IN_ALL):
        if points[species] > 0:
            left -= 1
            n = joined(out, n, begin, int(left), lang)
            n = number(out, put(out, term(out, n, TREES, lang, species), b" "), points[species])
    return n


@rule
def victory(view: State, totals: Moves, lang: int, names: Names, out: Out, n: int) -> int:
    """Who won by the rules, even if someone gave up: the most points, then the most species planted."""
    most, seats, firsts = -1, 0, 0  # the firsts have the most points, and may be more than the winners
    for seat in range(view.players):
        worth = int(totals[seat]) * (SPECIES_IN_ALL + 1) + int(planted_species(view, seat))
        if worth > most:
            most, seats = worth, 0
        if worth == most:
            seats |= 1 << seat
    for seat in range(view.players):
        if totals[seat] == most // (SPECIES_IN_ALL + 1):
            firsts |= 1 << seat
    fill(out, GAP.who, listed(out, at(GAP.who), names, seats, lang))
    if seats & (seats - 1):
        return say(out, also(out, n, 0), TEXT, lang, SAY.shared if firsts == seats else SAY.shared_by_species)
    return say(out, also(out, n, 0), TEXT, lang, SAY.won if firsts == seats else SAY.won_by_species)


# Board


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
