"""The words of Trincheira."""

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, TypedDict, cast

from carteado.text import Table, listed
from carteado.text.french import drawn, painted

HIDDEN, PRIME = "?", "'"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
WIDTH = 78

# Keys that are made of what a move says: an end, and a guard whose card is seen.
LOOKED_UP = ("low", "this guard", "this loose guard")

WORDS = {
    "pt": {
        "lay": "baixar {card} numa sequência nova",
        "lay on": "baixar {card} em {where}",
        "join": "juntar {where} e {other} com {card}",
        "guard": "pôr {card} de guarda em {where}",
        "buy": "descartar {card} e comprar {n}",
        "trade": "trocar {what} da mesa por uma carta do monte",
        "recover": "recuperar {what} para a mão",
        "attack": "atacar {where} com {card} {end}",
        "eliminate": "eliminar {where} com um coringa",
        "steal": "roubar {what} com um coringa",
        "allow": "deixar o ataque acontecer",
        "annul": "anular o ataque com um coringa",
        "to hand": "ficar com {card} na mão",
        "put on": "pôr {card} em {where}",
        "part": "deixar a guarda com {where}",
        "part loose": "deixar a guarda solta",
        "pass": "passar (sem cartas na mão nem na mesa)",
        "decline": "abrir mão da última jogada",
        "duel": "atacar {where} com {what} {end}",
        "duel eliminate": "eliminar {where} com {what}",
        "duel idle": "gastar {what} sem efeito",
        "low": "pela ponta baixa",
        "high": "pela ponta alta",
        "a guard": "uma guarda",
        "the guard": "a guarda de {where}",
        "this guard": "a guarda {card} de {where}",
        "loose guard": "a guarda solta nº {n}",
        "this loose guard": "a guarda solta nº {n} ({card})",
        "a joker": "um coringa",
        "laid": "{who} baixou {card} e começou uma sequência.",
        "laid on": "{who} baixou {card}: {where} agora vale {value}.",
        "joined": "{who} baixou {card} e juntou duas sequências: {where} agora vale {value}.",
        "guarded": "{who} pôs {card} de guarda em {where}.",
        "bought": "{who} descartou {card} e comprou {cards}.",
        "traded": "{who} descartou {what} da mesa.",
        "drew": "{who} comprou {cards}.",
        "recovered": "{who} recuperou {what} para a mão.",
        "fragmented": "A sequência se partiu em duas.",
        "attacked": "{who} atacou {where} com {card} {end}.",
        "wants to eliminate": "{who} quis eliminar {where} com um coringa.",
        "stole": "{who} usou um coringa e roubou {what}.",
        "allowed": "{who} deixou o ataque acontecer.",
        "annulled": "{who} anulou o ataque com um coringa.",
        "kept": "{who} levou {card} para a mão.",
        "placed": "{who} pôs {card} na mesa: {where} agora vale {value}.",
        "guard placed": "{who} deixou a guarda com {where}.",
        "guard loose": "{who} deixou a guarda solta.",
        "passed": "{who} passou, sem cartas na mão nem na mesa.",
        "declined": "{who} abriu mão da última jogada.",
        "spent": "{who} gastou {card} e atacou {where} {end}.",
        "spent on": "{who} gastou {card} e eliminou {where}.",
        "spent idle": "{who} gastou {card} sem efeito.",
        "guard stood": "A guarda {card} resistiu e ficou à mostra.",
        "guard fell": "A guarda {card} caiu.",
        "a guard fell": "A guarda caiu.",
        "removed": "Para a lixeira: {cards}.",
        "unharmed": "A sequência ficou inteira.",
        "stock empty": "Era a última carta do monte: cada um tem uma última jogada.",
        "hand discarded": "{who} descartou a mão ({cards}).",
        "duel begins": "Começou o duelo das guardas.",
        "won": "Fim de jogo: {who} venceu por {most} a {least}!",
        "draw": "Fim de jogo: empate em {most} a {least}!",
        "one card": "uma carta",
        "cards": "{n} cartas",
        "points": "{n} pontos",
        "stock": "monte",
        "trash": "lixeira",
        "no recovering": "recuperar está suspenso",
        "quiet": "{n} jogadas calmas",
        "loose": "soltas",
        "empty": "mesa vazia",
        "hand": "mão",
        "last moves": "últimas jogadas",
        "duel phase": "duelo",
        "over": "fim de jogo",
        "under attack": "{card} ataca {where}",
        "stolen": "roubada: {card}",
        "legend": "=18 vale 18 · * limpa · # blindada · \\[ ] guarda · ▒ virada para baixo",
    },
    "en": {
        "lay": "lay {card} as a new sequence",
        "lay on": "lay {card} on {where}",
        "join": "join {where} and {other} with {card}",
        "guard": "guard {where} with {card}",
        "buy": "discard {card} and buy {n}",
        "trade": "trade {what} from the table for a card from the stock",
        "recover": "recover {what} to hand",
        "attack": "attack {where} with {card} {end}",
        "eliminate": "eliminate {where} with a joker",
        "steal": "steal {what} with a joker",
        "allow": "let the attack happen",
        "annul": "annul the attack with a joker",
        "to hand": "keep {card} in hand",
        "put on": "put {card} on {where}",
        "part": "leave the guard with {where}",
        "part loose": "leave the guard loose",
        "pass": "pass (no cards in hand or on the table)",
        "decline": "decline the last move",
        "duel": "attack {where} with {what} {end}",
        "duel eliminate": "eliminate {where} with {what}",
        "duel idle": "spend {what} without effect",
        "low": "from the low end",
        "high": "from the high end",
        "a guard": "a guard",
        "the guard": "the guard of {where}",
        "this guard": "the {card} guard of {where}",
        "loose guard": "loose guard no. {n}",
        "this loose guard": "loose guard no. {n} ({card})",
        "a joker": "a joker",
        "laid": "{who} laid {card} and began a sequence.",
        "laid on": "{who} laid {card}: {where} is now worth {value}.",
        "joined": "{who} laid {card} and joined two sequences: {where} is now worth {value}.",
        "guarded": "{who} guarded {where} with {card}.",
        "bought": "{who} discarded {card} and bought {cards}.",
        "traded": "{who} discarded {what} from the table.",
        "drew": "{who} drew {cards}.",
        "recovered": "{who} recovered {what} to hand.",
        "fragmented": "The sequence broke in two.",
        "attacked": "{who} attacked {where} with {card} {end}.",
        "wants to eliminate": "{who} moved to eliminate {where} with a joker.",
        "stole": "{who} used a joker and stole {what}.",
        "allowed": "{who} let the attack happen.",
        "annulled": "{who} annulled the attack with a joker.",
        "kept": "{who} kept {card} in hand.",
        "placed": "{who} put {card} on the table: {where} is now worth {value}.",
        "guard placed": "{who} left the guard with {where}.",
        "guard loose": "{who} left the guard loose.",
        "passed": "{who} passed, with no cards in hand or on the table.",
        "declined": "{who} declined the last move.",
        "spent": "{who} spent {card} and attacked {where} {end}.",
        "spent on": "{who} spent {card} and eliminated {where}.",
        "spent idle": "{who} spent {card} without effect.",
        "guard stood": "The {card} guard held and now lies face up.",
        "guard fell": "The {card} guard fell.",
        "a guard fell": "The guard fell.",
        "removed": "To the trash: {cards}.",
        "unharmed": "The sequence is unharmed.",
        "stock empty": "It was the last card of the stock: each player has one last move.",
        "hand discarded": "{who} discarded everything in hand ({cards}).",
        "duel begins": "The duel of the guards began.",
        "won": "Game over: {who} won {most} to {least}!",
        "draw": "Game over: a draw, {most} to {least}!",
        "one card": "a card",
        "cards": "{n} cards",
        "points": "{n} points",
        "stock": "stock",
        "trash": "trash",
        "no recovering": "recovering is suspended",
        "quiet": "{n} quiet turns",
        "loose": "loose",
        "empty": "empty table",
        "hand": "hand",
        "last moves": "last moves",
        "duel phase": "duel",
        "over": "game over",
        "under attack": "{card} attacks {where}",
        "stolen": "stolen: {card}",
        "legend": "=18 worth 18 · * pure · # armoured · \\[ ] guard · ▒ face down",
    },
}


class Often(TypedDict):
    phase: str
    to_move: int | None
    turn: int | None
    last: int | None
    hands: list[list[str]]
    sequences: list[list[dict[str, Any]]]
    stock: list[str]


@cache
def card(name: str, lang: str) -> str:
    return drawn(name.rstrip(PRIME), lang) + PRIME * name.endswith(PRIME)


def thing(name: str, lang: str) -> str:
    """A card as a thing that is held: jokers have an article."""
    return WORDS[lang]["a joker"] if name == "joker" else card(name, lang)


def plural(n: int, one: str, many: str, lang: str) -> str:
    return WORDS[lang][one] if n == 1 else WORDS[lang][many].format(n=n)


# Sequences and guards


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


def holding(table: Table, seat: int, name: str) -> Table:
    """The sequence that the card of that name is in; of twins, the later one."""
    rows: list[Table] = [row for row in table["sequences"][seat] if {name, name + PRIME} & set(row["cards"])]
    twins = [row for row in rows if name + PRIME in row["cards"]]
    return next(iter(twins or rows))


def value(row: Table) -> int:
    """T3."""
    n = len(row["cards"])
    return n * n * (2 if len({name.rstrip(PRIME)[-1] for name in row["cards"]}) == 1 else 1)


def guard_of(table: Table, seat: int, words: Sequence[str]) -> str:
    """The card of `guard 5h` or `loose 1`, as far as the table shows it."""
    if words[0] == "guard":
        return str(sequence_of(table, seat, words[1])["guard"]["card"])
    return str(table["loose"][seat][int(words[1]) - 1]["card"])


def what(table: Table, seat: int, words: Sequence[str], lang: str, seen: str = HIDDEN) -> str:
    """`7s`, `guard 5h` or `loose 1` of that seat's table; `seen` is what a hidden guard turned out to be."""
    say = WORDS[lang]
    if words[0] not in ("guard", "loose"):
        return card(words[0], lang)
    guard = guard_of(table, seat, words)
    guard = seen if guard == HIDDEN else guard
    key = "guard" if words[0] == "guard" else "loose guard"
    if guard == HIDDEN:
        key = "the guard" if words[0] == "guard" else key
    else:
        key = f"this {key}"
    place = where(table, seat, words[1], lang) if words[0] == "guard" else ""
    return say[key].format(where=place, n=words[1], card=card(guard, lang))


# Moves


def moves(legal: Sequence[str], table: Table, names: Sequence[str], lang: str) -> list[str]:
    if not legal:
        return []
    seat = table["to_move"]
    spans = [{row["cards"][0]: span(row, lang) for row in rows} for rows in table["sequences"]]
    span_of = spans[seat].__getitem__, spans[1 - seat].__getitem__
    room = room_for(table, seat)
    said = []
    for name in legal:
        form = form_of(name, lang, room if name.startswith("buy") else 0)
        if form is None:
            said.append(in_full(name, table, seat, lang))
        else:
            text, side, lows = form
            said.append(text.format(*map(span_of[side], lows)) if lows else text)
    return said


def in_full(name: str, table: Table, seat: int, lang: str) -> str:
    """What a move is called, where it takes more of the table to say it."""
    say, words = WORDS[lang], name.split()
    if table["phase"] == "guard":
        if name == "loose":
            return say["part loose"]
        return say["part"].format(where=where(table, seat, table["fragments"][name], lang))
    if words[0] == "to":
        return placing(table, seat, words[1:], lang)
    if words[0] in ("trade", "recover"):
        return say[words[0]].format(what=what(table, seat, words[1:], lang))
    if words[0] == "joker":
        return say["steal"].format(what=what(table, 1 - seat, words[2:], lang))
    return spending(words, table, seat, lang)


@lru_cache(1 << 13)
def form_of(name: str, lang: str, room: int) -> tuple[str, int, list[str]] | None:
    """How a move is said, with gaps for the sequences that it names: own ones (0) or the enemy's (1), and their lowest
    cards. None where it takes more of the table to say it. `room` is how many cards one may draw."""
    say, words = WORDS[lang], name.split()
    if words[0] in ("allow", "annul", "pass", "decline"):
        return say[words[0]], 0, []
    if words[0] == "lay":
        text = say[("lay", "lay on", "join")[len(words) - 2]]
        return text.format(card=thing(words[1], lang), where="{0}", other="{1}"), 0, words[2:]
    if words[0] == "guard":
        return say["guard"].format(card=thing(words[1], lang), where="{0}"), 0, words[2:]
    if words[0] in ("trade", "recover") and len(words) == 2:
        return say[words[0]].format(what=card(words[1], lang)), 0, []
    if words[0] == "buy":
        return buying(words[1], 1 if words[-1] == "one" else min(power(words[1]), room), lang), 0, []
    if words[:2] == ["joker", "eliminate"]:
        return say["eliminate"].format(where="{0}"), 1, words[2:3]
    if words[0] == "attack" or words[:2] == ["joker", "attack"]:
        attacker = thing("joker" if words[0] == "joker" else words[1], lang)
        return say["attack"].format(where="{0}", card=attacker, end=say[words[3]]), 1, words[2:3]
    return None


def buying(name: str, n: int, lang: str) -> str:
    return WORDS[lang]["buy"].format(card=thing(name, lang), n=plural(n, "one card", "cards", lang))


def placing(table: Table, seat: int, lows: Sequence[str], lang: str) -> str:
    """A stolen card: to the hand, as a new sequence, on one, or between two."""
    say, name = WORDS[lang], thing(table["stolen"]["card"], lang)
    if lows[0] == "hand":
        return say["to hand"].format(card=name)
    places = [where(table, seat, low, lang) for low in lows]
    if len(places) == 2:
        return say["join"].format(card=name, where=places[0], other=places[1])
    return say["put on"].format(card=name, where=places[0])


def spending(words: Sequence[str], table: Table, seat: int, lang: str) -> str:
    """A guard in the duel."""
    say, own = WORDS[lang], what(table, seat, words[1:3], lang)
    if len(words) == 3:
        return say["duel idle"].format(what=own)
    target = where(table, 1 - seat, words[3], lang)
    if len(words) == 4:
        return say["duel eliminate"].format(what=own, where=target)
    return say["duel"].format(what=own, where=target, end=say[words[4]])


def power(name: str) -> int:
    """T14: how many cards it buys, if there is room for them."""
    return RANKS.index(name[:-1]) + 1 if name.endswith("d") else 1


def room_for(table: Table, seat: int) -> int:
    """How many cards a hand has room for once one is discarded, and the stock has."""
    return min(10 - len(table["hands"][seat]), len(table["stock"]))


# What happened


def happened(before: Table, move: str, mover: int, after: Table, seat: int, names: Sequence[str], lang: str) -> str:
    say, words, who = WORDS[lang], move.split(), names[mover]
    verb = words[0]
    if before["phase"] == "guard":
        lines = guard_placed(before, move, mover, after, who, lang)
    elif move == "to hand":
        lines = [say["kept"].format(who=who, card=thing(before["stolen"]["card"], lang))]
    elif verb in ("lay", "to"):
        lines = [laid(before, words, mover, after, who, lang)]
    elif verb == "guard":
        place = where(before, mover, words[2], lang)
        lines = [say["guarded"].format(who=who, card=thing(words[1], lang), where=place)]
    elif verb == "buy":
        lines = [say["bought"].format(who=who, card=thing(words[1], lang), cards=came(before, after, mover, lang))]
    elif verb in ("trade", "recover"):
        lines = took_back(before, words, mover, after, who, lang)
    elif verb in ("attack", "joker"):
        lines = [declared(before, words, mover, after, who, lang)]
    elif verb == "duel":
        lines = duelled(before, words, mover, after, who, lang)
    else:
        key = {"allow": "allowed", "annul": "annulled", "pass": "passed", "decline": "declined"}[verb]
        lines = [say[key].format(who=who)]
        if verb == "allow":
            attack = before["attack"]
            others = before["hands"][1 - mover] if before["last"] is not None else []
            lines += blow(before, after, mover, attack["target"], attack["end"], others, lang)
    return " ".join(lines + turned(before, words, mover, after, names, lang))


def lost(before: Table, after: Table) -> Counter[str]:
    """What came to the trash."""
    return Counter(after["trash"]) - Counter(before["trash"])


def came(before: Table, after: Table, seat: int, lang: str) -> str:
    """The cards that were drawn, or how many there were."""
    cards = list((Counter(after["hands"][seat]) - Counter(before["hands"][seat])).elements())
    n = len(before["stock"]) - len(after["stock"])
    if HIDDEN in cards or len(cards) != n:
        return plural(n, "one card", "cards", lang)
    return listed([thing(name, lang) for name in cards], lang)


def laid(before: Table, words: Sequence[str], mover: int, after: Table, who: str, lang: str) -> str:
    """A card was laid, or a stolen one placed: then it is the one that the table of the mover has more."""
    if words[0] == "lay":
        name = words[1]
    else:
        had, has = (
            Counter(name.rstrip(PRIME) for row in table["sequences"][mover] for name in row["cards"])
            for table in (before, after)
        )
        name = next((has - had).elements())
    row = holding(after, mover, name)
    lows = words[2:] if words[0] == "lay" else words[1:]
    key = "placed" if words[0] == "to" else ("laid", "laid on", "joined")[len(lows)]
    points = WORDS[lang]["points"].format(n=value(row))
    return WORDS[lang][key].format(who=who, card=card(name, lang), where=span(row, lang), value=points)


def took_back(before: Table, words: Sequence[str], mover: int, after: Table, who: str, lang: str) -> list[str]:
    """A card of one's own table bought one, or went to the hand."""
    say = WORDS[lang]
    if words[0] == "recover":
        lines = [say["recovered"].format(who=who, what=what(before, mover, words[1:], lang))]
    else:
        thing = what(before, mover, words[1:], lang, next(lost(before, after).elements()))
        lines = [say["traded"].format(who=who, what=thing)]
        if not after["fragments"]:
            lines.append(say["drew"].format(who=who, cards=came(before, after, mover, lang)))
    return [*lines, say["fragmented"]] if after["fragments"] else lines


def guard_placed(before: Table, move: str, mover: int, after: Table, who: str, lang: str) -> list[str]:
    say, parts = WORDS[lang], before["fragments"]
    if move == "loose":
        lines = [say["guard loose"].format(who=who)]
    else:
        lines = [say["guard placed"].format(who=who, where=where(before, mover, parts[move], lang))]
    if parts["draw"]:
        lines.append(say["drew"].format(who=who, cards=came(before, after, mover, lang)))
    return lines


def declared(before: Table, words: Sequence[str], mover: int, after: Table, who: str, lang: str) -> str:
    say, enemy = WORDS[lang], 1 - mover
    if words[1] == "steal":
        return say["stole"].format(who=who, what=what(before, enemy, words[2:], lang, after["stolen"]["card"]))
    place = where(before, enemy, words[2], lang)
    if words[1] == "eliminate":
        return say["wants to eliminate"].format(who=who, where=place)
    attacker = thing("joker" if words[0] == "joker" else words[1], lang)
    return say["attacked"].format(who=who, where=place, card=attacker, end=say[words[3]])


def duelled(before: Table, words: Sequence[str], mover: int, after: Table, who: str, lang: str) -> list[str]:
    say, enemy = WORDS[lang], 1 - mover
    if len(words) == 3:
        return [say["spent idle"].format(who=who, card=thing(next(lost(before, after).elements()), lang))]
    low, end = words[3], words[4] if len(words) > 4 else ""
    spent = spent_card(before, words, mover, after)
    name = say["a guard"] if spent == HIDDEN else thing(spent, lang)
    key, place = "spent" if end else "spent on", where(before, enemy, low, lang)
    line = say[key].format(who=who, card=name, where=place, end=say[end] if end else "")
    return [line, *blow(before, after, enemy, low, end, [spent], lang)]


def spent_card(before: Table, words: Sequence[str], mover: int, after: Table) -> str:
    """The guard that was spent in a duel: as the viewer saw it, or as the trash tells it."""
    own = guard_of(before, mover, words[1:])
    if own != HIDDEN:
        return own
    removed = removed_cards(before, after, 1 - mover, words[3], words[-1])
    guard = sequence_of(before, 1 - mover, words[3])["guard"]
    fallen = lost(before, after) - Counter(removed)
    if guard and guard["card"] != HIDDEN and sum(fallen.values()) > 1:
        fallen -= Counter([guard["card"]])
    cards = sorted(fallen.elements(), key=lambda name: strength(name))
    if len(cards) > 1 and cards[1] == "joker" and strength(cards[0]) > 0 and not removed:
        return HIDDEN if strength(cards[0]) > 10 else cards[0]  # a joker saved the sequence, or struck in vain
    return cards[-1]


def strength(name: str) -> int:
    """How a card attacks: a joker before all spades, the other suits not at all."""
    return 99 if name == "joker" else RANKS.index(name[:-1]) + 1 if name.endswith("s") else 0


def removed_cards(before: Table, after: Table, seat: int, low: str, end: str | None) -> list[str]:
    """The cards that a blow took from that end of a sequence."""
    cards = [name.rstrip(PRIME) for name in sequence_of(before, seat, low)["cards"]]
    had, has = (sum(len(row["cards"]) for row in table["sequences"][seat]) for table in (before, after))
    return cards[len(cards) - (had - has) :] if end == "high" else cards[: had - has]


def blow(
    before: Table, after: Table, seat: int, low: str, end: str | None, others: Sequence[str], lang: str
) -> list[str]:
    """What an attack did; `others` went to the trash beside the guard and the cards that it removed."""
    say, guard = WORDS[lang], sequence_of(before, seat, low)["guard"]
    removed = removed_cards(before, after, seat, low, end)
    had, has = (sum(1 for row in table["sequences"][seat] if row["guard"]) for table in (before, after))
    lines = []
    if guard and had == has:
        return [say["guard stood"].format(card=card(sequence_of(after, seat, low)["guard"]["card"], lang))]
    if guard:
        fallen = list((lost(before, after) - Counter(removed) - Counter(others)).elements())
        name = fallen[0] if guard["card"] == HIDDEN and len(fallen) == 1 else guard["card"]
        lines.append(say["a guard fell"] if name == HIDDEN else say["guard fell"].format(card=card(name, lang)))
    if removed:
        return [*lines, say["removed"].format(cards=listed([card(name, lang) for name in removed], lang))]
    return [*lines, say["unharmed"]]


def turned(before: Table, words: Sequence[str], mover: int, after: Table, names: Sequence[str], lang: str) -> list[str]:
    """What the end of a move brought: the last moves, a discarded hand, the duel, the result."""
    say, lines, turn = WORDS[lang], [], before["turn"]
    if after["last"] is not None and before["last"] is None:
        lines.append(say["stock empty"])
    if before["last"] is not None and before["phase"] != "duel" and after["turn"] != turn:
        n = len(before["hands"][turn])
        if turn == mover:
            n += {"lay": -1, "guard": -1, "recover": 1}.get(words[0], words[-1] == "hand")
        if n:
            lines.append(say["hand discarded"].format(who=names[turn], cards=plural(n, "one card", "cards", lang)))
    if after["phase"] == "duel" and before["phase"] != "duel":
        lines.append(say["duel begins"])
    if after["phase"] == "over":
        totals = [total(after, seat) for seat in range(2)]
        key = "draw" if totals[0] == totals[1] else "won"
        winner = names[totals.index(max(totals))]
        lines.append(say[key].format(who=winner, most=max(totals), least=min(totals)))
    return lines


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
