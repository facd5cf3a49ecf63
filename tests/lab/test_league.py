"""The league: the same deals for all, seats rotated, and figures that follow from the rows."""

import itertools
import json
import logging
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.stats

from carteado import BadOption, UnknownBot
from carteado.bots.bot import Bot
from carteado.lab.league import (
    BadFile,
    Rating,
    Row,
    first_seat,
    fixtures,
    keep,
    mean_of,
    pairings,
    planned,
    play_fixture,
    ratings,
    run,
    share_of,
    solo_scores,
)
from carteado.rules import GAMES

NEON = GAMES["neon-one"]


def duel(games=8, bots=("random", "seed", "heuristic"), **options):
    return planned(NEON, {"players": 2, **options}, bots, games, "s")


def test_every_pair_meets_on_the_same_deals_from_both_seats():
    met = list(fixtures(duel(games=4)))
    assert len(met) == 3 * 4
    assert met[:4] == [
        ("s 0", ("random", "seed")),
        ("s 0", ("seed", "random")),
        ("s 1", ("random", "seed")),
        ("s 1", ("seed", "random")),
    ]
    assert {seed for seed, seats in met if "heuristic" in seats} == {"s 0", "s 1"}


def test_at_more_seats_one_sits_among_others_of_a_kind_on_every_seat_in_turn():
    met = [seats for _, seats in fixtures(duel(games=1, bots=("random", "seed"), players=3))]
    r, s = "random", "seed"
    assert met == [(r, s, s), (s, r, s), (s, s, r), (s, r, r), (r, s, r), (r, r, s)]


def test_at_a_table_all_bots_move_on_by_one_seat_on_the_same_deal():
    plan = planned(NEON, {}, ["random", "seed", "heuristic"], 3, "s", True)
    r, s, h = "random", "seed", "heuristic"
    assert list(fixtures(plan)) == [("s 0", (r, s, h)), ("s 0", (s, h, r)), ("s 0", (h, r, s))]
    rows = list(run(plan, 0, 1))
    shares = {name: share.mean for name, _, _, share in pairings(plan, rows)}
    assert shares.keys() == {r, s, h} and sum(shares.values()) == pytest.approx(1)
    assert ratings(plan, rows, draws=5).keys() == {r, s, h}


@pytest.mark.parametrize(("bots", "games"), [(("random", "seed"), 2), (("random", "seed", "heuristic"), 6)])
def test_at_a_small_table_every_order_comes_in_turn(bots, games):
    met = [seats for _, seats in fixtures(planned(NEON, {}, bots, 2 * games, "s", True))]
    assert sorted(met[:games]) == sorted(itertools.permutations(bots))
    assert met[games:] == met[:games]


def test_at_a_large_table_neighbours_change_from_deal_to_deal():
    bots = ("random", "seed", "heuristic", "search:1", "search:2", "search:3")
    plan = planned(NEON, {}, bots, 240, "s", True)
    met = list(fixtures(plan))
    assert {(seed, seats.index("seed")) for seed, seats in met} == {(f"s {d}", k) for d in range(40) for k in range(6)}
    assert {seats[seats.index("seed") - 1] for _, seats in met} == set(bots) - {"seed"}
    assert met == list(fixtures(plan)) != list(fixtures(replace(plan, seed="t")))


def test_games_are_rounded_up_to_whole_rotations():
    assert len(list(fixtures(duel(games=5, bots=("random", "seed"))))) == 6


def test_a_game_is_repeated_from_its_seed_alone():
    plan = duel()
    seed, seats = list(fixtures(plan))[7]
    assert play_fixture(plan, seed, seats) == play_fixture(plan, seed, seats) == next(run(plan, 7, 1))


def test_the_file_is_the_same_on_one_process_and_on_two_and_after_a_break(tmp_path):
    plan, told = duel(games=4), []
    one, two, broken = (tmp_path / name for name in ("one", "two", "broken"))
    rows = keep(plan, one, False, 1, told.append)
    assert told == list(range(13))
    assert keep(plan, two, False, 2, told.append) == rows
    broken.write_text(one.read_text()[:-700] + '{"seed": "s')  # some rows are lost, and one is half written
    assert keep(plan, broken, True, 1, told.append) == rows
    assert one.read_bytes() == two.read_bytes() == broken.read_bytes()


def test_the_processes_of_a_league_never_hear_an_interruption(monkeypatch):
    """They are asked what they would do with it."""
    monkeypatch.setattr("carteado.lab.league.fixtures", lambda plan: iter([(), ()]))
    monkeypatch.setattr("carteado.lab.league.play_fixture", signal.getsignal)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it may be ignored already
    try:
        assert list(run(signal.SIGINT, 0, 2)) == [signal.SIG_IGN] * 2
        assert signal.getsignal(signal.SIGINT) == signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


ORPHANS = """
import os, sys
from carteado.lab import league

def pid(*fixture):
    return os.getpid()

if __name__ == "__main__":
    league.fixtures, league.play_fixture = (lambda plan: iter([(), ()])), pid
    coming = league.run(None, 0, 2)
    print(next(coming), flush=True)
    sys.stdin.read()
"""


def test_the_processes_of_a_league_that_was_killed_end_too(tmp_path):
    """They hold the other end of its error stream, which is at its end when all of them are gone."""
    (tmp_path / "orphans.py").write_text(ORPHANS)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, tmp_path / "orphans.py"], text=True, **pipes) as parent:
        assert int(parent.stdout.readline()) != parent.pid
        parent.kill()
        parent.communicate(timeout=60)


def test_a_file_of_another_plan_or_of_none_is_refused_and_left_alone(tmp_path):
    plan, file = duel(games=2), tmp_path / "rows"
    keep(plan, file, False, 1, lambda n: None)
    before = file.read_bytes()
    for other in (duel(games=4), replace(plan, seed="t"), duel(games=2, players=3)):
        with pytest.raises(BadOption, match="holds another plan"):
            keep(other, file, True, 1, lambda n: None)
    assert file.read_bytes() == before
    for text in ("hello", "hello\n", "[]\n", json.dumps({"seed": 1}) + "\n"):
        file.write_text(text)
        with pytest.raises(BadFile, match="not a file of the league"):
            keep(plan, file, True, 1, lambda n: None)
        assert file.read_text() == text


def test_an_empty_file_and_half_a_first_line_are_a_league_that_begins(tmp_path):
    plan, file = duel(games=2), tmp_path / "rows"
    rows = keep(plan, file, False, 1, lambda n: None)
    whole = file.read_bytes()
    for beginning in (b"", whole[:20]):
        file.write_bytes(beginning)
        assert keep(plan, file, True, 1, lambda n: None) == rows
        assert file.read_bytes() == whole


def test_what_is_kept_is_in_the_file_at_every_moment(tmp_path, monkeypatch):
    """A league that is taken up again ends before its first game does."""
    plan, file = duel(games=4), tmp_path / "rows"
    keep(plan, file, False, 1, lambda n: None)
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:6]) + lines[6][:9])
    seen = []

    def die(plan, done, jobs):
        seen.append(file.read_bytes())
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr("carteado.lab.league.run", die)
    with pytest.raises(KeyboardInterrupt):
        keep(plan, file, True, 1, lambda n: None)
    assert [*seen, file.read_bytes()] == [b"".join(lines[:6])] * 2
    with pytest.raises(KeyboardInterrupt):
        keep(plan, tmp_path / "new", False, 1, lambda n: None)
    assert (tmp_path / "new").read_bytes() == lines[0]


@pytest.mark.parametrize(
    "change",
    [
        {"shares": []},
        {"shares": [2, 0]},
        {"shares": [None, 0]},
        {"faults": None},
        {"plies": "1"},
        {"scores": [1.5, 0]},
        {"scores": 7},
        {"seats": ["seed", "seed"]},
        {"seed": 1},
        {"more": 1},
    ],
)
def test_a_row_that_is_wrong_is_refused_and_left_alone(tmp_path, change):
    plan, file = duel(games=2), tmp_path / "rows"
    keep(plan, file, False, 1, lambda n: None)
    first, row, *others = file.read_text().splitlines()
    file.write_text("\n".join([first, json.dumps(json.loads(row) | change), *others]) + "\n")
    before = file.read_bytes()
    with pytest.raises(BadFile):
        keep(plan, file, True, 1, lambda n: None)
    assert file.read_bytes() == before


@pytest.mark.parametrize("more", [0, b"\xff\n", b"[" * 100_000 + b"\n", b"{}\n"], ids=str)
def test_a_row_too_many_is_refused(tmp_path, more):
    """The last one again, or something that is none."""
    plan, file = duel(games=2), tmp_path / "rows"
    keep(plan, file, False, 1, lambda n: None)
    before = file.read_bytes() + (more or file.read_bytes().splitlines(keepends=True)[-1])
    file.write_bytes(before)
    with pytest.raises(BadFile):
        keep(plan, file, True, 1, lambda n: None)
    assert file.read_bytes() == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device")
def test_a_device_is_no_file_of_a_league():
    with pytest.raises(BadFile, match="not a file of the league"):
        keep(duel(games=2), Path("/dev/full"), True, 1, lambda n: None)


@pytest.mark.parametrize(
    ("bots", "games", "error"),
    [
        (["seed"], 2, BadOption),
        (["seed", "seed"], 2, BadOption),
        (["seed", "x"], 2, UnknownBot),
        (["seed", "random"], 0, BadOption),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused(bots, games, error):
    with pytest.raises(error):
        planned(NEON, {}, bots, games, "s")


def rows_of(*results):
    """Made-up games: seats and shares."""
    return [Row(f"d{k // 2}", tuple(seats.split()), (0, 0), shares, 1, 0) for k, (seats, shares) in enumerate(results)]


def test_shares_and_the_first_seat_are_means_over_deals():
    plan = planned(NEON, {"players": 2}, ["seed", "random"], 4, "s")
    won, lost, drawn = (1.0, 0.0), (0.0, 1.0), (0.5, 0.5)
    rows = rows_of(("seed random", won), ("random seed", lost), ("seed random", won), ("random seed", drawn))
    [(one, other, n, share)] = pairings(plan, rows)
    assert (one, other, n, share.mean) == ("seed", "random", 4, 0.875)
    assert first_seat(rows).mean == pytest.approx((1 + 0 + 1 + 0.5) / 4)


@pytest.mark.parametrize("deals", [2, 3, 10, 29, 30])
def test_few_deals_have_the_wider_interval_of_student(deals):
    values = [float(k) for k in range(deals)]
    low, high = scipy.stats.t.interval(0.95, deals - 1, np.mean(values), scipy.stats.sem(values))
    assert mean_of(values).margin == pytest.approx((high - low) / 2, rel=1e-3)


def test_many_deals_have_the_interval_of_the_normal_law():
    values = [0.0, 1.0] * 50
    assert mean_of(values).margin == pytest.approx(1.96 * scipy.stats.sem(values))


def test_one_deal_has_no_interval():
    assert mean_of([3.0]).margin is share_of([1.0]).margin is None
    plan = planned(NEON, {"players": 2}, ["seed", "random"], 2, "s")
    found = ratings(plan, rows_of(("seed random", (1.0, 0.0)), ("random seed", (1.0, 0.0))))
    assert [(rating.low, rating.high) for rating in found.values()] == [(-np.inf, np.inf)] * 2


@pytest.mark.parametrize("deals", [2, 4, 100])
def test_deals_that_agree_do_not_make_a_share_certain(deals):
    """Wilson's interval of what never happened; a share of 1 / 3 seven times may miss by rounding."""
    high = scipy.stats.binomtest(0, deals).proportion_ci(0.95, "wilson").high
    for share in (0.0, 1.0):
        assert share_of([share] * deals).margin == pytest.approx(high, rel=1e-3)
    third = share_of([1 / 3, (0.1 + 0.2) / 0.9] * (deals // 2))
    assert third.margin == pytest.approx(2 / 3 * high, rel=1e-3)
    assert mean_of([5.0] * deals).margin is None


def test_the_interval_of_a_share_does_not_leave_the_possible():
    assert share_of([1.0, 0.0]).margin == 0.5


@pytest.mark.parametrize("deals", [2, 4, 20])
def test_who_never_lost_may_be_stronger_by_any_amount(deals):
    plan = planned(NEON, {"players": 2}, ["random", "seed"], 2 * deals, "s")
    found = ratings(plan, rows_of(*[("seed random", (1.0, 0.0)), ("random seed", (0.0, 1.0))] * deals))
    assert found["random"] == Rating(0, 0, 0)
    assert found["seed"].high == np.inf and found["seed"].low < found["seed"].elo - 100
    turned = ratings(replace(plan, bots=("seed", "random")), rows_of(*[("seed random", (1.0, 0.0))] * 2 * deals))
    assert turned["random"].low == -np.inf and turned["random"].high > turned["random"].elo + 100


def games_of(strengths, deals, dice):
    """Made-up games of every pair, as likely won as Elo says."""
    for one, other in itertools.combinations(strengths, 2):
        chance = 1 / (1 + 10 ** ((strengths[other] - strengths[one]) / 400))
        for deal, seats in itertools.product(range(deals), ((one, other), (other, one))):
            winner = one if dice.random() < chance else other
            yield Row(f"d{deal}", seats, (0, 0), tuple(float(name == winner) for name in seats), 1, 0)


@pytest.mark.parametrize("gap", [200, 800, 1100, 2000])
def test_intervals_hold_what_is_true_however_far_bots_are_apart(gap):
    """95 of 100 are wanted; of 24 as many miss by chance as is allowed here."""
    plan, dice = planned(NEON, {"players": 2}, ["random", "seed", "heuristic"], 200, "s"), np.random.default_rng(1)
    truth, missed = {"random": 0, "seed": 375, "heuristic": 375 + gap}, 0
    for _ in range(12):
        found = ratings(plan, list(games_of(truth, 100, dice)), draws=100)
        missed += sum(not found[name].low <= truth[name] <= found[name].high for name in ("seed", "heuristic"))
    assert missed <= 4


def test_ratings_are_those_of_the_model():
    """Who wins three of four is 191 points ahead; the one drawn game that is added hardly counts among many."""
    plan = planned(NEON, {"players": 2}, ["random", "seed"], 4, "s")
    won, lost = (1.0, 0.0), (0.0, 1.0)
    deal = [("seed random", won), ("random seed", lost), ("seed random", won), ("random seed", won)]
    found = ratings(plan, rows_of(*deal * 500), draws=50)
    assert found["random"] == Rating(0, 0, 0)
    assert found["seed"].elo == pytest.approx(190.8, abs=0.5)
    assert found["seed"].elo - 24 < found["seed"].low < found["seed"].elo < found["seed"].high < found["seed"].elo + 24


def test_ratings_agree_at_three_seats_with_the_shares_they_were_made_of():
    """One of strength s among two others of 1 wins s / (s + 2): half of the games make it twice as strong."""
    plan = planned(NEON, {"players": 3}, ["seed", "random"], 6, "s")
    rows = [
        Row(f"d{k}", ("seed", "random", "random"), (0, 0, 0), ((1.0, 0, 0), (0, 1.0, 0))[k % 2], 1, 0)
        for k in range(4000)
    ]
    found = ratings(plan, rows, draws=5)
    assert found["seed"].elo - found["random"].elo == pytest.approx(400 * 0.30103, abs=1)


def test_who_never_lost_has_a_finite_rating():
    plan = planned(NEON, {"players": 2}, ["seed", "random"], 4, "s")
    found = ratings(plan, rows_of(*[("seed random", (1.0, 0.0)), ("random seed", (0.0, 1.0))] * 20), draws=5)
    assert 200 < found["seed"].elo - found["random"].elo < 2000


def test_a_solo_game_compares_points_on_the_same_decks():
    game = GAMES["repeat-poker"]
    plan = planned(game, {}, ["random"], 3, "s")
    rows = list(run(plan, 0, 1))
    assert [row.seed for row in rows] == ["s 0", "s 1", "s 2"]
    [(name, n, mean, worst, best)] = solo_scores(plan, rows)
    assert (name, n) == ("random", 3) and worst <= mean.mean <= best


def test_a_bot_that_fails_is_counted_and_the_log_says_which_game_repeats_it(monkeypatch, caplog):
    def crash(game, views, seat, budget, rngs):
        raise RuntimeError("lost my cards")

    monkeypatch.setattr("carteado.lab.league.bot_of", lambda game, name: Bot(name, crash))
    plan = replace(duel(games=1), bots=("clumsy", "crooked"))
    with caplog.at_level(logging.ERROR, "carteado.league"):
        row = play_fixture(plan, "s 0", ("clumsy", "crooked"))
    assert row.faults == row.plies == len(caplog.records) > 0
    assert "clumsy: RuntimeError: lost my cards; ply 0 of the deal 's 0' with clumsy, crooked" in caplog.text
