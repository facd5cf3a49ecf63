"""The bots of Repeat Poker: what they score, that they know no more than they may, and how one of them learned."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import carteado
from carteado import Match
from carteado.bots import bot
from carteado.bots.bot import ask, decide, thoughts, view_of
from carteado.bots.repeat_poker import heuristic, ponder
from carteado.bots.repeat_poker_values import FILE, TABLE, WORK, tables
from carteado.lab import bound_repeat_poker, learn_repeat_poker
from carteado.rules import GAMES
from carteado.rules.cards import CARD_NAMES
from carteado.rules.compiled import INTERPRETED, rule
from carteado.rules.random import seeded
from carteado.rules.repeat_poker import deal, play, scores, to_move

GAME = GAMES["repeat-poker"]
TABLES, HEURISTIC = bot(GAME, "table"), bot(GAME, "heuristic")

many = pytest.mark.skipif(INTERPRETED, reason="takes minutes uncompiled")


@rule
def heuristic_scores(states: Any, blanks: Any, rngs: Any, moves: Any, out: Any) -> None:
    for i in range(len(out)):
        states[0] = blanks[0]
        deal(states[0], rngs[0])
        while to_move(states[0]) >= 0:
            play(states[0], heuristic(states[0], moves, rngs[0]), rngs[0])
        scores(states[0], out[i])


@rule
def table_scores(states: Any, blanks: Any, rngs: Any, learned: Any, worth: Any, cells: Any, out: Any) -> None:
    works = np.zeros(1, WORK)
    for i in range(len(out)):
        states[0] = blanks[0]
        deal(states[0], rngs[0])
        while to_move(states[0]) >= 0:
            play(states[0], cells[ponder(states, learned, 0, rngs, works, worth, cells)], rngs[0])
        scores(states[0], out[i])


def blank(levels: int) -> Any:
    states = GAME.new_states()
    states[0]["players"], states[0]["levels"] = 1, levels
    return states


def by_heuristic(deals: int, levels: int = 1) -> Any:
    out = np.zeros((deals, 1), np.int64)
    heuristic_scores(GAME.new_states(), blank(levels), seeded("heuristic"), GAME.new_moves(), out)
    return out


def by_tables(deals: int, levels: int = 1) -> Any:
    out, worth, cells = np.zeros((deals, 1), np.int64), np.zeros(5), np.zeros(5, np.int64)
    table_scores(GAME.new_states(), blank(levels), seeded("table"), tables(), worth, cells, out)
    return out


def begun(*rows: str, card: str) -> Match:
    """Rows such as 'Jh Js'; the cards not named are in the deck."""
    grid = [(row.split() + [None] * 5)[:5] for row in (*rows, *[""] * (5 - len(rows)))]
    named = {card, *(name for row in grid for name in row)}
    deck = [name for name in CARD_NAMES[1:53] if name not in named]
    table = {"to_move": 0, "level": 1, "card": card, "deck": deck, "grid": grid, "gone": [], "made": [{}]}
    return Match(GAME, {}, "begun", {"game": GAME.name, "players": 1, "levels": 1, **table})


def answer(player: Any, match: Match) -> str:
    decision = ask(match, player, "dice")
    assert not decision.fault
    return decision.move


# The heuristic


@many
def test_the_heuristic_never_scores_below_400_and_well_above_on_average() -> None:
    found = by_heuristic(300)
    assert found.min() >= 400
    assert found.mean() >= 430


@many
def test_the_heuristic_scores_1200_on_average_at_five_levels() -> None:
    assert by_heuristic(100, levels=5).mean() >= 1200


def test_a_card_of_a_royal_flush_goes_to_its_suit() -> None:
    assert answer(HEURISTIC, begun("10h Kh", "2c 2d", "As", card="Ks")) == "c2"
    assert answer(HEURISTIC, begun("10h Kh", "2c 2d", "As", card="Kc")) == "d1"


def test_an_empty_row_is_kept_for_each_suit_without_a_royal_card() -> None:
    assert answer(HEURISTIC, begun("10h Kh", "2c 7d", "As", card="9s")) == "b3"


def test_a_hand_is_made_where_it_is_worth_most() -> None:
    assert answer(HEURISTIC, begun("3c 3d 3h 9s", "10h", "Js", "Qd", "Ac", card="3s")) == "a5"


# The learned player


@many
def test_the_tables_score_455_on_average() -> None:
    assert by_tables(200).mean() >= 455


@many
def test_the_tables_score_1250_on_average_at_five_levels() -> None:
    assert by_tables(100, levels=5).mean() >= 1250


@many
@pytest.mark.parametrize("name", ["aprendiz", "jogador", "mestre"])
def test_every_level_for_people_plays_all_five_grids(name: str) -> None:
    match, player = carteado.new("repeat-poker", seed="grids", levels=5), bot(GAME, name)
    seen = set()
    while not match.over:
        seen.add(match.table()["level"])
        match.play(answer(player, match))
    assert seen == {1, 2, 3, 4, 5}
    assert match.scores()[0] > 600


@pytest.mark.parametrize("decks", [0, 3])
def test_the_order_of_the_deck_changes_no_answer(decks: int) -> None:
    """R1: whether the deck is blank, as in a view, or lies in one order or another."""
    match, worlds = carteado.new("repeat-poker", seed="order", levels=5), seeded("worlds")
    player = bot(GAME, "table") if decks == 0 else replace(TABLES, budget=decks)
    for _ in range(3 if INTERPRETED else 150):
        views = view_of(match, 0)
        said = decide(GAME, views, 0, player, "dice")
        for _ in range(2):
            world = views.copy()
            GAME.run.imagine(world, 0, worlds)
            assert world[0]["deck"].any() == (world[0]["deck_n"] > 0)
            assert decide(GAME, world, 0, player, "dice") == said
        match.play(said.move)


def test_a_hint_has_the_best_row_first_and_the_score_to_expect() -> None:
    match = begun("10s Js Qs Ks", "10h", "10d", "10c", card="As")
    best, *others = thoughts(match, TABLES, "dice")
    assert best.move == "a5"
    assert best.value > 400
    assert best.sure > 0.99
    assert all(best.value > other.value for other in others)
    assert sum(thought.sure for thought in (best, *others)) == pytest.approx(1)
    assert len({thought.move[0] for thought in (best, *others)}) == 5


# What was learned, and how


def test_what_was_learned_is_small() -> None:
    assert FILE.stat().st_size <= 2_000_000
    assert tables().shape == (4, TABLE)
    assert all(len(np.unique(table)) > 1000 for table in tables())


@many
def test_learning_is_repeatable_to_the_byte(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("once", "again", "otherwise")]
    for file, seed in zip(files, ("1", "1", "2"), strict=True):
        learn_repeat_poker.main(["--seed", seed, "--games", "60", "--out", str(file)], tell=lambda line: None)
    once, again, otherwise = (file.read_bytes() for file in files)
    assert once == again
    assert once != otherwise


@many
def test_some_seconds_of_learning_find_the_royal_flushes() -> None:
    table = learn_repeat_poker.learned(5, 12_000, "1", tell=lambda line: None)
    assert learn_repeat_poker.learn(table, 5, 200, 0.0, seeded("fresh")) > 400


# What is possible at all


@many
def test_one_who_sees_the_deck_finds_more_than_the_tables_do() -> None:
    for seed in ("bound 0", "bound 1", "bound 2"):
        match = carteado.new("repeat-poker", seed=seed)
        while not match.over:
            match.play(answer(TABLES, match))
        assert bound_repeat_poker.bound(seed, rows=5, width=100) >= match.scores()[0]


@many
def test_a_wider_beam_finds_more() -> None:
    found = {width: sum(bound_repeat_poker.bound(f"deal {k}", 5, width) for k in range(10)) for width in (1, 10, 100)}
    assert found[1] < found[10] < found[100]


@pytest.mark.parametrize("number", ["0", "-1", "x", "1.5"])
def test_the_commands_of_the_lab_refuse_what_is_not_a_number_from_1_on(number, tmp_path, capsys):
    for command, arguments in (
        (bound_repeat_poker, ["--deals", number]),
        (bound_repeat_poker, ["--width", number]),
        (learn_repeat_poker, ["--out", str(tmp_path / "x"), "--games", number]),
    ):
        with pytest.raises(SystemExit):
            command.main(arguments)
        assert f"expected a whole number from 1 on, got '{number}'" in capsys.readouterr().err


def test_what_cannot_be_written_is_said_before_anything_is_learned(tmp_path, capsys, monkeypatch):
    monkeypatch.delattr(learn_repeat_poker, "learned")
    with pytest.raises(SystemExit):
        learn_repeat_poker.main(["--out", str(tmp_path / "nowhere" / "x")])
    assert "No such file or directory" in capsys.readouterr().err


def test_one_deal_does_not_say_how_far_the_mean_may_lie_off(monkeypatch):
    monkeypatch.setattr(bound_repeat_poker, "bound", lambda seed, rows, width: 500)
    told = []
    bound_repeat_poker.main(["--deals", "1", "--width", "1"], told.append)
    assert " ± –, best" in told[-1]
