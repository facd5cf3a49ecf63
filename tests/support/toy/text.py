"""The words of Maior Carta."""

from collections.abc import Sequence

from carteado.rules.cards import CARD_NAMES
from carteado.rules.compiled import rule
from carteado.rules.game import State
from carteado.rules.written import Out
from carteado.text import Table
from carteado.text.french import drawn, painted
from carteado.text.spoken import LANGS, Names, at, fill, person, say, sentences, table_of, term

WORDS = {
    "pt": {
        "play": "jogar {card}",
        "led": "{who} saiu com {card}.",
        "took": "{who} respondeu com {card}; a vaza foi de {winner}.",
        "tied": "{who} respondeu com {card}; a vaza não foi de ninguém.",
        "tricks": "{who}: {n} vazas",
    },
    "en": {
        "play": "play {card}",
        "led": "{who} led {card}.",
        "took": "{who} answered with {card}; the trick went to {winner}.",
        "tied": "{who} answered with {card}; nobody took the trick.",
        "tricks": "{who}: {n} tricks",
    },
}


SAY, GAP, TEXT = sentences(WORDS)
CARDS = table_of([[drawn(name, lang) for name in CARD_NAMES] for lang in LANGS])


@rule
def called(view: State, move: int, lang: int, names: Names, out: Out, n: int) -> int:
    fill(out, GAP.card, term(out, at(GAP.card), CARDS, lang, move))
    return say(out, n, TEXT, lang, SAY.play)


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
    fill(out, GAP.card, term(out, at(GAP.card), CARDS, lang, move))
    if after.pile_n % 2:
        return say(out, n, TEXT, lang, SAY.led)
    for player in range(2):
        if after.won[player] > before.won[player]:
            fill(out, GAP.winner, person(out, at(GAP.winner), names, player))
            return say(out, n, TEXT, lang, SAY.took)
    return say(out, n, TEXT, lang, SAY.tied)


def board(table: Table, seat: int, names: Sequence[str], lang: str) -> list[str]:
    lines = [" ".join(painted(name) for name in table["pile"])]
    for player, name in enumerate(names):
        tricks = WORDS[lang]["tricks"].format(who=name, n=table["won"][player])
        lines.append(f"{tricks}  {' '.join(painted(card) for card in table['hands'][player])}")
    return lines
