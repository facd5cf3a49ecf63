"""The public door: a match as people and programs hold it. Each wrong has an error of its own, and changes nothing."""

import copy
import dataclasses
import json
import pickle
import random
import re

import numpy as np
import pytest
from support import label, plain_random, variants

import carteado
from carteado import (
    BadOption,
    BadPlayers,
    BadPosition,
    BadRecord,
    BadSeat,
    BadSeed,
    CannotUndo,
    CarteadoError,
    IllegalMove,
    UnknownGame,
)
from carteado.rules import GAMES
from carteado.rules.game import Option
from carteado.rules.loops import EVERYTHING
from carteado.rules.match import Match
from carteado.rules.random import seeded
from carteado.text import Voice, happened, moves, seat_names
from carteado.text.spoken import packed_names

EACH_GAME = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
VARIANTS = [pytest.param(game, o, id=label(game, o)) for game in GAMES.values() for o in variants(game)]
SOME = 60  # moves into a match: far enough to have a past


def played(game, plies, seed="a match", **options):
    """A match some random moves on; it may have ended before."""
    match, dice = carteado.new(game.name, seed=seed, **options), random.Random(7)
    while not match.over and match.ply < plies:
        match.play(dice.choice(match.legal()))
    return match


def midway(game):
    """A match with a past and a future."""
    plies = SOME
    while (match := played(game, plies)).over:
        plies -= 1
    return match


def ended(game, **options):
    return played(game, game.most_plies, **options)


def every_move_reveals(match):
    """All that were possible, at any time in it."""
    again = carteado.replay({**match.record(), "moves": []})
    for move in match.moves:
        if not all(match.game.reveals(again.state, each) for each in map(int, again.listed)):
            return False
        again.play(move)
    return True


def fingerprint(match):
    """All that a match is."""
    return match.state.tobytes(), match._rngs[:1].tobytes(), match.legal(), match.record(), match.moves_seen(-1)


# A match


def test_a_match_of_neon_one_reads_as_in_the_manual():
    match = carteado.new("neon-one", players=4, seed="any text or bytes")
    assert (match.to_move, match.over, match.ply) == (0, False, 0)
    assert match.winners == ()
    assert match.scores() == [7, 7, 7, 7]
    card = match.legal()[0]
    match.play(card)
    assert match.moves == [card]
    assert match.moves_seen(2) == [(0, card)]
    assert match.scores()[0] == 6
    assert len(match.view(1)["hands"][0]) == 6
    assert set(match.view(1)["hands"][0]) == {"?"}
    assert "?" not in match.view(0)["hands"][0]
    again = carteado.replay(match.record())
    assert again.table() == match.table()


def test_the_games_are_listed_by_name():
    assert carteado.games() == list(GAMES)
    for name, game in GAMES.items():
        assert name == game.name == name.lower() and re.fullmatch(r"[a-z]+(-[a-z]+)*", name)


@EACH_GAME
def test_the_same_seed_is_the_same_match_and_another_seed_another(game):
    """G2."""
    first, same, other = (carteado.new(game.name, seed=seed) for seed in ("one", "one", "two"))
    assert first.table() == same.table() != other.table()


@EACH_GAME
def test_a_match_without_a_seed_has_one_that_cannot_be_guessed(game):
    seeds = {carteado.new(game.name).record()["seed"] for _ in range(5)}
    assert len(seeds) == 5
    assert all(re.fullmatch(r"[0-9a-f]{32}", seed) for seed in seeds)


@pytest.mark.parametrize(("game", "options"), VARIANTS)
def test_seat_0_starts(game, options):
    """G1."""
    for seed in ("a", "b", "c"):
        assert carteado.new(game.name, seed=seed, **options).to_move == 0


@EACH_GAME
def test_a_match_runs_to_its_end_with_scores_and_winners(game):
    match = ended(game)
    assert match.over and match.to_move is None and match.legal() == []
    assert len(match.scores()) == match.players
    assert match.winners and set(match.winners) <= set(range(match.players))
    assert match.ply == len(match.moves) == len(match.record()["moves"])


@EACH_GAME
def test_what_a_match_gives_away_can_be_changed_without_harm(game):
    match = midway(game)
    before = fingerprint(match)
    match.record()["moves"].clear()
    match.record()["options"].clear()
    match.legal().clear()
    match.moves.clear()
    match.moves_seen(0).clear()
    match.scores().clear()
    match.table().clear()
    match.view(0).clear()
    assert fingerprint(match) == before


# The deal

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
FRENCH = [rank + suit for suit in "cdhs" for rank in RANKS]
COLOURED = [("0", 1), *((symbol, 2) for symbol in (*"123456789", "skip", "rev", "+2"))]
NEON = [colour + symbol for colour in "RBGY" for symbol, copies in COLOURED for _ in range(copies)]
SPECIES = 10


def trincheira_deck(match, words):
    return [card for card in FRENCH for _ in range(2)] + ["joker"] * match.options["jokers"]


def arboretum_deck(match, words):
    """The species were shuffled first: as many of the row as are played with stay in."""
    stay = plain_random.shuffled(range(SPECIES), words)[: 2 * match.players + 2]
    species = match.table()["species"]
    assert len(species) == len(stay)
    return [f"{name}{number}" for name in species for number in range(1, 9)]


# For each game: its deck before the shuffle, what the table calls hands, and how many cards each gets.
DEALS = {
    "trincheira": (trincheira_deck, "hands", 9),
    "menor-soma": (lambda match, words: FRENCH, "places", 3),
    "arboretum": (arboretum_deck, "hands", 7),
    "neon-one": (lambda match, words: [*NEON, *["wild"] * 4, *["+4"] * 4, "swap", "renew"], "hands", 7),
}
DEALT = [case for case in VARIANTS if case.values[0].name in DEALS]


@pytest.mark.parametrize(("game", "options"), DEALT)
def test_cards_are_dealt_one_by_one_in_rounds_from_seat_0(game, options):
    """G1, G2: off the top, which is the last place of the deck that the plain shuffle makes."""
    deck_of, hands, size = DEALS[game.name]
    for seed in ("first deal", b"\x00second"):
        match, words = carteado.new(game.name, seed=seed, **options), plain_random.seeded_words(seed)
        deck = plain_random.shuffled(deck_of(match, words), words)
        for seat, hand in enumerate(match.table()[hands]):
            assert sorted(hand) == sorted(deck[::-1][seat : match.players * size : match.players])


def test_the_deck_of_repeat_poker_is_shown_from_the_top():
    """G1, G2."""
    match = carteado.new("repeat-poker", seed="solo")
    deck = plain_random.shuffled(FRENCH, plain_random.seeded_words("solo"))
    assert [*match.table()["deck"], match.table()["card"]] == deck
    match.play(match.legal()[0])
    assert match.table()["card"] == deck[-2]


# What may be known


@EACH_GAME
def test_watchers_see_nothing_that_any_seat_does_not_see(game):
    """G5: in every world that a seat holds possible, a watcher would see just what he sees."""
    match, dice, rngs = carteado.new(game.name, seed="watched"), random.Random(3), seeded("worlds")
    for _ in range(SOME):
        if match.over:
            break
        watched = game.new_states()
        game.run.look(match._states, -1, watched)
        for seat in range(match.players):
            world, again = game.new_states(), game.new_states()
            game.run.look(match._states, seat, world)
            game.run.imagine(world, seat, rngs)
            game.run.look(world, -1, again)
            assert again.tobytes() == watched.tobytes()
        match.play(dice.choice(match.legal()))


@EACH_GAME
def test_everybody_sees_whose_turn_it_is_and_the_same_kind_of_table(game):
    """G5."""
    match = midway(game)
    for seat in range(-1, match.players):
        for shown in (match.view(seat), match.shown(seat)):
            assert list(shown) == list(match.table())
            assert shown["to_move"] == match.to_move
            assert json.loads(json.dumps(shown)) == shown


@pytest.mark.parametrize(("game", "options"), VARIANTS)
def test_everything_is_open_when_the_match_is_over(game, options):
    """G5: to watchers too, and every move has its whole name."""
    match = ended(game, **options)
    for seat in range(-1, match.players):
        assert match.view(seat) == match.shown(seat) == match.table()
        assert [name for _, name in match.moves_seen(seat)] == match.moves
    assert "?" not in json.dumps(match.table())


@EACH_GAME
def test_a_move_has_its_whole_name_for_its_mover_and_a_masked_one_for_others_where_it_hides_a_card(game):
    """G5: `guard ? 5h`."""
    match = midway(game)
    whole = match.moves
    assert not any("?" in name for name in whole)
    for seat in range(-1, match.players):
        for (mover, seen), name in zip(match.moves_seen(seat), whole, strict=True):
            assert seen == name if mover == seat else seen == name or "?" in seen
    movers = [mover for mover, _ in match.moves_seen(-1)]
    assert all([mover for mover, _ in match.moves_seen(seat)] == movers for seat in range(match.players))


# Undo


@EACH_GAME
def test_a_move_that_showed_nothing_can_be_taken_back_and_leaves_no_trace(game):
    match, dice, taken_back = carteado.new(game.name, seed="undo"), random.Random(11), 0
    for _ in range(SOME):
        if match.over:
            break
        before, mover = fingerprint(match), match.to_move
        match.play(dice.choice(match.legal()))
        if match.can_undo(mover):
            after = fingerprint(match)
            match.undo(mover)
            assert fingerprint(match) == before
            match.play(after[3]["moves"][-1])
            assert fingerprint(match) == after
            taken_back += 1
    assert taken_back or every_move_reveals(match)


@EACH_GAME
def test_taking_a_move_back_costs_the_same_however_long_the_match_is(game, monkeypatch):
    match, dice, steps = carteado.new(game.name, seed="undo"), random.Random(11), []
    step = Match._step
    monkeypatch.setattr(Match, "_step", lambda self, move: (steps.append(move), step(self, move)))
    for _ in range(SOME):
        mover, move = match.to_move, dice.choice(match.legal() or [""])
        if mover is None:
            break
        match.play(move)
        steps.clear()
        if match.can_undo(mover):
            match.undo(mover)
            assert len(steps) == 1
            match.play(move)


@EACH_GAME
def test_only_the_last_mover_may_undo_and_not_what_revealed_a_card_nor_the_end(game):
    match, dice, refused = carteado.new(game.name, seed="no undo"), random.Random(12), 0
    with pytest.raises(CannotUndo, match="undo: "):
        match.undo(0)
    for _ in range(SOME):
        mover, names = match.to_move, dict(zip(match.legal(), map(int, match.listed), strict=True))
        name = dice.choice(list(names))
        revealing = game.reveals(match.state, names[name])
        match.play(name)
        for seat in range(match.players):
            may = seat == mover and not revealing and not match.over
            assert match.can_undo(seat) == may
            if not may:
                before = fingerprint(match)
                with pytest.raises(CannotUndo):
                    match.undo(seat)
                assert fingerprint(match) == before
                refused += 1
        if match.over:
            break
    assert refused


@EACH_GAME
def test_undo_works_in_a_match_that_began_at_a_position(game):
    match, undone = carteado.setup(game.name, played(game, 2).table(), seed="from here"), 0
    while not match.over and not undone and match.ply < SOME:
        before, mover = fingerprint(match), match.to_move
        match.play(match.legal()[-1])
        if match.can_undo(mover):
            match.undo(mover)
            assert fingerprint(match) == before
            undone += 1
    assert undone or every_move_reveals(match)


# Records and positions


@EACH_GAME
def test_a_record_is_plain_json_and_says_all_that_is_needed(game):
    """G2."""
    match = midway(game)
    record = match.record()
    assert list(record) == ["game", "rules", "options", "seed", "moves"]
    assert record["game"] == game.name and record["rules"] == game.version
    assert record["options"] == match.options and record["options"]["players"] == match.players
    assert json.loads(json.dumps(record)) == record
    for form in (record, json.dumps(record), json.dumps(record).encode()):
        assert fingerprint(carteado.replay(form)) == fingerprint(match)


@EACH_GAME
def test_bytes_as_a_seed_are_written_in_hex(game):
    """G2."""
    match = carteado.new(game.name, seed=b"\x00\xff")
    assert match.record()["seed"] == {"hex": "00ff"}
    assert fingerprint(carteado.replay(match.record())) == fingerprint(match)


@EACH_GAME
def test_a_match_that_began_at_a_position_has_it_in_its_record(game):
    """G2."""
    table = midway(game).table()
    match = carteado.setup(game.name, table, seed="from here")
    assert match.table() == table
    match.play(match.legal()[0])
    record = json.loads(json.dumps(match.record()))
    assert list(record) == ["game", "rules", "options", "seed", "start", "moves"]
    assert record["start"] == {key: value for key, value in table.items() if key != "account"}
    assert fingerprint(carteado.replay(record)) == fingerprint(match)


@EACH_GAME
def test_a_match_may_begin_at_its_end(game):
    match = ended(game)
    again = carteado.setup(game.name, match.table())
    assert again.over and again.scores() == match.scores() and again.winners == match.winners


@EACH_GAME
def test_a_record_of_another_version_of_the_rules_is_refused(game):
    """G2: with an error that names both versions."""
    for version in (game.version + 1, game.version - 1, str(game.version), None, True):
        record = {**midway(game).record(), "rules": version}
        with pytest.raises(BadRecord) as refused:
            carteado.replay(record)
        assert f"version {game.version} here" in str(refused.value) and str(version) in str(refused.value)


# Errors


def test_every_error_is_one_of_the_house_and_a_value_error():
    kinds = (UnknownGame, BadOption, BadPlayers, BadSeat, BadSeed, IllegalMove, BadRecord, BadPosition, CannotUndo)
    assert all(issubclass(kind, CarteadoError) and issubclass(kind, ValueError) for kind in kinds)
    assert issubclass(BadPlayers, BadOption)


@pytest.mark.parametrize("name", ["", "poker", "neon_one", "NEON-ONE", "neon-one ", None, 4, ["neon-one"]], ids=repr)
def test_a_game_that_is_not_there_is_unknown_and_the_games_are_listed(name):
    for door in (lambda: carteado.new(name), lambda: carteado.setup(name, {})):
        with pytest.raises(UnknownGame) as refused:
            door()
        assert ", ".join(GAMES) in str(refused.value)


@EACH_GAME
def test_a_wrong_number_of_players_says_how_many_may_play(game):
    values = game.players.values
    for players in (values[0] - 1, values[-1] + 1, -1, 10**30, "2", 2.0, True, None, [2]):
        with pytest.raises(BadPlayers) as refused:
            carteado.new(game.name, players=players)
        assert str(refused.value).startswith("players: expected ")
        assert str(values[0]) in str(refused.value) and str(values[-1]) in str(refused.value)


@EACH_GAME
def test_an_option_that_the_game_has_not_is_refused_and_its_own_are_named(game):
    for name in ("colour", "", "Players", "seat"):
        with pytest.raises(BadOption) as refused:
            carteado.new(game.name, **{name: 1})
        assert all(option.name in str(refused.value) for option in (game.players, *game.options))


@EACH_GAME
def test_a_wrong_value_of_an_option_says_what_was_expected(game):
    for option in game.options:
        if isinstance(option.values, range):
            wrong = [option.values[0] - 1, option.values[-1] + 1, float(option.default), str(option.default), True]
        else:
            wrong = [0, 1, "true"]
        for value in [*wrong, None, [], {}]:
            with pytest.raises(BadOption) as refused:
                carteado.new(game.name, **{option.name: value})
            assert f"{option.name}: expected {option.expected}" in str(refused.value)


@pytest.mark.parametrize("seed", [1, 1.5, True, ["a"], {"hex": "00"}, bytearray(b"a"), "\ud800"], ids=repr)
def test_a_seed_is_text_or_bytes(seed):
    for game in GAMES.values():
        with pytest.raises(BadSeed, match=r"seed: (expected text or bytes|text that has no UTF-8 form)"):
            carteado.new(game.name, seed=seed)


@EACH_GAME
def test_an_illegal_move_is_refused_and_the_legal_ones_are_named(game):
    match = midway(game)
    before, legal = fingerprint(match), match.legal()
    for move in ("", "?", "no such move", f" {legal[0]}", f"{legal[0]} ", f"{legal[0]}x", None, 0, [legal[0]]):
        with pytest.raises(IllegalMove) as refused:
            match.play(move)
        assert f"legal: {legal[0]}" in str(refused.value)
        assert len(str(refused.value)) < 600
        assert fingerprint(match) == before


@EACH_GAME
def test_no_move_is_legal_when_the_match_is_over(game):
    match = ended(game)
    before = fingerprint(match)
    with pytest.raises(IllegalMove, match="the match is over"):
        match.play(match.moves[-1])
    assert fingerprint(match) == before


@EACH_GAME
def test_only_the_seat_that_decides_may_play(game):
    match = midway(game)
    before, mover, move = fingerprint(match), match.to_move, match.legal()[0]
    for seat in (mover + 1, mover - 1, -2, match.players, 10**30, str(mover), float(mover), [mover], b"0"):
        with pytest.raises(BadSeat, match=f"it is seat {mover} that decides now"):
            match.play(move, seat=seat)
        assert fingerprint(match) == before
    match.play(move, seat=mover)
    assert match.moves == [*before[3]["moves"], move]


@EACH_GAME
def test_a_seat_that_is_not_there_sees_nothing(game):
    match = midway(game)
    before = fingerprint(match)
    for seat in (-2, match.players, 10**30, "0", None, 0.0, False, [0]):
        for look in (match.view, match.shown, match.moves_seen):
            with pytest.raises(BadSeat, match=f"expected 0 to {match.players - 1}, or -1 for a watcher"):
                look(seat)
    assert fingerprint(match) == before


@EACH_GAME
def test_a_seat_that_is_not_there_can_take_nothing_back(game):
    match = midway(game)
    before = fingerprint(match)
    for seat in (-2, -1, match.players, "0", None, [0], 0.0, 1.0, False, True):
        assert not match.can_undo(seat)
        with pytest.raises(CannotUndo):
            match.undo(seat)
    assert fingerprint(match) == before


BAD_RECORDS = {
    "not an object": (lambda r: [r], "record: expected an object"),
    "no text of JSON": (lambda r: "{", "record: expected JSON text"),
    "nothing": (lambda r: None, "record: expected an object"),
    "an empty object": (lambda r: {}, "game: expected one of"),
    "a field too many": (lambda r: {**r, "winner": 0}, "winner: no such field"),
    "another game": (lambda r: {**r, "game": "poker"}, "game: expected one of"),
    "no version": (lambda r: {k: v for k, v in r.items() if k != "rules"}, "rules: "),
    "no options": (lambda r: {k: v for k, v in r.items() if k != "options"}, "options: expected an object"),
    "options missing": (lambda r: {**r, "options": {}}, "options: expected every option"),
    "an unknown option": (lambda r: {**r, "options": {**r["options"], "x": 1}}, "x: "),
    "players out of range": (lambda r: {**r, "options": {**r["options"], "players": 99}}, "players: expected"),
    "no seed": (lambda r: {k: v for k, v in r.items() if k != "seed"}, "seed: expected text"),
    "a seed of no hex": (lambda r: {**r, "seed": {"hex": "xyz"}}, "seed: expected text"),
    "a number as seed": (lambda r: {**r, "seed": 7}, "seed: expected text"),
    "no moves": (lambda r: {k: v for k, v in r.items() if k != "moves"}, "moves: expected a list"),
    "moves in one text": (lambda r: {**r, "moves": " ".join(r["moves"])}, "moves: expected a list"),
    "a number as move": (lambda r: {**r, "moves": [0]}, "moves: expected a list"),
    "an illegal move": (lambda r: {**r, "moves": [*r["moves"], "xyzzy"]}, r"moves\[\d+\]: xyzzy: not a legal move"),
    "a wrong start": (lambda r: {**r, "start": {"game": r["game"]}}, "missing"),
    "a start that is no object": (lambda r: {**r, "start": 3}, "position: expected an object"),
}


@EACH_GAME
@pytest.mark.parametrize(("spoil", "message"), BAD_RECORDS.values(), ids=BAD_RECORDS)
def test_a_spoilt_record_is_refused_with_the_reason(game, spoil, message):
    with pytest.raises(BadRecord, match=message):
        carteado.replay(spoil(played(game, 5).record()))


@EACH_GAME
def test_options_of_another_type_are_refused_in_a_record_with_a_start_too(game):
    match = carteado.setup(game.name, played(game, 5).table())
    record = match.record()
    for name, value in record["options"].items():
        for wrong in (float(value), int(value) if type(value) is bool else bool(value)):
            with pytest.raises(BadRecord, match=f"options: expected every option|{name}: expected"):
                carteado.replay({**record, "options": {**record["options"], name: wrong}})


BAD_POSITIONS = {
    "not an object": (lambda t: [t], "position: expected an object"),
    "nothing": (lambda t: None, "position: expected an object"),
    "an empty object": (lambda t: {}, "game: expected"),
    "another game": (lambda t: {**t, "game": "poker"}, "game: expected"),
    "no players": (lambda t: {k: v for k, v in t.items() if k != "players"}, "players: missing"),
    "too many players": (lambda t: {**t, "players": 99}, "players: expected"),
    "a field too many": (lambda t: {**t, "extra": 1}, "extra: no such field"),
    "no seat to move": (lambda t: {k: v for k, v in t.items() if k != "to_move"}, "to_move: missing"),
    "a seat that is not there": (lambda t: {**t, "to_move": 99}, "to_move: expected"),
    "over, and not at its end": (lambda t: {**t, "to_move": None}, "."),
}


@EACH_GAME
@pytest.mark.parametrize(("spoil", "message"), BAD_POSITIONS.values(), ids=BAD_POSITIONS)
def test_a_spoilt_position_is_refused_with_the_reason(game, spoil, message):
    with pytest.raises(BadPosition, match=message):
        carteado.setup(game.name, spoil(played(game, 5).table()))


@EACH_GAME
def test_every_field_of_a_position_is_needed(game):
    table = midway(game).table()
    for key in table.keys() - {"account"}:
        with pytest.raises(BadPosition, match=f"{key}: (missing|expected)"):
            carteado.setup(game.name, {k: v for k, v in table.items() if k != key})


@EACH_GAME
def test_a_view_with_hidden_cards_is_no_position(game):
    view = played(game, 5).view(-1)
    assert "?" in json.dumps(view)
    with pytest.raises(BadPosition):
        carteado.setup(game.name, view)


@EACH_GAME
@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda match: pickle.loads(pickle.dumps(match))])
def test_a_copy_is_the_same_match_and_is_played_by_itself(game, twin):
    match = midway(game)
    before, other = fingerprint(match), twin(match)
    assert fingerprint(other) == before
    move = match.legal()[-1]
    other.play(move)
    assert fingerprint(match) == before != fingerprint(other)
    match.play(move)
    assert fingerprint(match) == fingerprint(other)


def test_a_copy_of_a_position_that_was_set_up_keeps_it():
    start = carteado.new("menor-soma", players=3, seed="a").table()
    match = pickle.loads(pickle.dumps(carteado.setup("menor-soma", start, seed=b"b")))
    assert (match.table(), match.seed) == (start, b"b")


def test_nobody_changes_the_options_of_a_match():
    match = carteado.new("neon-one", players=2, seed="a")
    with pytest.raises(TypeError):
        match.options["players"] = 9


def test_a_seat_of_another_type_is_said_to_be_of_it():
    with pytest.raises(BadSeat, match="'0' of type str: it is seat 0 that decides now"):
        carteado.new("neon-one", players=2, seed="a").play("draw", seat="0")


@pytest.mark.parametrize(
    ("game", "options", "says"),
    [
        ("neon-one", {"players": 11}, "players: expected a whole number from 2 to 10, got 11$"),
        ("neon-one", {"players": "4"}, "got '4' of type str$"),
        ("neon-one", {"players": np.int64(11)}, "players: expected a whole number from 2 to 10, got 11$"),
        ("neon-one", {"players": True}, "got True of type bool$"),
        ("repeat-poker", {"players": 2}, "players: expected 1, got 2$"),
        ("menor-soma", {"memory_aid": 1}, "memory_aid: expected true or false, got 1 of type int$"),
    ],
)
def test_an_option_of_another_value_or_type_says_what_came(game, options, says):
    with pytest.raises(BadOption, match=says):
        carteado.new(game, **options)


def test_a_number_of_numpy_is_a_number():
    match = carteado.new("neon-one", players=np.int64(3), seed="a")
    assert match.players == 3 and json.dumps(match.record())
    match.play(match.legal()[0], seat=np.int8(0))
    assert match.view(np.int64(0)) == match.view(0)
    assert match.can_undo(np.int64(0)) == match.can_undo(0)
    table = {**match.table(), "to_move": np.int64(match.to_move)}
    assert carteado.setup("neon-one", table).table() == match.table()
    with pytest.raises(BadSeat, match="got 3"):
        match.view(np.int64(3))


def test_what_is_done_to_a_record_is_not_done_to_the_match():
    match = carteado.setup("neon-one", carteado.new("neon-one", players=2, seed="a").table())
    record = match.record()
    record["start"]["hands"].clear()
    assert carteado.replay(match.record()).table() == match.table()
    assert repr(match) == "<Match of neon-one, 2 players, ply 0>"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"name": "My-Game"}, "small letters"),
        ({"options": (Option("length", 3, range(1, 9)),)}, "the option length has to be a field"),
        ({"state": np.dtype([("players", "i4"), ("round", "i4")]), "options": ()}, "a field round"),
    ],
)
def test_a_game_whose_facts_do_not_hold_together_is_refused_with_the_reason(changes, says):
    with pytest.raises(ValueError, match=says):
        dataclasses.replace(GAMES["neon-one"], **changes)


@EACH_GAME
def test_a_blank_record_has_every_option_as_given_or_by_default(game):
    most = {option.name: option.values[-1] for option in (game.players, *game.options)}
    for given in ({}, {"players": game.players.values[0]}, most):
        blanks, options = game.blanks(**given), game.checked_options(given)
        assert {name: blanks[0][name] for name in options} == options
    with pytest.raises(BadPlayers):
        game.blanks(players=1000)


def test_an_undo_that_cannot_be_says_why():
    match = carteado.new("neon-one", players=2, seed="a")
    with pytest.raises(CannotUndo, match="nothing was played yet"):
        match.undo(0)
    with pytest.raises(CannotUndo, match="the match is over"):
        ended(GAMES["neon-one"]).undo(0)


@EACH_GAME
def test_words_tell_only_what_the_seat_may_know(game):
    """In another world that looks the same to a seat before and after a move the same is said to it; and to speak
    changes nothing."""
    match, dice, voice = carteado.new(game.name, seed="words"), random.Random("words"), Voice(game)
    while not match.over and match.ply < 10 * SOME:
        match.play(dice.choice(match.legal()))
        for seat in range(-1, match.players):
            names = packed_names(seat_names(match.players, seat, "en"), seat)
            how = {"listener": seat, "is_shown": True, "is_asked": match.to_move == seat}
            kept, other = match.states.tobytes(), copy.copy(match)
            said = voice.speak(match, seat, names, "en", **how)
            assert match.states.tobytes() == kept
            if not match.over:
                for n in range(2):  # another world now, and another before
                    views = game.new_states()
                    game.run.look(match.states[n : n + 1], seat, views)
                    game.run.imagine(views, seat, seeded(f"{match.ply} {seat}"))
                    other.states[n] = views[0]
                assert voice.speak(other, seat, names, "en", **{**how, "is_asked": False})[:2] == said[:2]
            shown = {"game": game.name, **game.full_options(match.options), **json.loads(said[0])}
            assert shown == match.shown(seat)


def test_words_are_for_a_seat_that_there_is_and_need_a_name_for_each():
    match, names = carteado.new("neon-one", players=3, seed="a"), ["Ana", "Bento", "Caio"]
    match.play(match.legal()[0])
    for seat in (-1, EVERYTHING, 0, 2):
        assert happened(match, seat, names, "en").startswith("Ana ")
    for seat in (-3, 3, 1000, "0", None):
        with pytest.raises(BadSeat):
            happened(match, seat, names, "en")
    for wrong in (names[:2], [*names, "Dora"]):
        with pytest.raises(ValueError, match="names: expected 3"):
            happened(match, 0, wrong, "en")
        with pytest.raises(ValueError, match="names: expected 3"):
            moves(match, wrong, "en")
