"""The bot's door: what comes in is a view, what goes out is a legal move, and nobody peeks."""

import json
import logging
import os
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from support.neon import begun

import carteado
from carteado.bots import LEVELS, bot, bot_names, level, skill_of, warm_calls
from carteado.bots.bot import Bot, Timed, ask, chosen, decide, thoughts, timed, view_of
from carteado.rules import GAMES
from carteado.rules.compiled import INTERPRETED
from carteado.rules.loops import DEAL
from carteado.rules.random import seeded

BOTS = [
    pytest.param(game, name, id=f"{game.name} {name}")
    for game in GAMES.values()
    for name in bot_names(game)
    if name not in LEVELS
]
POSITIONS = 60 if INTERPRETED else 2000  # a bot
FEW = 20  # simulations of a bot that searches

NEON = GAMES["neon-one"]


def positions(game, players, n):
    """States on the way through random games, and who decides."""
    dice, found, out = random.Random(f"{game.name} {players}"), [], game.new_moves()
    while len(found) < n:
        states, deal = game.new_states(), seeded(f"position {len(found)}")
        for option in (game.players, *game.options):
            states[0][option.name] = option.default
        states[0]["players"] = players
        legal = game.run.step(states, deal, DEAL, out)
        while legal and len(found) < n:
            if dice.random() < 0.2:
                found.append((states.copy(), int(out[-1])))
            legal = game.run.step(states, deal, int(out[dice.randrange(legal)]), out)
    return found


def seen(game, states, seat):
    views = game.new_states()
    game.run.look(states, seat, views)
    return views


@pytest.mark.parametrize(("game", "name"), BOTS)
def test_a_bot_does_the_same_whatever_the_cards_are_that_it_cannot_know(game, name):
    """G5, G6: the hidden cards are dealt otherwise, the bot's own dice are kept."""
    player = bot(game, name)
    player = replace(player, budget=min(player.budget, FEW))
    dice, changed = seeded("worlds"), 0
    counts = {game.players.values[0], game.players.values[-1]}
    for players in counts:
        for k, (states, seat) in enumerate(positions(game, players, POSITIONS // len(counts))):
            views = seen(game, states, seat)
            worlds = views.copy()
            game.run.imagine(worlds, seat, dice)
            changed += worlds.tobytes() != states.tobytes()
            answers = [chosen(game, seen(game, s, seat), seat, player, seeded(str(k))) for s in (states, worlds)]
            assert answers[0] == answers[1]
            assert answers[0][1] == "", answers[0][1]
    assert changed > POSITIONS / 2


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_a_policy_does_in_a_world_what_it_does_on_the_view(game):
    """So a rollout that uses it plays as the seat would, not as one who sees through the cards."""
    skill = skill_of(game)
    for policy in {skill.heuristic, skill.rollout, skill.reply} - {None}:
        dice, moves = seeded("worlds"), game.new_moves()
        for k, (states, seat) in enumerate(positions(game, game.players.default, POSITIONS // 4)):
            views = seen(game, states, seat)
            worlds = views.copy()
            game.run.imagine(worlds, seat, dice)
            on_view, in_world = (policy(a[0], moves, seeded(str(k))[0]) for a in (views, worlds))
            assert on_view == in_world


@pytest.mark.parametrize("game", [g for g in GAMES.values() if skill_of(g).imagine], ids=lambda game: game.name)
def test_a_world_that_a_skill_imagines_fits_the_view_and_can_be_played(game):
    imagine, dice = skill_of(game).imagine, seeded("worlds")
    for states, seat in positions(game, game.players.default, POSITIONS):
        views = seen(game, states, seat)
        worlds = views.copy()
        imagine(worlds[0], seat, dice[0])
        assert not game.run.flaw_of(worlds)
        assert seen(game, worlds, seat).tobytes() == views.tobytes()


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_the_same_dice_give_the_same_thoughts(game):
    states, seat = positions(game, game.players.default, 5)[-1]
    for name in bot_names(game):
        player = bot(game, name)
        player = replace(player, budget=min(player.budget, 200))
        answers = {decide(game, seen(game, states, seat), seat, player, "dice").move for _ in range(3)}
        assert len(answers) == 1


def doing(act):
    return Bot("clumsy", lambda game, views, seat, budget, rngs: act(views))


def crash(views):
    raise RuntimeError("lost my cards")


@pytest.mark.parametrize(
    ("act", "complaint"),
    [
        (lambda views: 999, "clumsy: 999 is not a legal move"),
        (lambda views: "R7", "clumsy: ValueError"),
        (lambda views: None, "clumsy: TypeError"),
        (crash, "clumsy: RuntimeError: lost my cards"),
    ],
)
def test_a_bot_that_breaks_the_rules_or_crashes_is_replaced_and_the_fault_can_be_repeated(act, complaint, caplog):
    match = carteado.new("neon-one", players=3, seed="faults")
    with caplog.at_level(logging.ERROR, "carteado.bots"):
        for _ in range(5):
            decision = ask(match, doing(act), "dice")
            assert decision.fault.startswith(complaint)
            match.play(decision.move)
    assert match.ply == 5 and len(caplog.records) == 5
    said = caplog.records[3].getMessage()
    assert complaint in said
    again = carteado.replay(json.loads(said.partition("record ")[2]))
    assert again.moves == match.moves[:3]
    assert ask(again, doing(act), "dice").fault == decision.fault


def test_an_error_of_many_lines_is_said_in_one_and_a_hint_is_given_all_the_same(caplog):
    def fail(*_):
        raise RuntimeError("it cannot be compiled:\n" + "  because\n" * 1000)

    match, bot = carteado.new("neon-one", players=2, seed="faults"), Bot("clumsy", fail, think=fail)
    fault = ask(match, bot, "dice").fault
    assert fault.startswith("clumsy: RuntimeError: it cannot be compiled: because") and len(fault) < 300
    [hint] = thoughts(match, bot, "dice")
    assert hint.move in match.legal() and hint.sure == 0.0
    assert not any("\n" in record.getMessage() for record in caplog.records)


def test_a_bot_cannot_spoil_the_view_that_its_answer_is_checked_against():
    match = carteado.new("neon-one", players=2, seed="spoil")

    def spoil(views):
        views[0]["hands"][:] = 1
        return 1  # R0: which the bot now seems to hold

    assert "R0" not in match.legal()
    assert "not a legal move" in ask(match, doing(spoil), "dice").fault


def test_a_bot_is_given_its_view_its_seat_and_dice_of_its_own_and_nothing_else():
    match, given = carteado.new("neon-one", players=2, seed="given"), []

    def look(game, views, seat, budget, rngs):
        given.append((game, views, seat, budget, rngs))
        return int(views[0]["hands"][seat][0])

    ask(match, Bot("curious", look, 7), "dice")
    [(game, views, seat, budget, rngs)] = given
    assert (game, seat, budget) == (NEON, 0, 7)
    assert views.tobytes() == view_of(match, 0).tobytes()
    assert not views[0]["hands"][1].any() and not views[0]["stock"].any()
    assert rngs.tobytes() == seeded("dice").tobytes()


def test_a_budget_of_time_is_one_of_simulations_that_was_counted():
    match = carteado.new("trincheira", seed="time")
    player, seat = bot(match.game, "search"), match.to_move
    views = view_of(match, seat)
    clock = Timed(player, 0.05)
    answer = clock.choose(match.game, views, seat, 1000, seeded("dice"))
    assert clock.first <= clock.counted <= 1000
    assert answer == player.choose(match.game, views, seat, clock.counted, seeded("dice"))
    assert timed(player, 0.05).name == "search 0.05s"


def test_what_a_bot_thinks_is_bound_by_its_time_as_well():
    match = carteado.new("trincheira", seed="time")
    player, given = bot(match.game, "search"), []

    def think(game, views, seat, budget, rngs):
        given.append(budget)
        return player.think(game, views, seat, budget, rngs)

    [best, *_] = thoughts(match, timed(replace(player, think=think), 0.01), "dice")
    assert best.move in match.legal() and given[0] == 64 and given == [64 << n for n in range(len(given))]


def test_after_the_end_there_is_nothing_to_decide():
    match = carteado.new("repeat-poker", seed="a")
    while not match.over:
        match.play(match.legal()[0])
    for question in (ask, thoughts):
        with pytest.raises(carteado.IllegalMove, match="the match is over"):
            question(match, bot(match.game, "random"), "dice")


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_every_game_has_the_three_levels(game):
    assert [level(game, name).name for name in LEVELS] == ["aprendiz", "jogador", "mestre"]
    with pytest.raises(carteado.UnknownBot, match="the levels are aprendiz, jogador, mestre"):
        level(game, "random")


def test_the_levels_are_those_that_the_document_says():
    """Which bot, and how many simulations or decks it may spend."""
    rows = (Path(__file__).parents[2] / "docs" / "bots.md").read_text(encoding="utf-8").splitlines()
    [head] = [row.split("|")[2:-1] for row in rows if row.startswith("| level |")]
    names = [re.sub("[ _]", "-", title.strip().lower()) for title in head]
    assert sorted(names) == sorted(GAMES)
    for name in LEVELS:
        [cells] = [row.split("|")[2:-1] for row in rows if row.startswith(f"| `{name}` |")]
        for game, cell in zip(names, cells, strict=True):
            [(kind, *counts)] = re.findall(r"`([a-z]+)(?::(\d+))?`(?:, (\d+) decks)?", cell)
            budget = int("".join(counts) or 0)
            assert skill_of(GAMES[game]).levels[name] == (kind, budget), f"{game} {name}"
            assert level(GAMES[game], name).budget == budget


@pytest.mark.parametrize(
    "name",
    ["", "nobody", "search:", "search:0", "search:x", "search:99999999", "search:00000001999999999", "heuristic:3"],
)
def test_an_unknown_bot_is_refused_with_the_names_of_those_that_exist(name):
    with pytest.raises(carteado.UnknownBot, match="neon-one has random, seed, heuristic, search"):
        bot(NEON, name)


def test_thoughts_name_every_move_that_was_looked_at_and_how_sure_the_bot_is():
    match = carteado.new("neon-one", players=2, seed="t")
    found = thoughts(match, bot(NEON, "search:400"), "dice")
    assert {hint.move for hint in found} <= set(match.legal())
    assert abs(sum(hint.sure for hint in found) - 1) < 1e-9
    assert [hint.sure for hint in found] == sorted((hint.sure for hint in found), reverse=True)
    assert all(-1 <= hint.value <= 1 for hint in found)
    [only] = thoughts(match, bot(NEON, "seed"), "dice")
    assert only.move == ask(match, bot(NEON, "seed"), "dice").move and only.sure == 1


def test_search_finds_the_way_to_lay_its_last_two_cards_in_one_go():
    match = begun("R7 B7 Rskip", "G1 G2 G3 G4 B1", top="R5")
    assert ask(match, bot(NEON, "search:2000"), "dice").move == "Rskip"


def test_a_bot_thinks_without_holding_the_lock_of_python():
    """A plain loop of Python goes on meanwhile; a search that held the lock would leave it a handful of turns."""
    match = carteado.new("neon-one", players=4, seed="c")
    player, views = bot(NEON, "search:30000"), view_of(match, match.to_move)
    decide(NEON, views, 0, replace(player, budget=10), "warm")
    with ThreadPoolExecutor(1) as pool:
        thinking, turns = pool.submit(decide, NEON, views, 0, player, "dice"), 0
        while not thinking.done():
            turns += 1
        assert thinking.result().fault == ""
    assert turns > 1000


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_what_is_warmed_is_a_decision_with_a_choice_for_each_level(game):
    """Where only one move is legal nobody thinks, and nothing would be compiled."""
    calls = warm_calls(game)
    assert [call.args[1].name for call in calls] == list(LEVELS)
    assert all(len(call.args[0].legal()) > 1 for call in calls)


HEARD = """
import os
times = []
os.sched_yield = lambda: times.append(1)
import carteado
from carteado.bots import bot
from carteado.bots.bot import ask
for game, name, moves in (("arboretum", "search:33", ("deck", "deck")), ("repeat-poker", "mestre", ("a1", "b1"))):
    times.clear()
    match = carteado.new(game, seed="a")
    for move in moves:
        match.play(move)
    ask(match, bot(carteado.GAMES[game], name), "b")
    print(len(times))
"""


def test_who_thinks_lets_others_go_first_again_and_again():
    told = subprocess.run(
        [sys.executable, "-c", HEARD], env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True
    )
    times = [int(line) for line in told.stdout.split()]
    assert times[0] == 2 and times[1] > 10, told.stderr
