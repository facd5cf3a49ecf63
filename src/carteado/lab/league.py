"""The league: bots meet on the same deals with the seats rotated, and each gets a rating with its interval.

A plan is a list of fixtures in a fixed order; a fixture is one game, repeatable from the plan's seed by itself. The
results are rows in a file, one JSON object a line after the plan's, in the order of the plan: so a run that was broken
off goes on where it ended, and the same plan gives the same file to the byte.
"""

import itertools
import json
import logging
import signal
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from multiprocessing import active_children, get_context
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

import numpy as np

from carteado.bots import bot as bot_of
from carteado.bots.bot import chosen
from carteado.rules import GAMES
from carteado.rules.errors import BadOption
from carteado.rules.game import Game
from carteado.rules.loops import DEAL
from carteado.rules.random import seeded

log = logging.getLogger("carteado.league")

AT_ONCE = 64  # fixtures that wait for each process


@dataclass(frozen=True)
class Plan:
    """Who plays whom, and how often: `games` for each pairing, in whole rounds of rotated seats."""

    game: str
    rules: int
    options: dict[str, int]
    bots: tuple[str, ...]
    games: int
    seed: str
    is_table: bool = False  # all of them at one table, instead of every pair

    @property
    def players(self) -> int:
        return self.options["players"]


@dataclass(frozen=True)
class Row:
    """One game."""

    seed: str  # of the deal
    seats: tuple[str, ...]
    scores: tuple[int, ...]
    shares: tuple[float, ...]  # of the win: 1, or 1 / k for each of k winners; solo, the worth of the score
    plies: int
    faults: int


def planned(
    game: Game, options: dict[str, object], bots: Iterable[str], games: int, seed: str, is_table: bool = False
) -> Plan:
    """A checked plan; a table has as many seats as there are bots."""
    names = tuple(bots)
    checked = game.checked_options({**options, "players": len(names)} if is_table else options)
    for name in names:
        bot_of(game, name)
    least = 1 if checked["players"] == 1 else 2
    if len(set(names)) != len(names) or len(names) < least:
        raise BadOption(f"bots: expected {least} or more, each once, got {', '.join(names) or 'none'}")
    if games < 1:
        raise BadOption(f"games: expected 1 or more, got {games}")
    return Plan(game.name, game.version, checked, names, games, seed, is_table)


def fixtures(plan: Plan) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The deal's seed and who sits where. One bot sits on each seat in turn, another on all the others: with two seats
    that is every pair from both sides; with more, each bot alone among others of one kind. At a table all move on by
    one seat from game to game."""
    seats = plan.players
    if seats == 1:
        for deal, name in itertools.product(range(plan.games), plan.bots):
            yield f"{plan.seed} {deal}", (name,)
        return
    if plan.is_table:
        for deal, shift in itertools.product(range(-(-plan.games // seats)), range(seats)):
            yield f"{plan.seed} {deal}", plan.bots[shift:] + plan.bots[:shift]
        return
    pairs = itertools.combinations(plan.bots, 2) if seats == 2 else itertools.permutations(plan.bots, 2)
    for (one, other), deal in itertools.product(pairs, range(-(-plan.games // seats))):
        for place in range(seats):
            yield f"{plan.seed} {deal}", tuple(one if seat == place else other for seat in range(seats))


def play_fixture(plan: Plan, seed: str, seats: tuple[str, ...]) -> Row:
    """One game from its deal to its end; the bots' chance hangs on the deal and on who sits where."""
    game = GAMES[plan.game]
    bots = [bot_of(game, name) for name in seats]
    states, views, blanks = game.new_states(), game.new_states(), game.new_states()
    for name, value in plan.options.items():
        states[0][name] = value
    deal, chance, out = seeded(seed), seeded(f"{seed} {' '.join(seats)}"), game.new_moves()
    n = game.run.step(states, deal, DEAL, out)
    plies = faults = 0
    while n:
        seat = int(game.run.seat_of(states))
        views[:] = blanks
        game.run.look(states, seat, views)
        move, fault = chosen(game, views, seat, bots[seat], chance)
        if fault:
            faults += 1
            log.error("%s; ply %d of the deal %r with %s at the table", fault, plies, seed, ", ".join(seats))
        n = game.run.step(states, deal, move, out)
        plies += 1
    points, worth = np.zeros(plan.players, np.int64), np.zeros(plan.players)
    game.run.score(states, points, worth)
    shares = tuple(float(x + 1) / 2 for x in worth)
    return Row(seed, seats, tuple(int(x) for x in points), shares, plies, faults)


def run(plan: Plan, done: int, jobs: int) -> Generator[Row]:
    """The rows of the plan from the given one on, in order, on so many processes."""
    todo = itertools.islice(fixtures(plan), done, None)
    if jobs == 1:
        for seed, seats in todo:
            yield play_fixture(plan, seed, seats)
        return
    others = set(active_children())
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        try:
            with deaf_children():
                waiting = [pool.submit(play_fixture, plan, *one) for one in itertools.islice(todo, jobs * AT_ONCE)]
            while waiting:
                yield waiting.pop(0).result()
                waiting.extend(pool.submit(play_fixture, plan, *one) for one in itertools.islice(todo, 1))
        except BaseException:  # broken off: nobody waits for the games that are being played
            for child in set(active_children()) - others:
                child.terminate()
            raise


@contextmanager
def deaf_children() -> Iterator[None]:
    """Processes that are started now never hear Ctrl-C: it is for the one who started them. (Not even while they
    import, when nothing of their own could see to it.)"""
    if current_thread() is not main_thread():  # only that one hears it and may say so
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def keep(plan: Plan, file: Path, resume: bool, jobs: int, tell: Callable[[int], None]) -> list[Row]:
    """Plays what the file lacks, adding each row to it as it comes; `tell` hears how many there are."""
    rows = read_rows(plan, file) if resume and file.exists() else []
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w", encoding="utf-8") as out:
        out.write(as_line(plan) + "".join(map(as_line, rows)))
        tell(len(rows))
        with closing(run(plan, len(rows), jobs)) as coming:
            for row in coming:
                out.write(as_line(row))
                out.flush()
                rows.append(row)
                tell(len(rows))
    return rows


def as_line(what: Plan | Row) -> str:
    return json.dumps(asdict(what)) + "\n"


def read_row(line: str) -> Row:
    fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in json.loads(line).items()}
    return Row(**fields)


def read_rows(plan: Plan, file: Path) -> list[Row]:
    """The whole rows of a file of this plan; a half-written last line is left out."""
    lines = file.read_text(encoding="utf-8").split("\n")[:-1]
    try:
        kept, rows = json.loads(lines[0]), [read_row(line) for line in lines[1:]]
    except (ValueError, TypeError, IndexError, AttributeError):
        raise BadOption(f"{file}: not a file of the league") from None
    if kept != json.loads(as_line(plan)):
        raise BadOption(f"{file}: holds another plan: {lines[0]}")
    for row, (seed, seats) in zip(rows, fixtures(plan), strict=False):
        if (row.seed, row.seats) != (seed, seats):
            raise BadOption(f"{file}: the row of {row.seed!r} is not of this plan")
    return rows


# What the rows say


# Student's t for a 95 % interval of 2, 3, … 30 deals; of more, the limit
STUDENT: tuple[float, ...] = (12.71, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179)
STUDENT += (2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052)
STUDENT += (2.048, 2.045)
LIMIT = 1.96


@dataclass(frozen=True)
class Estimate:
    """A mean and half the width of its 95 % interval; None where the deals do not say."""

    mean: float
    margin: float | None


def deviations(deals: int) -> float:
    """How many standard errors of so many deals (2 or more) the interval reaches to each side."""
    return STUDENT[deals - 2] if deals - 2 < len(STUDENT) else LIMIT


def mean_of(by_deal: Iterable[float]) -> Estimate:
    """Of values that are independent of each other: one a deal, for the games of one deal are not. One deal, or deals
    that are all the same, say nothing of how far the mean may lie off."""
    values = np.array(list(by_deal), float)
    if len(values) < 2 or np.ptp(values) < 1e-9:
        return Estimate(float(values.mean()), None)
    error = values.std(ddof=1) / len(values) ** 0.5
    return Estimate(float(values.mean()), float(deviations(len(values)) * error))


def share_of(by_deal: list[float]) -> Estimate:
    """The mean of shares, which lie between 0 and 1 and so does the interval; where n deals are all the same, up to
    z² / (n + z²) of all deals may still be different (Wilson's bound for what never happened), each by the most."""
    found, n = mean_of(by_deal), len(by_deal)
    most = max(found.mean, 1 - found.mean)
    if found.margin is not None:
        return Estimate(found.mean, min(found.margin, most))
    return Estimate(found.mean, most * LIMIT**2 / (n + LIMIT**2) if n > 1 else None)


def by_deal(rows: Iterable[Row], value: Callable[[Row], float]) -> list[float]:
    deals: dict[str, list[float]] = {}
    for row in rows:
        deals.setdefault(row.seed, []).append(value(row))
    return [float(np.mean(values)) for values in deals.values()]


def pairings(plan: Plan, rows: list[Row]) -> list[tuple[str, str, int, Estimate]]:
    """One against others: how many games, and the one's share of the wins."""
    found: dict[tuple[str, str], list[Row]] = {(name, "table"): rows for name in plan.bots if plan.is_table}
    for row in rows if not plan.is_table else []:
        one = next((name for name in row.seats if row.seats.count(name) == 1), row.seats[0])
        if plan.players == 2:
            one = min(row.seats, key=plan.bots.index)
        other = next(name for name in row.seats if name != one)
        found.setdefault((one, other), []).append(row)
    return [
        (one, other, len(some), share_of(by_deal(some, lambda row, one=one: row.shares[row.seats.index(one)])))  # type: ignore[misc]
        for (one, other), some in found.items()
    ]


def solo_scores(plan: Plan, rows: list[Row]) -> list[tuple[str, int, Estimate, int, int]]:
    """Solo: how many games each bot played, its mean score, its worst and its best."""
    found = {name: [row.scores[0] for row in rows if row.seats == (name,)] for name in plan.bots}
    return [(name, len(some), mean_of(some), min(some), max(some)) for name, some in found.items() if some]


def first_seat(rows: list[Row]) -> Estimate:
    """The first seat's share of the wins; the bots sit there equally often."""
    return share_of(by_deal(rows, lambda row: row.shares[0]))


def ratings(plan: Plan, rows: list[Row], draws: int = 200) -> dict[str, Estimate]:
    """Elo, the mean of all bots being 0: a win of a seat is as likely as its strength among those at the table (Bradley
    and Terry's model; with more seats, Plackett and Luce's). Intervals are from deals drawn again with replacement, and
    as much wider for few deals as `deviations` says; where all deals are the same, one is added to them in which every
    seat had its even share, for otherwise nothing could come out but the same again."""
    seeds = sorted({row.seed for row in rows})
    deal_of = {seed: k for k, seed in enumerate(seeds)}
    tables: dict[tuple[str, ...], Any] = {}  # who sat there: for each deal, games and wins of each bot
    for row in rows:
        who = tuple(sorted(set(row.seats)))
        counts = tables.setdefault(tuple(sorted(row.seats)), np.zeros((len(seeds), 1 + len(who))))
        counts[deal_of[row.seed], 0] += 1
        for name, share in zip(row.seats, row.shares, strict=True):
            counts[deal_of[row.seed], 1 + who.index(name)] += share
    best = fitted(plan, {who: counts.sum(0) for who, counts in tables.items()})
    n = len(seeds)
    if n < 2:
        return {name: Estimate(best[k], None) for k, name in enumerate(plan.bots)}
    if all(np.allclose(counts, counts[0]) for counts in tables.values()):
        tables = {who: np.vstack((counts, even(who, counts[0, 0]))) for who, counts in tables.items()}
    dice, fits = np.random.default_rng(0), []
    for _ in range(draws):
        again = dice.integers(max(len(counts) for counts in tables.values()), size=n)
        fits.append(fitted(plan, {who: counts[again].sum(0) for who, counts in tables.items()}))
    spread = np.percentile(np.array(fits), [2.5, 97.5], axis=0)
    half = (spread[1] - spread[0]) / 2 * deviations(n) / LIMIT
    return {name: Estimate(best[k], float(half[k])) for k, name in enumerate(plan.bots)}


def even(seats: tuple[str, ...], games: float) -> list[float]:
    """A deal in which every seat had its share: the games, and the wins of each bot."""
    return [games, *(games * seats.count(name) / len(seats) for name in sorted(set(seats)))]


def fitted(plan: Plan, tables: dict[tuple[str, ...], Any], rounds: int = 500) -> list[float]:
    """The likeliest strengths, as Elo. One drawn game is added to each table, so that who never lost stays finite."""
    strength = dict.fromkeys(plan.bots, 1.0)
    for _ in range(rounds):
        before = strength
        wins, chances = dict.fromkeys(plan.bots, 0.0), dict.fromkeys(plan.bots, 0.0)
        for seats, counts in tables.items():
            games, total = counts[0] + 1, sum(strength[name] for name in seats)
            for k, name in enumerate(sorted(set(seats))):
                wins[name] += counts[1 + k] + seats.count(name) / len(seats)
                chances[name] += games * seats.count(name) / total
        strength = {name: wins[name] / chances[name] if chances[name] else 1.0 for name in plan.bots}
        scale = np.exp(np.mean(np.log(list(strength.values()))))
        strength = {name: float(value / scale) for name, value in strength.items()}
        if all(abs(strength[name] / before[name] - 1) < 1e-6 for name in plan.bots):
            break
    return [float(400 * np.log10(strength[name])) for name in plan.bots]
