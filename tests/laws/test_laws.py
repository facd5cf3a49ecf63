"""What holds for every game: walked through random games, compiled, with bounds checked."""

import dataclasses
import json
import random

import numpy as np
import pytest
from support import label, law_loops, variants

import carteado
from carteado.rules import GAMES, neon_one
from carteado.rules.compiled import BOUNDS_CHECKED, rule
from carteado.rules.game import Game
from carteado.rules.random import seeded

POSITIONS = 240_000  # of each game, shared by its variants
VARIANTS = [pytest.param(game, o, id=label(game, o)) for game in GAMES.values() for o in variants(game)]


def walk(game: Game, options: dict[str, int], positions: int) -> tuple[int, int, int]:
    states, tries, views, worlds, again, blanks, dealt = (game.new_states() for _ in range(7))
    for name, value in options.items():
        dealt[0][name] = value
    bytes_of = tuple(a.view(np.uint8) for a in (states, views, again))
    loops = game.bind(law_loops)
    return loops.walk(
        states, tries, views, worlds, again, blanks, dealt, bytes_of,
        seeded(label(game, options)), seeded("dice"), game.new_moves(), game.new_moves(), game.most_plies, positions,
    )  # fmt: skip


def test_the_rules_run_with_bounds_checked():
    assert BOUNDS_CHECKED, "run the tests with NUMBA_BOUNDSCHECK=1, as make test does"


@pytest.mark.parametrize(("game", "options"), VARIANTS)
def test_the_laws_hold_in_every_position_of_random_games(game, options):
    """G4, G5, G6: cards are conserved, every legal move can be played, and nobody's view or decision depends on what he
    cannot know."""
    share = -(-POSITIONS // len(list(variants(game))))
    broken, ply, checked = walk(game, options, share)
    assert not broken, f"{law_loops.BROKEN[broken]}, at ply {ply}, after {checked} positions"
    assert checked == share


@rule
def everybody_wins(state, out):
    for seat in range(state.players):
        out[seat] = 1.0


@rule
def seats_see_the_stock(state, seat, view):
    neon_one.observe(state, seat, view)
    if seat >= 0:
        for i in range(len(view.stock)):
            view.stock[i] = state.stock[i]


@pytest.mark.parametrize(
    ("changes", "law"),
    [({"utility": everybody_wins}, "of k winners"), ({"observe": seats_see_the_stock}, "what all seats see")],
)
def test_a_game_that_breaks_a_law_is_found_out(changes, law):
    game = dataclasses.replace(neon_one.GAME, **changes)
    broken, _, _ = walk(game, {option.name: option.default for option in (game.players, *game.options)}, 5000)
    assert law_loops.BROKEN[broken].startswith(law)


@pytest.mark.parametrize(("game", "options"), VARIANTS)
def test_names_are_unique_and_tables_lead_back(game, options):
    """G3: one name a move; a position that is written down and read again is the same, to the byte."""
    match, dice = carteado.new(game.name, seed=label(game, options), **options), random.Random(1)
    for ply in range(400):
        if ply % 7 == 0 or match.over:
            again = carteado.setup(game.name, json.loads(json.dumps(match.table())))
            assert again.state.tobytes() == match.state.tobytes()
        if match.over:
            break
        names = match.legal()
        assert len(set(names)) == len(match.listed)
        assert all(name.isascii() and name == " ".join(name.split()) for name in names)
        match.play(dice.choice(names))


@pytest.mark.parametrize(("game", "options"), VARIANTS)
def test_a_record_replays_to_the_byte(game, options):
    """G2."""
    match, dice = carteado.new(game.name, seed=b"\x00\xff" + game.name.encode(), **options), random.Random(2)
    for _ in range(300):
        if match.over:
            break
        match.play(dice.choice(match.legal()))
    again = carteado.replay(json.dumps(match.record()))
    assert again.state.tobytes() == match.state.tobytes()
    assert again.record() == match.record()
    assert [again.view(seat) for seat in range(-1, match.players)] == [
        match.view(seat) for seat in range(-1, match.players)
    ]


@pytest.mark.parametrize(("game", "options"), VARIANTS)
def test_a_move_that_reveals_nothing_shows_its_mover_the_same_in_every_world(game, options):
    match, dice = carteado.new(game.name, seed=label(game, options), **options), random.Random(3)
    rngs = seeded("worlds")
    out = game.new_moves()
    plain, showing = 0, 0
    for _ in range(150):
        if match.over:
            break
        seat, names = match.to_move, dict(zip(match.legal(), map(int, match.listed), strict=True))
        name = dice.choice(list(names))
        seen = set()
        for _ in range(4):
            world, after = game.new_states(), game.new_states()
            game.run.look(match._states, seat, world)
            game.run.imagine(world, seat, rngs)
            if game.run.step(world, seeded("chance"), names[name], out):
                game.run.look(world, seat, after)
                seen.add(after.tobytes())
        if not game.reveals(match.state, names[name]):
            assert len(seen) <= 1, f"{name} showed something"
            plain += 1
        showing += len(seen) > 1
        match.play(name)
    assert plain or showing > match.ply / 2  # where all moves are said to reveal, most are seen to


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_state_is_small_and_has_no_gaps(game):
    """A gap between fields would not be copied, and equal states would not be equal bytes."""
    assert game.state.itemsize <= 2048
    assert sum(game.state[name].itemsize for name in game.state.names) == game.state.itemsize
