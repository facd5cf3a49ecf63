"""The words of nEon_onE."""

from collections.abc import Sequence
from functools import cache
from typing import TypedDict

from carteado.text import Table, listed

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


class Often(TypedDict):
    phase: str
    to_move: int | None
    direction: int
    penalty: int
    hands: list[list[str]]


@cache
def card(name: str, lang: str) -> str:
    say = WORDS[lang]
    if name == HIDDEN:
        return say["hidden"]
    if name in say:
        return say[name]
    symbol = say.get(name[1:], name[1:])
    return say["coloured"].format(symbol=symbol, colour=COLOURS[lang][name[0]])


@cache
def thing(name: str, lang: str) -> str:
    """A card as a thing that is played or drawn, with its article."""
    say = WORDS[lang]
    if name == HIDDEN:
        return say["hidden"]
    if name in ("swap", "renew"):  # one of each
        return say["a swap" if name == "swap" else "a renew"]
    return say["a card"].format(card=card(name, lang))


def colour(word: str, lang: str) -> str:
    return COLOURS[lang][LETTERS[word]]


def counted(n: int, lang: str) -> str:
    return WORDS[lang]["card" if n == 1 else "cards"].format(n=n)


def moves(legal: Sequence[str], table: Table, names: Sequence[str], lang: str) -> list[str]:
    return [called(name, table, names, lang) for name in legal]


def called(name: str, table: Table, names: Sequence[str], lang: str) -> str:
    say = WORDS[lang]
    if name == "take":
        return say["take"].format(n=table["penalty"])
    if name == "pass":
        newest = table["hands"][table["to_move"]][-1]
        return say["keep"].format(card=card(newest, lang)) if table["phase"] == "drawn" else say["pass"]
    if name == "draw":
        return say["draw"]
    if name in LETTERS:
        return say["choose"].format(colour=colour(name, lang))
    if name.startswith("with "):
        return say["with"].format(who=names[int(name[5:])])
    return playing(name, lang)


@cache
def playing(name: str, lang: str) -> str:
    return WORDS[lang]["play"].format(card=card(name, lang))


def happened(before: Table, move: str, mover: int, after: Table, seat: int, names: Sequence[str], lang: str) -> str:
    say, who = WORDS[lang], names[mover]
    held, holds = before["hands"], after["hands"]
    came = holds[mover][len(held[mover]) :]
    if move == "draw":
        line = [say["drew" if came else "drew none"].format(who=who, card=thing([*came, HIDDEN][0], lang))]
    elif move == "pass":
        line = [say["passed"].format(who=who)]
    elif move == "take":
        line = [say["took"].format(who=who, cards=counted(len(came), lang))]
        line += new_cards(came, lang) if seat == mover else []
    elif move in LETTERS:
        line = [say["chose"].format(who=who, colour=colour(move, lang))]
    elif move.startswith("with "):
        other = int(move[5:])
        gave, got = counted(len(held[mover]), lang), counted(len(held[other]), lang)
        partner = names[other].lower() if other == seat else names[other]  # 'com você'
        line = [say["swapped"].format(who=who, other=partner, gave=gave, got=got)]
        line += new_cards(holds[seat], lang) if seat in (mover, other) else []
    else:
        line = played(before, move, mover, after, seat, names, lang)
    if after["phase"] == "over" and all(holds):
        fewest = min(len(hand) for hand in holds)
        winners = [names[n] for n, hand in enumerate(holds) if len(hand) == fewest]
        line.append(say["fewest"].format(who=listed(winners, lang)))
    return " ".join(line)


def new_cards(cards: Sequence[str], lang: str) -> list[str]:
    return [WORDS[lang]["new"].format(cards=", ".join(card(name, lang) for name in cards))] if cards else []


def played(before: Table, name: str, mover: int, after: Table, seat: int, names: Sequence[str], lang: str) -> list[str]:
    """A card was played: what it was, and what it did at once."""
    say, who = WORDS[lang], names[mover]
    left = len(before["hands"][mover]) - 1
    how = "played"
    if after["penalty"] > before["penalty"]:
        how = "answered" if before["penalty"] else "threat"
    line = [say[how].format(who=who, card=thing(name, lang), n=after["penalty"])]
    if not left:
        return [*line, say["won"].format(who=who)]
    if name == "renew":
        line.append(say["renewed"].format(who=who, cards=counted(left, lang)))
        line += new_cards(after["hands"][mover], lang) if seat == mover else []
    if name.endswith("rev") and len(names) > 2:
        line.append(say["reversed"].format(direction=direction(after, lang)))
    elif name.endswith(("skip", "rev")):
        line.append(say["skipped"].format(who=names[(mover + before["direction"]) % len(names)]))
    if left == 1:
        line.append(say["one left"])
    return line


def direction(table: Table, lang: str) -> str:
    return WORDS[lang]["clockwise" if table["direction"] > 0 else "anticlockwise"]


# Board


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
