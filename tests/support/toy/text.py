"""The words of Maior Carta."""

from collections.abc import Sequence
from typing import TypedDict

from carteado.text import Table
from carteado.text.french import drawn, painted

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


class Often(TypedDict):
    pile: list[str]
    won: list[int]


def card(name: str, lang: str) -> str:
    return drawn(name, lang)


def moves(legal: Sequence[str], table: Table, names: Sequence[str], lang: str) -> list[str]:
    return [WORDS[lang]["play"].format(card=card(name, lang)) for name in legal]


def happened(before: Table, move: str, mover: int, after: Table, seat: int, names: Sequence[str], lang: str) -> str:
    say, said = WORDS[lang], {"who": names[mover], "card": card(move, lang)}
    if len(after["pile"]) % 2:
        return say["led"].format(**said)
    took = [player for player in range(2) if after["won"][player] > before["won"][player]]
    return say["took"].format(**said, winner=names[took[0]]) if took else say["tied"].format(**said)


def board(table: Table, seat: int, names: Sequence[str], lang: str) -> list[str]:
    lines = [" ".join(painted(name) for name in table["pile"])]
    for player, name in enumerate(names):
        tricks = WORDS[lang]["tricks"].format(who=name, n=table["won"][player])
        lines.append(f"{tricks}  {' '.join(painted(card) for card in table['hands'][player])}")
    return lines
