"""The French deck: cards are 1 to 52, 0 is a card that is not known, 53 a joker. `7s` <-> 46.

Suits in the order clubs, diamonds, hearts, spades; ranks from the ace (1) to the king (13).
"""

from carteado.rules.compiled import rule

HIDDEN = 0
DECK = 52
JOKER = 53
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)
JACK, QUEEN, KING = 11, 12, 13

SUIT_NAMES = "cdhs"
RANK_NAMES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
CARD_NAMES = ("?", *(rank + suit for suit in SUIT_NAMES for rank in RANK_NAMES), "joker")
CARDS = {name: card for card, name in enumerate(CARD_NAMES)}


def card_name(card: int) -> str:
    return CARD_NAMES[card]


def parse_card(name: str) -> int:
    """The card of that name; an unknown card is `?`."""
    return CARDS[name]


@rule
def suit_of(card: int) -> int:
    return (card - 1) // 13


@rule
def rank_of(card: int) -> int:
    return (card - 1) % 13 + 1


@rule
def card_of(rank: int, suit: int) -> int:
    return suit * 13 + rank
