"""The bots of Trincheira: what the heuristic does on prepared tables, and how it fares."""

from collections import Counter
from typing import Any

import pytest

import carteado
from carteado.bots import bot
from carteado.bots.bot import ask, chosen
from carteado.lab.league import pairings, planned, run
from carteado.rules import GAMES
from carteado.rules.cards import CARD_NAMES
from carteado.rules.compiled import INTERPRETED
from carteado.rules.loops import DEAL
from carteado.rules.random import seeded

GAME = GAMES["trincheira"]
HEURISTIC = bot(GAME, "heuristic")
RANKS = [name[:-1] for name in CARD_NAMES[1:14]]
ORDER = {name: i for i, name in enumerate(CARD_NAMES)}

many = pytest.mark.skipif(INTERPRETED, reason="takes minutes uncompiled")


def trench(text: str) -> list[dict[str, Any]]:
    """'5h 6h 7s /9s! | 8d': two sequences, the first with a revealed guard."""
    rows = []
    for cards, _, guard in (part.partition("/") for part in text.split("|") if part):
        card = guard.strip().rstrip("!")
        rows.append({"cards": cards.split(), "guard": {"card": card, "revealed": "!" in guard} if card else None})
    return sorted(rows, key=lambda row: (RANKS.index(row["cards"][0][:-1]), ORDER[row["cards"][0]]))


def plays(
    mine: str,
    my_table: str = "",
    his_table: str = "",
    his: str = "2c 3c 4d 5d 6h 8h 3s 6s 9s",
    left: int = 40,
    **fields: Any,
) -> str:
    """What the heuristic does on seat 0, with so many cards in the stock; the rest is in the trash."""
    sequences = [trench(my_table), trench(his_table)]
    hands = [sorted(hand.split(), key=ORDER.__getitem__) for hand in (mine, his)]
    rest = Counter(dict.fromkeys(CARD_NAMES[1:53], 2) | {"joker": 4})
    rest.subtract(hands[0] + hands[1])
    for row in sequences[0] + sequences[1]:
        rest.subtract(row["cards"] + ([row["guard"]["card"]] if row["guard"] else []))
    trashed = [fields["attack"]["card"]] if fields.get("attack") else []
    loose = fields.get("loose", [[], []])
    rest.subtract(trashed + [guard["card"] for guards in loose for guard in guards])
    assert min(rest.values()) >= 0
    cards = sorted(rest.elements(), key=lambda card: (len(card) * 7 + ORDER[card] * 31) % 54)
    table = {
        "game": "trincheira", "players": 2, "jokers": 4, "phase": "turn", "to_move": 0, "turn": 0, "last": None,
        "quiet": 0, "passes": 0, "hands": hands, "known": [[], []], "public": [[], []], "sequences": sequences,
        "loose": [[], []], "attack": None, "stolen": None, "fragments": None, "stock": cards[:left],
        "trash": sorted(cards[left:] + trashed, key=ORDER.__getitem__), **fields,
    }  # fmt: skip
    decision = ask(carteado.setup("trincheira", table), HEURISTIC, "dice")
    assert not decision.fault
    return decision.move


def test_it_extends_the_longer_sequence_and_keeps_it_pure() -> None:
    """T3: a fourth card of hearts is worth 14 more, a third of clubs 10, another suit nothing."""
    assert plays("7h 7c 10c", "4h 5h 6h /Ks | 8c 9c /Qs") == "lay 7h 4h"
    assert plays("7d 10c", "4h 5h 6h /Ks | 8c 9c /Qs") == "lay 10c 8c"


def test_it_joins_two_sequences_rather_than_extend_one() -> None:
    """T4."""
    assert plays("5h 8h Kc", "3h 4h | 6h 7h /Qs") == "lay 5h 3h 6h"


def test_a_high_diamond_fills_a_small_hand_and_a_full_one_is_not_exchanged() -> None:
    """T14."""
    assert plays("Kd 2c", left=60) == "buy Kd"
    assert not plays("Kd 2c 3c 4c 8h 9h Qh 5s 7s").startswith("buy")


def test_a_king_of_spades_guards_a_long_open_sequence_and_a_low_card_does_not() -> None:
    """T5."""
    assert plays("Ks Kc", "3h 4h 5h 6h 7h") == "guard Ks 3h"
    assert not plays("2s Kc", "3h 4h 5h 6h 7h").startswith("guard")


def test_it_attacks_what_costs_most_and_not_what_is_known_to_be_safe() -> None:
    """T8: four clubs are worth 32; the nine before the hearts is seen to be higher."""
    assert plays("8s Kc", his_table="4c 5c 6c 7c | 9h 10h /2c") == "attack 8s 4c low"
    assert not plays("8s Kc", his_table="4h 5h 6h 7h 8h /9s!").startswith("attack")


def test_it_takes_a_sequence_from_the_end_that_leaves_least() -> None:
    """T9: without its clubs the rest is pure and worth more."""
    assert plays("2s Kc", his_table="5c 6c 7h 8h 9h") == "attack 2s 5c high"


@pytest.mark.parametrize(("sequence", "answer"), [("3h 4h 5h 6h 7h 8h 9h", "annul"), ("3h", "allow")])
def test_a_joker_annuls_what_would_cost_more_than_it(sequence: str, answer: str) -> None:
    """T13."""
    attack = {"card": "Ks", "target": "3h", "end": "low"}
    assert plays("joker 2c", sequence, phase="answer", turn=1, attack=attack) == answer


def test_it_allows_an_attack_that_its_hidden_guard_holds() -> None:
    """T8, T13."""
    attack = {"card": "9s", "target": "3h", "end": "low"}
    assert plays("joker 2c", "3h 4h 5h 6h 7h 8h 9h /Ks", phase="answer", turn=1, attack=attack) == "allow"


def test_the_guard_of_a_fragmented_sequence_goes_to_the_better_part() -> None:
    """T7."""
    fields = {"phase": "guard", "turn": 0, "loose": [[{"card": "Qs", "revealed": False}], []]}
    parts = {"low": "2h", "high": "5h", "draw": False}
    assert plays("Kc", "2h 3h | 5h 6h 7h", fragments=parts, **fields) == "high"


def test_in_the_last_move_nothing_is_kept() -> None:
    """T17: a joker is worth much in the hand, and nothing after it."""
    his_table = "9h 10h Jh | 2c"
    assert not plays("joker Kc", his_table=his_table, left=60).startswith("joker")
    assert plays("joker Kc", his_table=his_table, his="", left=0, last=0) == "joker eliminate 9h"


def test_the_duel_begins_with_the_guard_that_costs_the_enemy_most() -> None:
    """T18."""
    mine, his = "2c /4s | 5c /Ks", "6h 7h 8h 9h 10h | Kc /2c"
    assert plays("", mine, his, his="", left=0, last=1, phase="duel") == "duel guard 5c 6h low"


def test_the_heuristic_does_the_same_in_every_world_that_fits_its_view() -> None:
    """G6: on the way through its own games, which random ones do not resemble."""
    dice, out, changed = seeded("worlds"), GAME.new_moves(), 0
    for deal in range(1 if INTERPRETED else 8):
        states, rngs = GAME.new_states(), seeded(f"peek {deal}")
        states[0]["players"], states[0]["jokers"] = 2, 4
        left = GAME.run.step(states, rngs, DEAL, out)
        while left:
            seat, views = int(out[-1]), GAME.new_states()
            GAME.run.look(states, seat, views)
            world = views.copy()
            GAME.run.imagine(world, seat, dice)
            changed += world[0] != states[0]
            move, fault = chosen(GAME, views, seat, HEURISTIC, seeded("same"))
            assert not fault
            assert move == chosen(GAME, world, seat, HEURISTIC, seeded("same"))[0]
            assert move == chosen(GAME, states, seat, HEURISTIC, seeded("same"))[0]
            left = GAME.run.step(states, rngs, move, out)
    assert changed > 50


@many
def test_the_heuristic_beats_random_moves_and_careless_play() -> None:
    """40 deals, from both sides; both were measured at 100 % of 1,000 games."""
    for weaker in ("random", "careless"):
        plan = planned(GAME, {}, ["heuristic", weaker], 80, "test")
        [(_, _, _, share)] = pairings(plan, list(run(plan, 0, 1)))
        assert share.mean >= 0.95


@many
def test_the_careless_player_beats_random_moves() -> None:
    plan = planned(GAME, {}, ["careless", "random"], 80, "test")
    [(_, _, _, share)] = pairings(plan, list(run(plan, 0, 1)))
    assert share.mean >= 0.75
