"""The French deck: names, suits, ranks, and the one order that it has before the shuffle."""

import numpy as np
import pytest

import carteado
from carteado.rules.cards import (
    CARD_NAMES,
    CLUBS,
    DECK,
    DIAMONDS,
    HEARTS,
    HIDDEN,
    JACK,
    JOKER,
    KING,
    QUEEN,
    RANK_NAMES,
    SPADES,
    SUIT_NAMES,
    card_name,
    card_of,
    parse_card,
    rank_of,
    suit_of,
)
from carteado.rules.random import seeded, shuffle

NEW_DECK = (
    "Ac 2c 3c 4c 5c 6c 7c 8c 9c 10c Jc Qc Kc Ad 2d 3d 4d 5d 6d 7d 8d 9d 10d Jd Qd Kd "
    "Ah 2h 3h 4h 5h 6h 7h 8h 9h 10h Jh Qh Kh As 2s 3s 4s 5s 6s 7s 8s 9s 10s Js Qs Ks"
)

# Shuffled with the seed 'carteado', as a second implementation of the generator and of the shuffle gives it too.
SHUFFLED = (
    "Kh 10h 8d 5c 10s 7d 4c 9d Qd 7c 3d Js 3s 3c 9c 5h Jc 10d 8s Ah 9h 5s 6s 6c 6d 2d "
    "9s As 7h Jd 4s 8h 6h Ac 5d 7s Kd 4d Qh Ad 2c Jh 2s 10c Ks Qc 3h 8c 4h 2h Kc Qs"
)


def test_the_deck_has_one_fixed_order_before_the_shuffle() -> None:
    """G2: clubs, diamonds, hearts, spades, each from the ace to the king."""
    assert " ".join(card_name(card) for card in range(1, DECK + 1)) == NEW_DECK


def test_a_seed_shuffles_the_deck_to_the_same_order_everywhere() -> None:
    """G2: SHA-256 of the seed, Fisher-Yates from the last place down."""
    cards = np.arange(1, DECK + 1, dtype=np.uint8)
    shuffle(cards, DECK, seeded("carteado")[0])
    assert " ".join(card_name(card) for card in cards) == SHUFFLED


def test_the_top_of_a_pile_is_its_last_card() -> None:
    """G2: a game of one deck is dealt from there."""
    table = carteado.new("repeat-poker", seed="carteado").table()
    assert " ".join([*table["deck"], table["card"]]) == SHUFFLED


def test_every_name_is_read_back_as_its_card() -> None:
    assert len(set(CARD_NAMES)) == len(CARD_NAMES) == 54
    for card in range(JOKER + 1):
        assert parse_card(card_name(card)) == card


def test_a_hidden_card_and_a_joker_have_names_of_their_own() -> None:
    assert card_name(HIDDEN) == "?" and card_name(JOKER) == "joker"


def test_names_are_plain_ascii_without_spaces() -> None:
    assert all(name.isascii() and " " not in name for name in CARD_NAMES)


@pytest.mark.parametrize(
    ("name", "rank", "suit"),
    [("Ac", 1, CLUBS), ("10d", 10, DIAMONDS), ("Jh", JACK, HEARTS), ("Qs", QUEEN, SPADES), ("Kc", KING, CLUBS)],
)
def test_a_card_is_a_rank_and_a_suit(name: str, rank: int, suit: int) -> None:
    card = parse_card(name)
    assert (rank_of(card), suit_of(card)) == (rank, suit) and card_of(rank, suit) == card


def test_ranks_and_suits_go_there_and_back_for_every_card() -> None:
    for card in range(1, DECK + 1):
        rank, suit = rank_of(card), suit_of(card)
        assert card_name(card) == RANK_NAMES[rank - 1] + SUIT_NAMES[suit]
        assert card_of(rank, suit) == card


@pytest.mark.parametrize("name", ["", "7", "s7", "7S", "1s", "11h", "as", "7♠", " 7s", "Joker"])
def test_what_is_no_card_is_not_read_as_one(name: str) -> None:
    with pytest.raises(KeyError):
        parse_card(name)
