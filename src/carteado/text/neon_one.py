"""The words of nEon_onE."""

from collections.abc import Sequence

from carteado.rules.compiled import rule
from carteado.rules.game import State
from carteado.rules.neon_one import (
    CARD_NAMES,
    COLOUR,
    COLOUR_NAMES,
    DRAW,
    DRAWN,
    OVER,
    PASS,
    RENEW,
    REVERSE,
    SKIP,
    TAKE,
    WITH,
    symbol_of,
)
from carteado.rules.written import Out, number
from carteado.text import Table
from carteado.text.spoken import (
    LANGS,
    Names,
    also,
    at,
    comma,
    fill,
    listed,
    person,
    person_within,
    say,
    sentences,
    table_of,
    term,
)

COLOURS = {
    "pt": {"R": "vermelho", "B": "azul", "G": "verde", "Y": "amarelo"},
    "en": {"R": "red", "B": "blue", "G": "green", "Y": "yellow"},
}
PAINT = {"R": "bright_red", "B": "bright_blue", "G": "bright_green", "Y": "bright_yellow"}
SIGNS = {"R": "●", "B": "▲", "G": "■", "Y": "♦"}  # colours are told apart without seeing them
LETTERS = {"red": "R", "blue": "B", "green": "G", "yellow": "Y"}
HIDDEN = "?"
WIDTH = 49  # columns for the cards of another's hand

WORDS = {
    "pt": {
        "skip": "pular",
        "rev": "inverter",
        "wild": "coringa",
        "+4": "coringa +4",
        "swap": "troca de mãos",
        "renew": "renove",
        "hidden": "uma carta",
        "coloured": "{symbol} {colour}",
        "a card": "um {card}",
        "a swap": "a troca de mãos",
        "a renew": "o renove",
        "play": "jogar {card}",
        "draw": "comprar uma carta (nada serve)",
        "keep": "passar e ficar com {card}",
        "pass": "passar (não há o que comprar)",
        "take": "comprar as {n} cartas acumuladas",
        "choose": "escolher {colour}",
        "with": "trocar de mão com {who}",
        "played": "{who} jogou {card}.",
        "answered": "{who} respondeu com {card}: {n} cartas acumuladas.",
        "threat": "{who} jogou {card}: {n} cartas acumuladas.",
        "reversed": "O sentido agora é {direction}.",
        "skipped": "{who} perdeu a vez.",
        "won": "{who} venceu com a última carta!",
        "one left": "Só falta uma carta!",
        "renewed": "{who} renovou {cards}.",
        "drew": "{who} comprou {card}.",
        "drew none": "{who} não tinha o que jogar nem o que comprar.",
        "passed": "{who} passou.",
        "took": "{who} comprou {cards} e perdeu a vez.",
        "new": "Novas na mão: {cards}.",
        "chose": "{who} escolheu {colour}.",
        "swapped": "{who} trocou de mão com {other}: {gave} por {got}.",
        "fewest": "A partida acabou. Menos cartas: {who}.",
        "clockwise": "horário",
        "anticlockwise": "anti-horário",
        "stock": "monte",
        "active": "cor",
        "direction": "sentido",
        "penalty": "acumulado: +{n}",
        "card": "1 carta",
        "cards": "{n} cartas",
        "your hand": "mão",
    },
    "en": {
        "skip": "skip",
        "rev": "reverse",
        "wild": "wild",
        "+4": "wild +4",
        "swap": "swap hands",
        "renew": "renew",
        "hidden": "a card",
        "coloured": "{colour} {symbol}",
        "a card": "a {card}",
        "a swap": "swap hands",
        "a renew": "renew",
        "play": "play {card}",
        "draw": "draw a card (nothing fits)",
        "keep": "pass and keep {card}",
        "pass": "pass (there is nothing to draw)",
        "take": "take the {n} cards that piled up",
        "choose": "choose {colour}",
        "with": "swap hands with {who}",
        "played": "{who} played {card}.",
        "answered": "{who} answered with {card}: {n} cards piled up.",
        "threat": "{who} played {card}: {n} cards piled up.",
        "reversed": "Play now runs {direction}.",
        "skipped": "{who} lost a turn.",
        "won": "{who} won with the last card!",
        "one left": "One card left!",
        "renewed": "{who} renewed {cards}.",
        "drew": "{who} drew {card}.",
        "drew none": "{who} had nothing to play and nothing to draw.",
        "passed": "{who} passed.",
        "took": "{who} took {cards} and lost a turn.",
        "new": "New in hand: {cards}.",
        "chose": "{who} chose {colour}.",
        "swapped": "{who} swapped hands with {other}: {gave} for {got}.",
        "fewest": "The game is over. Fewest cards: {who}.",
        "clockwise": "clockwise",
        "anticlockwise": "anticlockwise",
        "stock": "stock",
        "active": "colour",
        "direction": "direction",
        "penalty": "piled up: +{n}",
        "card": "1 card",
        "cards": "{n} cards",
        "your hand": "hand",
    },
}


SAY, GAP, TEXT = sentences(WORDS)


def card(name: str, lang: str) -> str:
    say = WORDS[lang]
    if name == HIDDEN:
        return say["hidden"]
    if name in say:
        return say[name]
    symbol = say.get(name[1:], name[1:])
    return say["coloured"].format(symbol=symbol, colour=COLOURS[lang][name[0]])


def thing(name: str, lang: str) -> str:
    """A card as a thing that is played or drawn, with its article."""
    say = WORDS[lang]
    if name == HIDDEN:
        return say["hidden"]
    if name in ("swap", "renew"):  # one of each
        return say["a swap" if name == "swap" else "a renew"]
    return say["a card"].format(card=card(name, lang))


def counted(n: int, lang: str) -> str:
    return WORDS[lang]["card" if n == 1 else "cards"].format(n=n)


CARDS = table_of([[card(name, lang) for name in CARD_NAMES] for lang in LANGS])
THINGS = table_of([[thing(name, lang) for name in CARD_NAMES] for lang in LANGS])
CHOICES = table_of([[COLOURS[lang][letter] for letter in COLOUR_NAMES] for lang in LANGS])


# Moves


@rule
def called(view: State, move: int, lang: int, names: Names, out: Out, n: int) -> int:
    if move == TAKE:
        fill(out, GAP.n, number(out, at(GAP.n), view.penalty))
        return say(out, n, TEXT, lang, SAY.take)
    if move == PASS and view.phase == DRAWN:
        newest = int(view.hands[view.seat, view.hand_n[view.seat] - 1])
        fill(out, GAP.card, term(out, at(GAP.card), CARDS, lang, newest))
        return say(out, n, TEXT, lang, SAY.keep)
    if move in (PASS, DRAW):
        return say(out, n, TEXT, lang, SAY.draw if move == DRAW else SAY.pass_)
    if move >= WITH:
        fill(out, GAP.who, person(out, at(GAP.who), names, move - WITH))
        return say(out, n, TEXT, lang, SAY.with_)
    if move >= COLOUR:
        fill(out, GAP.colour, term(out, at(GAP.colour), CHOICES, lang, move - COLOUR))
        return say(out, n, TEXT, lang, SAY.choose)
    fill(out, GAP.card, term(out, at(GAP.card), CARDS, lang, move))
    return say(out, n, TEXT, lang, SAY.play)


# What happened


@rule
def count(out: Out, n: int, cards: int, lang: int) -> int:
    fill(out, GAP.n, number(out, at(GAP.n), cards))
    return say(out, n, TEXT, lang, SAY.card if cards == 1 else SAY.cards)


@rule
def new_cards(view: State, seat: int, first: int, lang: int, out: Out, n: int) -> int:
    """Those of a hand from the first of them on, if there are any."""
    if first >= view.hand_n[seat]:
        return n
    k = at(GAP.cards)
    for i in range(first, view.hand_n[seat]):
        k = term(out, comma(out, k, at(GAP.cards)), CARDS, lang, int(view.hands[seat, i]))
    fill(out, GAP.cards, k)
    return say(out, also(out, n, 0), TEXT, lang, SAY.new)


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
    had, has = int(before.hand_n[mover]), int(after.hand_n[mover])
    if move == DRAW:
        newest = int(after.hands[mover, had]) if has > had else 0
        fill(out, GAP.card, term(out, at(GAP.card), THINGS, lang, newest))
        n = say(out, n, TEXT, lang, SAY.drew if has > had else SAY.drew_none)
    elif move == PASS:
        n = say(out, n, TEXT, lang, SAY.passed)
    elif move == TAKE:
        fill(out, GAP.cards, count(out, at(GAP.cards), max(0, has - had), lang))
        n = say(out, n, TEXT, lang, SAY.took)
        if seat == mover:
            n = new_cards(after, mover, had, lang, out, n)
    elif move >= WITH:
        n = swapped(before, mover, move - WITH, after, seat, lang, names, out, n)
    elif move >= COLOUR:
        fill(out, GAP.colour, term(out, at(GAP.colour), CHOICES, lang, move - COLOUR))
        n = say(out, n, TEXT, lang, SAY.chose)
    else:
        n = played(before, move, mover, after, seat, lang, names, out, n)
    if after.phase == OVER:
        n = ended(after, lang, names, out, n)
    return n


@rule
def swapped(
    before: State, mover: int, other: int, after: State, seat: int, lang: int, names: Names, out: Out, n: int
) -> int:
    fill(out, GAP.other, person_within(out, at(GAP.other), names, other))
    fill(out, GAP.gave, count(out, at(GAP.gave), int(before.hand_n[mover]), lang))
    fill(out, GAP.got, count(out, at(GAP.got), int(before.hand_n[other]), lang))
    n = say(out, n, TEXT, lang, SAY.swapped)
    if seat == mover or seat == other:
        n = new_cards(after, seat, 0, lang, out, n)
    return n


@rule
def played(
    before: State, card: int, mover: int, after: State, seat: int, lang: int, names: Names, out: Out, n: int
) -> int:
    """A card was played: what it was, and what it did at once."""
    left, symbol = int(before.hand_n[mover]) - 1, symbol_of(card)
    fill(out, GAP.card, term(out, at(GAP.card), THINGS, lang, card))
    how = SAY.played
    if after.penalty > before.penalty:
        how = SAY.answered if before.penalty else SAY.threat
        fill(out, GAP.n, number(out, at(GAP.n), after.penalty))
    n = say(out, n, TEXT, lang, how)
    if left == 0:
        return say(out, also(out, n, 0), TEXT, lang, SAY.won)
    if card == RENEW:
        fill(out, GAP.cards, count(out, at(GAP.cards), left, lang))
        n = say(out, also(out, n, 0), TEXT, lang, SAY.renewed)
        if seat == mover:
            n = new_cards(after, mover, 0, lang, out, n)
    if symbol == REVERSE and before.players > 2:
        way = SAY.clockwise if after.direction > 0 else SAY.anticlockwise
        fill(out, GAP.direction, say(out, at(GAP.direction), TEXT, lang, way))
        n = say(out, also(out, n, 0), TEXT, lang, SAY.reversed)
    elif symbol in (SKIP, REVERSE):
        other = (mover + before.direction) % before.players
        fill(out, GAP.who, person(out, at(GAP.who), names, other))
        n = say(out, also(out, n, 0), TEXT, lang, SAY.skipped)
    if left == 1:
        n = say(out, also(out, n, 0), TEXT, lang, SAY.one_left)
    return n


@rule
def ended(view: State, lang: int, names: Names, out: Out, n: int) -> int:
    """Without a last card (N10): who has the fewest."""
    fewest, seats = int(view.hand_n[0]), 0
    for seat in range(view.players):
        fewest = min(fewest, int(view.hand_n[seat]))
    if fewest == 0:
        return n
    for seat in range(view.players):
        if view.hand_n[seat] == fewest:
            seats |= 1 << seat
    fill(out, GAP.who, listed(out, at(GAP.who), names, seats, lang))
    return say(out, also(out, n, 0), TEXT, lang, SAY.fewest)


# Board


def direction(table: Table, lang: str) -> str:
    return WORDS[lang]["clockwise" if table["direction"] > 0 else "anticlockwise"]


def painted(name: str) -> str:
    """A card as markup, about five columns wide."""
    if name == HIDDEN:
        return "[dim]▒▒[/]"
    if name in ("wild", "+4", "swap", "renew"):
        return f"[bold bright_magenta]{ {'wild': '★', '+4': '★+4', 'swap': '⇄', 'renew': '↻'}[name] }[/]"
    symbol = {"skip": "⊘", "rev": "⇆"}.get(name[1:], name[1:])
    return f"[bold {PAINT[name[0]]}]{SIGNS[name[0]]}{symbol}[/]"


def board(table: Table, seat: int, names: Sequence[str], lang: str) -> list[str]:
    say = WORDS[lang]
    letter = LETTERS[table["colour"]]
    active = f"[bold {PAINT[letter]}]{SIGNS[letter]} {COLOURS[lang][letter]}[/]"
    arrow = "↻" if table["direction"] > 0 else "↺"
    top = [
        f"{say['stock']} [bold]{len(table['stock'])}[/]",
        f"{painted(table['discard'][-1])}",
        f"{say['active']} {active}",
        f"{say['direction']} {arrow} {direction(table, lang)}",
    ]
    if table["penalty"]:
        top.append(f"[bold bright_red]{say['penalty'].format(n=table['penalty'])}[/]")
    lines = ["   ".join(top), ""]
    for other, name in enumerate(names):
        if other == seat:
            continue
        hand = table["hands"][other]
        mark = "▶" if other == table["to_move"] else " "
        label = f"{name[:16]:<16}".replace("[", r"\[")  # a name is no markup
        style = "bold bright_yellow" if len(hand) == 1 else "default"
        size = counted(len(hand), lang) + ("!" if len(hand) == 1 else "")
        known = [painted(c) for c in hand if c != HIDDEN]
        backs = "▒" * min(len(hand) - len(known), 16)
        shown = " ".join(known[: (WIDTH - len(backs)) // 4])
        lines.append(f"{mark} {label} [{style}]{size:<10}[/] [dim]{backs}[/] {shown}".rstrip())
    if seat >= 0:
        mark = "▶" if seat == table["to_move"] else " "
        hand = sorted(table["hands"][seat], key=_place)
        lines += ["", f"{mark} [bold]{names[seat]}[/] · {counted(len(hand), lang)} · {say['your hand']}"]
        lines += ["  " + "  ".join(painted(c) for c in hand[i : i + 14]) for i in range(0, len(hand), 14)]
    return lines


def _place(name: str) -> tuple[int, str]:
    return ("RBGY".find(name[0]) if name[0] in "RBGY" else 4, name)
