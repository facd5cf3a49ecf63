"""The words of Menor Soma."""

from collections.abc import Sequence

from carteado.rules.cards import CARD_NAMES, DECK
from carteado.rules.compiled import rule
from carteado.rules.game import State
from carteado.rules.menor_soma import DISCARD, DRAW, PASS, PUT, STOP, TAKE, count_in, finished_rounds, last_sum
from carteado.rules.written import Out, number, put
from carteado.text import Table
from carteado.text.french import drawn, painted
from carteado.text.spoken import LANGS, Names, also, at, comma, fill, listed, person, say, sentences, table_of, term

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


SAY, GAP, TEXT = sentences(WORDS)
CARDS = table_of([[drawn(name, lang) for name in CARD_NAMES[: DECK + 1]] for lang in LANGS])
SIDES = table_of([[WORDS[lang][place] for place in PLACES] for lang in LANGS])


# Moves


@rule
def fill_card(out: Out, gap: int, card: int, lang: int) -> None:
    fill(out, gap, term(out, at(gap), CARDS, lang, card))


@rule
def called(view: State, move: int, lang: int, names: Names, out: Out, n: int) -> int:
    if move == DRAW:
        return say(out, n, TEXT, lang, SAY.draw_last if view.stock_n == 1 else SAY.draw)
    if move == STOP or move == PASS:
        return say(out, n, TEXT, lang, SAY.stop if move == STOP else SAY.pass_)
    fill_card(out, GAP.card, int(view.discard[view.discard_n - 1]) if move == TAKE else int(view.hand), lang)
    if move == TAKE or move == DISCARD:
        return say(out, n, TEXT, lang, SAY.take if move == TAKE else SAY.discard)
    old = int(view.places[view.seat, move - PUT])
    fill(out, GAP.place, term(out, at(GAP.place), SIDES, lang, move - PUT))
    fill_card(out, GAP.old, old, lang)
    return say(out, n, TEXT, lang, SAY.put_over if old else SAY.put)


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
    if move == DRAW:
        fill_card(out, GAP.card, int(after.hand), lang)
        n = say(out, n, TEXT, lang, SAY.drew_this if after.hand else SAY.drew)
        if after.stock_n == 0:
            n = say(out, also(out, n, 0), TEXT, lang, SAY.drew_last)
    elif move == TAKE:
        fill_card(out, GAP.card, int(before.discard[before.discard_n - 1]), lang)
        n = say(out, n, TEXT, lang, SAY.took)
    elif move == STOP or move == PASS:
        n = say(out, n, TEXT, lang, SAY.stopped if move == STOP else SAY.passed)
        if move == PASS and after.takes == count_in(after):
            n = say(out, also(out, n, 0), TEXT, lang, SAY.must_draw)
    else:
        n = laid(before, move, mover, after, lang, out, n)
    if finished_rounds(after) == before.round_no:
        n = revealed(after, winners, lang, names, out, also(out, n, 0))
    return n


@rule
def laid(before: State, move: int, mover: int, after: State, lang: int, out: Out, n: int) -> int:
    """The card in hand was put in place or discarded. Where that ends the round, the discard pile is gone already."""
    hand, top = int(before.hand), 0
    if after.discard_n > before.discard_n:
        top = int(after.discard[after.discard_n - 1])
    if move == DISCARD:
        fill_card(out, GAP.card, hand if hand else top, lang)
        return say(out, n, TEXT, lang, SAY.discarded)
    old = top if top else int(before.places[mover, move - PUT])
    fill(out, GAP.place, term(out, at(GAP.place), SIDES, lang, move - PUT))
    fill_card(out, GAP.card, hand, lang)
    fill_card(out, GAP.old, old, lang)
    if hand:
        return say(out, n, TEXT, lang, SAY.put_this_out if old else SAY.put_this)
    return say(out, n, TEXT, lang, SAY.swapped_out if old else SAY.swapped)


@rule
def revealed(after: State, winners: int, lang: int, names: Names, out: Out, n: int) -> int:
    """The end of a round: the cards, the points, who is out, who starts the next round or who has won."""
    if after.last_stop == 0:
        n = put(out, say(out, n, TEXT, lang, SAY.ran_out), b" ")
    n = put(out, hands(after, lang, names, out, n), b". ")
    n = put(out, points(after, lang, names, out, n), b" ")
    fill(out, GAP.totals, totals(after, lang, names, out, at(GAP.totals)))
    n = put(out, say(out, n, TEXT, lang, SAY.totals), b" ")
    gone = 0
    for seat in range(after.players):
        if after.last_cards[seat, 0] > 0 and after.totals[seat] >= after.limit:
            gone |= 1 << seat
    if gone:
        fill(out, GAP.limit, number(out, at(GAP.limit), after.limit))
        fill(out, GAP.who, listed(out, at(GAP.who), names, gone, lang))
        n = put(out, say(out, n, TEXT, lang, SAY.out), b" ")
    if winners:
        fill(out, GAP.who, listed(out, at(GAP.who), names, winners, lang))
        return say(out, n, TEXT, lang, SAY.shared if winners & (winners - 1) else SAY.won)
    fill(out, GAP.round, number(out, at(GAP.round), after.round_no))
    fill(out, GAP.who, person(out, at(GAP.who), names, int(after.starter)))
    return say(out, n, TEXT, lang, SAY.starts)


@rule
def hands(view: State, lang: int, names: Names, out: Out, n: int) -> int:
    """What each had in his places, and its sum."""
    begin = n
    for seat in range(view.players):
        if view.last_cards[seat, 0] > 0:
            n = put(out, n, b"; ") if n > begin else n
            k = at(GAP.cards)
            for place in range(len(PLACES)):
                k = term(out, also(out, k, at(GAP.cards)), CARDS, lang, int(view.last_cards[seat, place]))
            fill(out, GAP.cards, k)
            fill(out, GAP.who, person(out, at(GAP.who), names, seat))
            fill(out, GAP.sum, number(out, at(GAP.sum), last_sum(view, seat)))
            n = say(out, n, TEXT, lang, SAY.reveal)
    return n


@rule
def points(view: State, lang: int, names: Names, out: Out, n: int) -> int:
    """What the round gave to whom."""
    if view.last_stop == 0:
        return say(out, n, TEXT, lang, SAY.all_add)
    stopper, shown = int(view.last_stop) - 1, 0
    for seat in range(view.players):
        shown += 1 if view.last_cards[seat, 0] > 0 else 0
    fill(out, GAP.who, person(out, at(GAP.who), names, stopper))
    fill(out, GAP.points, number(out, at(GAP.points), view.last_points[stopper]))
    if view.last_points[stopper] > 0:
        return say(out, n, TEXT, lang, SAY.lost_round_of_two if shown == 2 else SAY.lost_round)
    return say(out, n, TEXT, lang, SAY.won_round_of_two if shown == 2 else SAY.won_round)


@rule
def totals(view: State, lang: int, names: Names, out: Out, n: int) -> int:
    """Of those who played the round, with commas."""
    for seat in range(view.players):
        if view.last_cards[seat, 0] > 0:
            fill(out, GAP.who, person(out, at(GAP.who), names, seat))
            fill(out, GAP.total, number(out, at(GAP.total), view.totals[seat]))
            n = say(out, comma(out, n, at(GAP.totals)), TEXT, lang, SAY.total)
    return n


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


def value(name: str) -> int:
    rank = name[:-1]
    return VALUES[rank] if rank in VALUES else int(rank)


def worth(name: str, lang: str) -> str:
    return "" if name == HIDDEN else WORDS[lang]["worth"].format(value=value(name))
