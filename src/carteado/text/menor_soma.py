"""The words of Menor Soma."""

from collections.abc import Sequence
from typing import Any, TypedDict

from carteado.text import Table, listed
from carteado.text.french import drawn, painted

HIDDEN = "?"
VALUES = {"A": 1, "J": 0, "Q": 11, "K": 12}  # M1; the others are worth their number
PLACES = ("place 1", "place 2", "place 3")
OWN_PLACES = ("own 1", "own 2", "own 3")

WORDS = {
    "pt": {
        "place 1": "da esquerda",
        "place 2": "do meio",
        "place 3": "da direita",
        "draw": "comprar do monte",
        "draw last": "comprar a última carta do monte (a rodada acaba)",
        "take": "pegar {card} do descarte",
        "put": "trocar a carta {place} por {card}",
        "put over": "trocar a carta {place} ({old}) por {card}",
        "discard": "descartar {card}",
        "stop": "parar: todos mostram as cartas",
        "pass": "passar a vez",
        "drew": "{who} comprou do monte.",
        "drew this": "{who} comprou {card} do monte.",
        "drew last": "Era a última carta do monte: a rodada acaba nesta vez, e não dá para parar.",
        "took": "{who} pegou {card} do descarte.",
        "must draw": "A próxima compra tem de ser do monte.",
        "swapped": "{who} trocou a carta {place}.",
        "swapped out": "{who} trocou a carta {place}; saiu {old}.",
        "put this": "{who} pôs {card} no lugar da carta {place}.",
        "put this out": "{who} pôs {card} no lugar da carta {place}; saiu {old}.",
        "discarded": "{who} descartou {card}.",
        "passed": "{who} passou a vez.",
        "stopped": "{who} parou a rodada.",
        "ran out": "O monte acabou.",
        "reveal": "{who}: {cards} = {sum}",
        "won round": "{who} tinha a menor soma e não somou pontos; os outros somaram as próprias cartas.",
        "lost round": "{who} precisava ter a menor soma, sem empate, e somou as cartas de todos: {points}. Os outros "
        "não somaram nada.",
        "won round of two": "{who} tinha a menor soma e não somou pontos; quem não parou somou as próprias cartas.",
        "lost round of two": "{who} precisava ter a menor soma, sem empate, e somou as cartas de todos: {points}. Quem "
        "não parou não somou nada.",
        "all add": "Cada um somou as próprias cartas.",
        "total": "{who} {total}",
        "totals": "Total: {totals}.",
        "out": "Fora do jogo, com {limit} ou mais: {who}.",
        "starts": "Rodada {round}: {who} começa.",
        "won": "{who} venceu a partida!",
        "shared": "{who} saíram na mesma rodada com o menor total e dividiram a vitória!",
        "round": "rodada {round}",
        "limit": "limite: {limit} pontos",
        "over": "fim de jogo",
        "aid": "ajuda de memória",
        "started by": "início: {who}",
        "cards": "cartas",
        "points": "pontos",
        "last stopped": "rodada {round}: {who} parou",
        "last ran out": "rodada {round}: o monte acabou",
        "is out": "fora",
        "stock": "monte {n}",
        "pile": "descarte {n}",
        "hand": "na mão",
        "own 1": "1 esquerda",
        "own 2": "2 meio",
        "own 3": "3 direita",
        "worth": "vale {value}",
        "seen": "já vista",
        "never": "nunca vista",
        "last card": "a última",
        "closed": "fechado",
    },
    "en": {
        "place 1": "left",
        "place 2": "middle",
        "place 3": "right",
        "draw": "draw from the stock",
        "draw last": "draw the last card of the stock (the round ends)",
        "take": "take {card} from the discard pile",
        "put": "swap the {place} card for {card}",
        "put over": "swap the {place} card ({old}) for {card}",
        "discard": "discard {card}",
        "stop": "stop: all show their cards",
        "pass": "pass the turn",
        "drew": "{who} drew from the stock.",
        "drew this": "{who} drew {card} from the stock.",
        "drew last": "It was the last card of the stock: the round ends with this turn, and stopping is not allowed.",
        "took": "{who} took {card} from the discard pile.",
        "must draw": "The next draw must be from the stock.",
        "swapped": "{who} swapped the {place} card.",
        "swapped out": "{who} swapped the {place} card; {old} came out.",
        "put this": "{who} put {card} in place of the {place} card.",
        "put this out": "{who} put {card} in place of the {place} card; {old} came out.",
        "discarded": "{who} discarded {card}.",
        "passed": "{who} passed.",
        "stopped": "{who} stopped the round.",
        "ran out": "The stock ran out.",
        "reveal": "{who}: {cards} = {sum}",
        "won round": "{who} had the lowest sum and scored nothing; the others scored their own cards.",
        "lost round": "{who} needed the lowest sum, untied, and scored everyone's cards: {points}. The others scored "
        "nothing.",
        "won round of two": "{who} had the lowest sum and scored nothing; whoever did not stop scored their own cards.",
        "lost round of two": "{who} needed the lowest sum, untied, and scored everyone's cards: {points}. Whoever did "
        "not stop scored nothing.",
        "all add": "Each player scored their own cards.",
        "total": "{who} {total}",
        "totals": "Totals: {totals}.",
        "out": "Out of the game, with {limit} or more: {who}.",
        "starts": "Round {round}: {who} first.",
        "won": "{who} won the match!",
        "shared": "{who} went out in the same round with the lowest total and shared the victory!",
        "round": "round {round}",
        "limit": "limit: {limit} points",
        "over": "game over",
        "aid": "memory aid",
        "started by": "first to play: {who}",
        "cards": "cards",
        "points": "points",
        "last stopped": "round {round}: {who} stopped",
        "last ran out": "round {round}: the stock ran out",
        "is out": "out",
        "stock": "stock {n}",
        "pile": "discard {n}",
        "hand": "in hand",
        "own 1": "1 left",
        "own 2": "2 middle",
        "own 3": "3 right",
        "worth": "worth {value}",
        "seen": "seen before",
        "never": "never seen",
        "last card": "the last",
        "closed": "closed",
    },
}


class Often(TypedDict):
    phase: str
    to_move: int | None
    round: int
    hand: str | None
    stock: list[str]
    discard: list[str]
    places: list[list[str]]
    last: dict[str, Any] | None


def card(name: str, lang: str) -> str:
    return drawn(name, lang)


def value(name: str) -> int:
    rank = name[:-1]
    return VALUES[rank] if rank in VALUES else int(rank)


def moves(legal: Sequence[str], table: Table, names: Sequence[str], lang: str) -> list[str]:
    return [called(name, table, lang) for name in legal]


def called(name: str, table: Table, lang: str) -> str:
    say = WORDS[lang]
    if name == "draw":
        return say["draw last" if len(table["stock"]) == 1 else "draw"]
    if name == "take":
        return say["take"].format(card=card(table["discard"][-1], lang))
    if name.startswith("put "):
        place = int(name[4:]) - 1
        old = table["places"][table["to_move"]][place]
        words = {"place": say[PLACES[place]], "old": card(old, lang), "card": card(table["hand"], lang)}
        return say["put" if old == HIDDEN else "put over"].format(**words)
    return say[name].format(card=card(table["hand"] or HIDDEN, lang))


def happened(before: Table, move: str, mover: int, after: Table, seat: int, names: Sequence[str], lang: str) -> str:
    say, who = WORDS[lang], names[mover]
    has_ended = after["last"] is not None and after["last"]["round"] == before["round"]
    if move == "draw":
        known = after["hand"] != HIDDEN
        lines = [say["drew this" if known else "drew"].format(who=who, card=card(after["hand"], lang))]
        if not after["stock"]:
            lines.append(say["drew last"])
    elif move == "take":
        lines = [say["took"].format(who=who, card=card(before["discard"][-1], lang))]
    elif move == "stop":
        lines = [say["stopped"].format(who=who)]
    elif move == "pass":
        lines = [say["passed"].format(who=who)]
        if after["account"]["takes_left"] == 0:
            lines.append(say["must draw"])
    else:
        lines = [laid(before, move, mover, after, names, lang)]
    if has_ended:
        lines += revealed(after, names, lang)
    return " ".join(lines)


def laid(before: Table, move: str, mover: int, after: Table, names: Sequence[str], lang: str) -> str:
    """The card in hand was put in place or discarded. Where that ends the round, the discard pile is gone already."""
    say, who, hand = WORDS[lang], names[mover], before["hand"]
    top = after["discard"][-1] if len(after["discard"]) > len(before["discard"]) else HIDDEN
    if move == "discard":
        return say["discarded"].format(who=who, card=card(top if hand == HIDDEN else hand, lang))
    place = int(move[4:]) - 1
    old = before["places"][mover][place] if top == HIDDEN else top
    words = {"who": who, "place": say[PLACES[place]], "card": card(hand, lang), "old": card(old, lang)}
    if hand == HIDDEN:
        return say["swapped" if old == HIDDEN else "swapped out"].format(**words)
    return say["put this" if old == HIDDEN else "put this out"].format(**words)


def revealed(after: Table, names: Sequence[str], lang: str) -> list[str]:
    """The end of a round: the cards, the points, who is out, who starts the next round or who has won."""
    say, last, stopper = WORDS[lang], after["last"], after["last"]["stopper"]
    shown = [seat for seat, cards in enumerate(last["cards"]) if cards]
    rows = []
    for seat in shown:
        cards = " ".join(card(name, lang) for name in last["cards"][seat])
        rows.append(say["reveal"].format(who=names[seat], cards=cards, sum=last["sums"][seat]))
    lines = [] if stopper is not None else [say["ran out"]]
    lines.append("; ".join(rows) + ".")
    if stopper is None:
        lines.append(say["all add"])
    else:
        hows = ("won round of two", "lost round of two") if len(shown) == 2 else ("won round", "lost round")
        how = hows[last["points"][stopper] > 0]
        lines.append(say[how].format(who=names[stopper], points=last["points"][stopper]))
    totals = [say["total"].format(who=names[seat], total=after["totals"][seat]) for seat in shown]
    lines.append(say["totals"].format(totals=", ".join(totals)))
    out = [names[seat] for seat in shown if after["totals"][seat] >= after["limit"]]
    if out:
        lines.append(say["out"].format(limit=after["limit"], who=listed(out, lang)))
    winners = [names[seat] for seat in after["account"]["winners"]]
    if winners:
        lines.append(say["shared" if len(winners) > 1 else "won"].format(who=listed(winners, lang)))
    else:
        lines.append(say["starts"].format(round=after["round"], who=names[after["starter"]]))
    return lines


# Board

NAME, BAR, SLOT = 12, 12, 12  # columns


def plain(text: str, width: int) -> str:
    """Cut or filled to a width, and safe within markup."""
    return f"{text[:width]:<{width}}".replace("[", "\\[")


def board(table: Table, seat: int, names: Sequence[str], lang: str) -> list[str]:
    """The last reveal stays for the first lap of a round."""
    seats = [(seat + 1 + n) % len(names) for n in range(len(names))]  # clockwise, oneself at the bottom
    is_first_lap = table["last"] is not None and table["turns"] < len(table["account"]["in"])
    is_open = is_first_lap or table["phase"] == "over"
    lines = [title(table, names, lang), "", heading(table, names, is_open, lang)]
    lines += [row(table, other, names, is_open, lang) for other in seats]
    return lines if table["phase"] == "over" else [*lines, "", *piles(table, seat, lang)]


def title(table: Table, names: Sequence[str], lang: str) -> str:
    say = WORDS[lang]
    parts = [f"[bold]{say['round'].format(round=table['round'])}[/]"]
    if table["phase"] == "over":
        parts.append(f"[bold]{say['over']}[/]")
    else:
        parts.append(say["started by"].format(who=plain(names[table["starter"]], NAME).rstrip()))
    parts.append(say["limit"].format(limit=table["limit"]))
    if table["memory_aid"]:
        parts.append(say["aid"])
    return " · ".join(parts)


def heading(table: Table, names: Sequence[str], is_open: bool, lang: str) -> str:
    say, last = WORDS[lang], table["last"]
    line = f"  {'':<{NAME}} {say['cards']:<11}  {say['points']}"
    if is_open:
        how = "last ran out" if last["stopper"] is None else "last stopped"
        who = "" if last["stopper"] is None else plain(names[last["stopper"]], NAME).rstrip()
        line = f"{line:<{NAME + BAR + 22}}" + say[how].format(round=last["round"], who=who)
    return f"[dim]{line.rstrip()}[/]"


def row(table: Table, seat: int, names: Sequence[str], is_open: bool, lang: str) -> str:
    """One player: his places, his points, and what he showed in the last round."""
    say, total, limit = WORDS[lang], table["totals"][seat], table["limit"]
    is_out = total >= limit
    mark = "[bold bright_yellow]▶[/]" if seat == table["to_move"] else " "
    if seat in table["account"]["winners"]:
        mark = "[bold bright_yellow]★[/]"
    places = " ".join(painted(name) for name in table["places"][seat])
    if is_out and table["phase"] != "over":
        places = f"[dim]{plain(say['is out'], 11)}[/]"
    elif not table["places"][seat]:
        places = " " * 11
    full = min(BAR, max(BAR * total // limit, int(total > 0)))
    paint = "red" if is_out else "yellow" if 4 * total >= 3 * limit else "green"
    bar = f"[{paint}]{'█' * full}[/][dim]{'░' * (BAR - full)}[/]"
    style = "dim" if is_out else "default"
    line = f"{mark} [{style}]{plain(names[seat], NAME)}[/] {places}  [bold]{total:>4}[/] {bar}"
    if is_open and table["last"]["cards"][seat]:
        last = table["last"]
        cards = " ".join(painted(name) for name in last["cards"][seat])
        sign = "■" if last["stopper"] == seat else " "
        line += f" {sign} {cards} = {last['sums'][seat]:>2} [bold]{'+' + str(last['points'][seat]):>5}[/]"
    return line


def piles(table: Table, seat: int, lang: str) -> list[str]:
    """The stock, the discard pile, one's own three places and the card in hand, side by side in frames."""
    say = WORDS[lang]
    stock, discard, hand = table["stock"], table["discard"], table["hand"]
    slots = [
        (say["stock"].format(n=len(stock)), "?" if stock else "", say["last card"] if len(stock) == 1 else ""),
        (say["pile"].format(n=len(discard)), discard[-1] if discard else "", ""),
    ]
    if discard and table["phase"] == "draw" and table["account"]["takes_left"] == 0:
        slots[1] = (slots[1][0], slots[1][1], say["closed"])
    if seat >= 0:
        for n, name in enumerate(table["places"][seat]):
            known = say["never" if table["known"][seat][n] == "nobody" else "seen"]
            slots.append((say[OWN_PLACES[n]], name, worth(name, lang) or known))
    if hand:
        slots.append((say["hand"], hand, worth(hand, lang)))
    return [
        "".join(f"{above:^{SLOT}}" for above, _, _ in slots).rstrip(),
        ("  ╭─────╮   " * len(slots)).rstrip(),
        "".join(f"  │ {painted(name) if name else '   '} │   " for _, name, _ in slots).rstrip(),
        ("  ╰─────╯   " * len(slots)).rstrip(),
        "[dim]" + "".join(f"{below:^{SLOT}}" for _, _, below in slots).rstrip() + "[/]",
    ]


def worth(name: str, lang: str) -> str:
    return "" if name == HIDDEN else WORDS[lang]["worth"].format(value=value(name))
