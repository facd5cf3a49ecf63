"""Positions of nEon_onE, written down."""

import itertools
from collections import Counter
from typing import Any

import carteado
from carteado import Match

Table = dict[str, Any]

NUMBERS = [colour + number for colour in "RBGY" for number in "0123456789" for _ in range(1 if number == "0" else 2)]
ACTIONS = [colour + action for colour in "RBGY" for action in ("skip", "rev", "+2") for _ in range(2)]
WILDS = ["wild"] * 4 + ["+4"] * 4 + ["swap", "renew"]
DECK = NUMBERS + ACTIONS + WILDS
COLOURS = {"R": "red", "B": "blue", "G": "green", "Y": "yellow"}


def position(
    *hands: str, top: str = "R5", under: str = "", draws: str = "", rest: str | int = "stock", **fields: Any
) -> Table:
    """A table: the hand of each seat, the top of the discard and what lies `under` it, and what the stock `draws` next.

    The cards not named go below in the stock, or to the bottom of the discard, or to the hand of a seat (`rest`).
    """
    held, discard, stock = [hand.split() for hand in hands], [*under.split(), top], draws.split()[::-1]
    named = Counter(itertools.chain(*held, discard, stock))
    assert not named - Counter(DECK), f"too many of {named - Counter(DECK)}"
    others = sorted((Counter(DECK) - named).elements(), key=DECK.index)
    if rest == "stock":
        stock = others + stock
    elif rest == "discard":
        discard = others + discard
    else:
        held[int(rest)] += others
    n = len(hands)
    return {
        "game": "neon-one", "players": n, "phase": "turn", "to_move": 0, "direction": 1,
        "colour": COLOURS.get(top[0], "red"), "penalty": 0, "turns": 0, "idle": 0, "hands": held,
        "known": [[0] * n for _ in range(n)], "lacks": [None] * n, "stock": stock, "discard": discard, **fields,
    }  # fmt: skip


def begun(*hands: str, seed: str = "s", **fields: Any) -> Match:
    return carteado.setup("neon-one", position(*hands, **fields), seed=seed)


def played(match: Match, moves: str) -> Match:
    """Plays moves written one after the other with commas between: 'wild, blue'."""
    for move in moves.split(", "):
        match.play(move)
    return match


def is_wild(card: str) -> bool:
    return card in WILDS


def would_fit(card: str, colour: str, symbol: str | None) -> bool:
    return is_wild(card) or COLOURS[card[0]] == colour or card[1:] == symbol


def fits(card: str, table: Table) -> bool:
    top = table["discard"][-1]
    return would_fit(card, table["colour"], None if is_wild(top) else top[1:])
