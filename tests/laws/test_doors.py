"""Whatever comes to the doors: an error of the house or a true result, never another error, never a changed match."""

import functools
import json
import random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import law_loops, variants
from support.mutations import ANYTHING, JSON, LEAVES, TEXTS, mutated, rearranged

import carteado
from carteado import BadOption, BadPosition, BadRecord, BadSeat, BadSeed, CannotUndo, CarteadoError, IllegalMove
from carteado.rules import GAMES
from carteado.rules.loops import LIST
from carteado.rules.random import seeded

EACH_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
ONWARD = 300  # moves that an accepted position is played on


def knocking(times):
    return settings(
        max_examples=times, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )


def answer(door, *expected):
    """What the door gives; or None, where it refused with one of the expected errors and a message."""
    try:
        return door()
    except CarteadoError as error:
        assert isinstance(error, expected), repr(error)
        assert 8 < len(str(error)) < 1000
        return None


def fingerprint(match):
    return match.state.tobytes(), match._rngs.tobytes(), match.record(), match.legal()


@functools.cache
def matches(game):
    """Some matches of a game: over its variants, dealt, midway and ended."""
    dice, found = random.Random(game.name), []
    every = list(variants(game))
    for number in range(16):
        match = carteado.new(game.name, seed=f"doors {number}", **every[number * len(every) // 16])
        plies = (0, 3, 10, 25, 40, 70, 120, 5000)[number % 8]
        while not match.over and match.ply < plies:
            match.play(dice.choice(match.legal()))
        found.append(match)
    return found


@functools.cache
def tables(game):
    return [json.loads(json.dumps(match.table())) for match in matches(game)]


@functools.cache
def records(game):
    """Of short matches, some of which began at a position."""
    fresh = [match.record() for match in matches(game) if match.ply <= 40]
    begun = [carteado.setup(game.name, table, seed="begun") for table in tables(game)[:6]]
    for match in begun:
        for _ in range(5):
            if not match.over:
                match.play(match.legal()[-1])
    return fresh + [match.record() for match in begun]


# Moves and seats


@EACH_GAME
@knocking(150)
@given(data=st.data())
def test_whatever_is_said_as_a_move_is_legal_or_refused(game, data):
    match = carteado.replay(data.draw(st.sampled_from(records(game))))
    before, legal = fingerprint(match), match.legal()
    names = st.sampled_from(legal or ["pass"])
    near = st.builds(lambda name, more: name + more, names, st.sampled_from([" ", "x", "?", "\n", "'", "\0"]))
    move = data.draw(st.one_of(names, near, names.map(str.upper), ANYTHING))
    answer(lambda: match.play(move), IllegalMove)
    if isinstance(move, str) and move in legal:
        assert match.moves == [*before[2]["moves"], move]
    else:
        assert fingerprint(match) == before


@EACH_GAME
@knocking(150)
@given(data=st.data())
def test_whatever_is_said_as_a_seat_is_there_or_refused(game, data):
    match = carteado.replay(data.draw(st.sampled_from(records(game))))
    before, seat = fingerprint(match), data.draw(st.one_of(st.integers(-2, 10), ANYTHING))
    is_seat = type(seat) is int and -1 <= seat < match.players
    for look in (match.view, match.shown, match.moves_seen):
        assert (answer(lambda look=look: look(seat), BadSeat) is not None) == is_seat
    assert fingerprint(match) == before
    if not match.over:
        answer(lambda: match.play(match.legal()[0], seat=seat), BadSeat)
        moved = seat is None or (type(seat) is int and seat == before_mover(before, match))
        assert (match.ply == len(before[2]["moves"]) + 1) == moved
        if not moved:
            assert fingerprint(match) == before


def before_mover(before, match):
    """Who decided before the last move, or decides now where none was made."""
    return match.to_move if len(before[2]["moves"]) == match.ply else match.moves_seen(-1)[-1][0]


@EACH_GAME
@knocking(80)
@given(data=st.data())
def test_whoever_wants_to_undo_may_or_is_refused(game, data):
    match = carteado.replay(data.draw(st.sampled_from(records(game))))
    before, seat = fingerprint(match), data.draw(st.one_of(st.integers(-2, 10), ANYTHING))
    may = match.can_undo(seat)
    answer(lambda: match.undo(seat), CannotUndo)
    if may:
        assert match.moves == before[2]["moves"][:-1]
    else:
        assert fingerprint(match) == before


# New matches


@knocking(150)
@given(name=st.one_of(TEXTS, JSON, st.sampled_from([*GAMES, *(f"{name} " for name in GAMES)])))
def test_whatever_is_said_as_a_game_is_one_or_unknown(name):
    match = answer(lambda: carteado.new(name, seed="x"), carteado.UnknownGame)
    assert (match is not None) == (isinstance(name, str) and name in GAMES)


@EACH_GAME
@knocking(120)
@given(seed=st.one_of(st.text(max_size=30), st.binary(max_size=30), ANYTHING))
def test_whatever_is_said_as_a_seed_is_text_or_bytes_or_refused(game, seed):
    match = answer(lambda: carteado.new(game.name, seed=seed), BadSeed)
    if match is not None:
        assert seed is None or isinstance(seed, str | bytes)
        assert fingerprint(carteado.replay(json.dumps(match.record()))) == fingerprint(match)


@EACH_GAME
@knocking(150)
@given(data=st.data())
def test_whatever_is_said_as_options_is_true_or_refused(game, data):
    own = st.sampled_from([option.name for option in (game.players, *game.options)])
    values = st.one_of(st.integers(-1, 12), st.sampled_from([True, False, 100, 1000]), ANYTHING)
    names = st.one_of(own, own, st.text(max_size=6)).filter(lambda name: name not in ("game", "seed"))
    options = data.draw(st.dictionaries(names, values, max_size=3))
    match = answer(lambda: carteado.new(game.name, seed="x", **options), BadOption)
    if match is not None:
        assert match.options == game.checked_options(options)
        assert all(match.options[name] == value for name, value in options.items())


# Records


def replayed(form):
    """A record that was taken is written again, and is the same match."""
    match = answer(lambda: carteado.replay(form), BadRecord)
    if match is not None:
        assert fingerprint(carteado.replay(json.dumps(match.record()))) == fingerprint(match)
    return match


@knocking(300)
@given(record=st.one_of(ANYTHING, st.text(), st.binary(), JSON.map(json.dumps), st.text().map("{{{}".format)))
def test_whatever_is_said_as_a_record_is_refused(record):
    assert replayed(record) is None


@EACH_GAME
@knocking(250)
@given(data=st.data())
def test_a_changed_record_is_another_match_or_refused(game, data):
    record = data.draw(mutated(data.draw(st.sampled_from(records(game)))))
    if data.draw(st.booleans()):
        record = json.dumps(record)
    replayed(record)


@EACH_GAME
def test_a_record_without_any_one_field_or_with_any_one_spoilt_is_refused(game):
    record = next(record for record in records(game) if "start" in record and record["moves"])
    for key in record:
        left = {name: value for name, value in record.items() if name != key}
        if key != "start":
            assert replayed(left) is None
        for value in (None, -1, 0.5, [], {}, [[]], "\ud800"):
            spoilt = {**record, key: value}
            if (key, value) not in (("start", None), ("moves", [])):
                assert replayed(spoilt) is None


# Positions


@knocking(200)
@given(game=st.sampled_from(list(GAMES)), table=ANYTHING)
def test_whatever_is_said_as_a_position_is_refused(game, table):
    assert answer(lambda: carteado.setup(game, table, seed="x"), BadPosition) is None


@EACH_GAME
@knocking(200)
@given(data=st.data())
def test_a_changed_position_is_refused_or_can_be_played_to_the_end(game, data):
    taken_or_refused(game, data.draw(mutated(data.draw(st.sampled_from(tables(game))))))


@EACH_GAME
@knocking(300)
@given(data=st.data())
def test_a_rearranged_position_is_refused_or_can_be_played_to_the_end(game, data):
    taken_or_refused(game, data.draw(rearranged(data.draw(st.sampled_from(tables(game))))))


def taken_or_refused(game, table):
    """The laws hold from any position that is taken: no flaw, no move that cannot be played, no view that lies."""
    match = answer(lambda: carteado.setup(game.name, table, seed="onward"), BadPosition)
    if match is not None:
        assert fingerprint(carteado.setup(game.name, match.table(), seed="onward"))[:2] == fingerprint(match)[:2]
        play_on(match)


@EACH_GAME
def test_every_true_position_of_these_tests_can_be_played_to_the_end(game):
    for table in tables(game):
        play_on(carteado.setup(game.name, table, seed="onward"))


@functools.cache
def laws_of(game):
    return game.bind(law_loops)


def play_on(match):
    """Random moves to the end, or so many; after each the position, the moves, the views and the guesses are sound."""
    game, rngs = match.game, seeded("onward")
    states, tries, views, worlds, again, blanks = (game.new_states() for _ in range(6))
    states[0] = match.state
    state_bytes, view_bytes, again_bytes = (a.view(np.uint8) for a in (states, views, again))
    laws, run, out, other, dice = laws_of(game), game.run, game.new_moves(), game.new_moves(), random.Random(0)
    n = run.step(states, rngs, LIST, out)
    for ply in range(ONWARD):
        flaw = run.flaw_of(states)
        assert not flaw, f"{game.flaws[flaw]}, after {ply} moves"
        if not n:
            broken = laws.check_end(states, views, blanks, state_bytes, view_bytes)
            assert not broken, f"{law_loops.BROKEN[broken]}, after {ply} moves"
            return
        broken = laws.check_moves(states, tries, rngs, out) or laws.check_views(
            states, views, worlds, again, blanks, view_bytes, again_bytes, rngs, out, other
        )
        assert not broken, f"{law_loops.BROKEN[broken]}, after {ply} moves"
        n = run.step(states, rngs, LIST, out)
        n = run.step(states, rngs, int(out[dice.randrange(n)]), out)


# Monsters


def nested(depth):
    return functools.reduce(lambda inner, _: [inner], range(depth), [])


MONSTERS = {
    "a number of 5,000 digits": 10**5000,
    "a list 900 deep": nested(900),
    "a list 100,000 deep": nested(100_000),
    "a text of a million letters": "a" * 10**6,
}
MONSTER = pytest.mark.parametrize("monster", MONSTERS.values(), ids=MONSTERS)


@MONSTER
def test_a_monster_is_refused_at_every_door(monster):
    for game in GAMES.values():
        match, record, table = matches(game)[1], records(game)[-1], tables(game)[1]
        before = fingerprint(match)
        assert answer(lambda match=match: match.play(monster), IllegalMove) is None
        assert answer(lambda match=match: match.view(monster), BadSeat) is None
        assert answer(lambda match=match: match.play("?", seat=monster), BadSeat) is None
        assert answer(lambda match=match: match.undo(monster), CannotUndo) is None
        assert answer(lambda game=game: carteado.new(game.name, players=monster), BadOption) is None
        for key in record:
            if (key, type(monster)) != ("seed", str):
                assert answer(lambda spoilt={**record, key: monster}: carteado.replay(spoilt), BadRecord) is None
        for key in table:
            if key != "account":
                spoilt = {**table, key: monster}
                assert answer(lambda game=game, t=spoilt: carteado.setup(game.name, t), BadPosition) is None
        assert fingerprint(match) == before
    assert answer(lambda: carteado.replay(monster), BadRecord) is None
    assert answer(lambda: carteado.new(monster), carteado.UnknownGame) is None


MONSTROUS_TEXTS = ["[" * 10**5, '{"a":' * 10**5, "1" * 10**5, '{"rules": ' + "9" * 5000 + "}", "\0", b"\xff"]


@pytest.mark.parametrize("text", MONSTROUS_TEXTS, ids=lambda text: f"{text[:1]!r} and {len(text)} letters in all")
def test_text_that_is_a_monster_is_no_record(text):
    assert answer(lambda: carteado.replay(text), BadRecord) is None


@knocking(100)
@given(value=LEAVES)
def test_the_account_of_a_table_is_told_not_read(value):
    for game in GAMES.values():
        table = tables(game)[1]
        again = carteado.setup(game.name, {**table, "account": value})
        assert again.table() == table
