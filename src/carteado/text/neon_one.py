"""The words of nEon_onE."""

from collections.abc import Sequence

from carteado.text import Table

COLOURS = {
    "pt": {"R": "vermelho", "B": "azul", "G": "verde", "Y": "amarelo"},
    "en": {"R": "red", "B": "blue", "G": "green", "Y": "yellow"},
}
PAINT = {"R": "bright_red", "B": "bright_blue", "G": "bright_green", "Y": "bright_yellow"}
SIGNS = {"R": "♦", "B": "●", "G": "▲", "Y": "■"}  # colours are told apart without seeing them
LETTERS = {"red": "R", "blue": "B", "green": "G", "yellow": "Y"}
HIDDEN = "?"

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
        "play": "jogar {card}",
        "draw": "comprar uma carta (nada serve)",
        "keep": "passar e ficar com {card}",
        "pass": "passar (não há o que comprar)",
        "take": "comprar as {n} cartas acumuladas",
        "choose": "escolher {colour}",
        "with": "trocar de mão com {who}",
        "played": "{who} jogou {card}.",
        "answered": "{who} respondeu com {card}: {n} acumuladas.",
        "threat": "{who} jogou {card}: {n} acumuladas.",
        "reversed": "O sentido agora é {direction}.",
        "skipped": "{who} perdeu a vez.",
        "won": "Foi a última carta: {who} venceu!",
        "one left": "Só falta uma carta!",
        "renewed": "{who} renovou {n} cartas.",
        "drew": "{who} comprou {card}.",
        "drew none": "{who} não tinha o que jogar nem o que comprar.",
        "passed": "{who} passou.",
        "took": "{who} comprou {n} cartas e perdeu a vez.",
        "took these": "{who} comprou {n} cartas e perdeu a vez: {cards}.",
        "chose": "{who} escolheu {colour}.",
        "swapped": "{who} trocou de mão com {other}: {n} cartas por {m}.",
        "fewest": "A partida acabou: quem tem menos cartas vence.",
        "clockwise": "horário",
        "anticlockwise": "anti-horário",
        "stock": "monte",
        "active": "cor",
        "direction": "sentido",
        "penalty": "acumulado: +{n}",
        "cards": "{n} cartas",
        "one card": "1 carta!",
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
        "play": "play {card}",
        "draw": "draw a card (nothing fits)",
        "keep": "pass and keep {card}",
        "pass": "pass (there is nothing to draw)",
        "take": "take the {n} cards that piled up",
        "choose": "choose {colour}",
        "with": "swap hands with {who}",
        "played": "{who} played {card}.",
        "answered": "{who} answered with {card}: {n} piled up.",
        "threat": "{who} played {card}: {n} piled up.",
        "reversed": "Play now runs {direction}.",
        "skipped": "{who} lost the turn.",
        "won": "It was the last card: {who} won!",
        "one left": "One card left!",
        "renewed": "{who} renewed {n} cards.",
        "drew": "{who} drew {card}.",
        "drew none": "{who} had nothing to play and nothing to draw.",
        "passed": "{who} passed.",
        "took": "{who} took {n} cards and lost the turn.",
        "took these": "{who} took {n} cards and lost the turn: {cards}.",
        "chose": "{who} chose {colour}.",
        "swapped": "{who} swapped hands with {other}: {n} cards for {m}.",
        "fewest": "The match is over: the fewest cards win.",
        "clockwise": "clockwise",
        "anticlockwise": "anticlockwise",
        "stock": "stock",
        "active": "colour",
        "direction": "direction",
        "penalty": "piled up: +{n}",
        "cards": "{n} cards",
        "one card": "1 card!",
        "your hand": "hand",
    },
}


def card(name: str, lang: str) -> str:
    say = WORDS[lang]
    if name == HIDDEN:
        return say["hidden"]
    if name in say:
        return say[name]
    symbol = say.get(name[1:], name[1:])
    return say["coloured"].format(symbol=symbol, colour=COLOURS[lang][name[0]])


def colour(word: str, lang: str) -> str:
    return COLOURS[lang][LETTERS[word]]


def move(name: str, table: Table, names: Sequence[str], lang: str) -> str:
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
    return say["play"].format(card=card(name, lang))


def happened(before: Table, move: str, mover: int, after: Table, seat: int, names: Sequence[str], lang: str) -> str:
    say, who = WORDS[lang], names[mover]
    grown = after["hands"][mover][len(before["hands"][mover]) :]
    if move == "draw":
        line = say["drew"].format(who=who, card=card(grown[0], lang)) if grown else say["drew none"].format(who=who)
    elif move == "pass":
        line = say["passed"].format(who=who)
    elif move == "take":
        known = HIDDEN not in grown
        cards = ", ".join(card(name, lang) for name in grown)
        line = say["took these" if known and grown else "took"].format(who=who, n=len(grown), cards=cards)
    elif move in LETTERS:
        line = say["chose"].format(who=who, colour=colour(move, lang))
    elif move.startswith("with "):
        other = int(move[5:])
        sizes = {"n": len(before["hands"][mover]), "m": len(before["hands"][other])}
        line = say["swapped"].format(who=who, other=names[other], **sizes)
    else:
        return played(before, move, mover, after, names, lang)
    return f"{line} {say['fewest']}" if after["phase"] == "over" else line


def played(before: Table, name: str, mover: int, after: Table, names: Sequence[str], lang: str) -> str:
    """A card was played: what it was, and what it did at once."""
    say, who = WORDS[lang], names[mover]
    left = len(before["hands"][mover]) - 1
    how = "played"
    if after["penalty"] > before["penalty"] and left:
        how = "answered" if before["penalty"] else "threat"
    line = [say[how].format(who=who, card=card(name, lang), n=after["penalty"])]
    if not left:
        return " ".join([*line, say["won"].format(who=who)])
    if name == "renew":
        line.append(say["renewed"].format(who=who, n=left))
    if name.endswith("rev") and len(names) > 2:
        line.append(say["reversed"].format(direction=direction(after, lang)))
    elif name.endswith(("skip", "rev")):
        line.append(say["skipped"].format(who=names[(mover + before["direction"]) % len(names)]))
    if left == 1:
        line.append(say["one left"])
    if after["phase"] == "over":
        line.append(say["fewest"])
    return " ".join(line)


def direction(table: Table, lang: str) -> str:
    return WORDS[lang]["clockwise" if table["direction"] > 0 else "anticlockwise"]


# Board


def painted(name: str) -> str:
    """A card as markup, about five columns wide."""
    if name == HIDDEN:
        return "[dim]▒▒[/]"
    if name in ("wild", "+4", "swap", "renew"):
        return f"[bold bright_magenta]{ {'wild': '★', '+4': '★+4', 'swap': '⇄', 'renew': '↻'}[name]}[/]"
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
        size = say["one card"] if len(hand) == 1 else say["cards"].format(n=len(hand))
        mark = "▶" if other == table["to_move"] else " "
        known = [painted(c) for c in hand if c != HIDDEN]
        backs = "[dim]" + "▒" * min(len(hand) - len(known), 24) + "[/]"
        style = "bold bright_yellow" if len(hand) == 1 else "default"
        lines.append(f"{mark} {name[:16]:<16} [{style}]{size:<10}[/] {backs} {' '.join(known[:8])}".rstrip())
    if seat >= 0:
        mark = "▶" if seat == table["to_move"] else " "
        hand = sorted(table["hands"][seat], key=_place)
        lines += ["", f"{mark} [bold]{names[seat]}[/] · {say['cards'].format(n=len(hand))} · {say['your hand']}"]
        lines += ["  " + "  ".join(painted(c) for c in hand[i : i + 14]) for i in range(0, len(hand), 14)]
    return lines


def _place(name: str) -> tuple[int, str]:
    return ("RBGY".find(name[0]) if name[0] in "RBGY" else 4, name)
