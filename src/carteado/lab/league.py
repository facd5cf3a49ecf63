"""The league: bots meet on the same deals with the seats rotated, and each gets a rating with its interval.

A plan is a list of fixtures in a fixed order; a fixture is one game, repeatable from the plan's seed by itself. The
results are rows in a file, one JSON object a line after the plan's, in the order of the plan: so a run that was broken
off goes on where it ended, and the same plan gives the same file to the byte.
"""

import itertools
import json
import logging
import os
import signal
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from threading import Thread, current_thread, main_thread
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
FEW_OTHERS = 3  # at a table: their orders are tried one after the other


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
    one seat from game to game, and from deal to deal they sit in another order."""
    seats = plan.players
    if seats == 1:
        for deal, name in itertools.product(range(plan.games), plan.bots):
            yield f"{plan.seed} {deal}", (name,)
        return
    if plan.is_table:
        for deal in range(-(-plan.games // seats)):
            order = round_the_table(plan, deal)
            for shift in range(seats):
                yield f"{plan.seed} {deal}", order[shift:] + order[:shift]
        return
    pairs = itertools.combinations(plan.bots, 2) if seats == 2 else itertools.permutations(plan.bots, 2)
    for (one, other), deal in itertools.product(pairs, range(-(-plan.games // seats))):
        for place in range(seats):
            yield f"{plan.seed} {deal}", tuple(one if seat == place else other for seat in range(seats))


def round_the_table(plan: Plan, deal: int) -> tuple[str, ...]:
    """Who follows whom: every order in turn, or by chance where there are many, for a neighbour matters too."""
    first, *others = plan.bots
    if len(others) <= FEW_OTHERS:
        orders = list(itertools.permutations(others))
        return (first, *orders[deal % len(orders)])
    return (first, *sorted(others, key=lambda name: sha256(f"{plan.seed} {deal} {name}".encode()).digest()))


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
        seat = int(out[-1])
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
    with ProcessPoolExecutor(jobs, get_context("spawn"), end_with_parent) as pool:
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


def end_with_parent() -> None:
    """A process that is started ends when the one that started it is gone, however that ended."""
    parent = parent_process()
    assert parent is not None

    def wait() -> None:
        parent.join()
        os._exit(1)

    Thread(target=wait, daemon=True).start()


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


class BadFile(BadOption):
    """The file of results cannot be gone on with; `key` and `parts` are for those who say it in another language."""

    def __init__(self, key: str, sentence: str, **parts: object) -> None:
        super().__init__(sentence.format(**parts))
        self.key, self.parts = key, parts


def keep(plan: Plan, file: Path, resume: bool, jobs: int, tell: Callable[[int], None]) -> list[Row]:
    """Plays what the file lacks, adding each row to it as it comes; `tell` hears how many there are. Of what is kept
    nothing is ever written again: only a half-written line at its end is cut off."""
    kept = whole_lines(plan, file) if resume and file.exists() else b""
    rows = read_rows(plan, file, kept) if kept else []
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("ab") as out:
        out.truncate(len(kept))
        if not kept:
            out.write(as_line(plan))
            out.flush()
        tell(len(rows))
        with closing(run(plan, len(rows), jobs)) as coming:
            for row in coming:
                out.write(as_line(row))
                out.flush()
                rows.append(row)
                tell(len(rows))
    return rows


def as_line(what: Plan | Row) -> bytes:
    return json.dumps(asdict(what)).encode() + b"\n"


def whole_lines(plan: Plan, file: Path) -> bytes:
    """What the file holds, without a half-written last line; nothing if it is new."""
    if file.exists() and not file.is_file():  # a device might never end
        raise not_ours(file)
    data = file.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if not whole and not as_line(plan).startswith(data):
        raise not_ours(file)
    return whole


def read_rows(plan: Plan, file: Path, kept: bytes) -> list[Row]:
    """The rows of a file of this plan."""
    first, *lines = kept.splitlines()
    if first + b"\n" != as_line(plan):
        if first.startswith(b'{"game": '):
            other = first.decode(errors="replace")
            raise BadFile("other plan", "{file}: holds another plan: {plan}", file=file, plan=other)
        raise not_ours(file)
    try:
        rows = [read_row(plan, line) for line in lines]
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise not_ours(file) from None
    coming = fixtures(plan)
    for row in rows:
        if (row.seed, row.seats) != next(coming, None):
            raise BadFile("other row", "{file}: the row of {seed!r} is not of this plan", file=file, seed=row.seed)
    return rows


def not_ours(file: Path) -> BadFile:
    return BadFile("not league", "{file}: not a file of the league", file=file)


def read_row(plan: Plan, line: bytes) -> Row:
    """Raises ValueError or TypeError where a field is missing or is not what it should be."""
    fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in json.loads(line).items()}
    row, n = Row(**fields), plan.players
    if not (
        isinstance(row.seed, str)
        and len(row.seats) == len(row.scores) == len(row.shares) == n
        and all(type(number) is int for number in (*row.scores, row.plies, row.faults))
        and all(type(share) in (int, float) and 0 <= share <= 1 for share in row.shares)
    ):
        raise ValueError(f"not a row: {line!r}")
    return row


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


@dataclass(frozen=True)
class Rating:
    """Elo above the first bot of the plan, and the ends of its 95 % interval: infinite where the games set no limit,
    as for one who never lost."""

    elo: float
    low: float
    high: float


def ratings(plan: Plan, rows: list[Row], draws: int = 200) -> dict[str, Rating]:
    """A win of a seat is as likely as its strength among those at the table (Bradley and Terry's model; with more
    seats, Plackett and Luce's). Intervals are from deals drawn again with replacement, and as much wider for few deals
    as `deviations` says. To the deals one is added in which every seat had its even share: what never happened, or
    once, may still happen. And where a draw has no chain of wins from one bot to another, that one may be stronger by
    any amount."""
    seeds = sorted({row.seed for row in rows})
    n, deal_of = len(seeds), {seed: k for k, seed in enumerate(seeds)}
    tables: dict[tuple[str, ...], Any] = {}  # who sat there: for each deal, games and wins of each bot
    for row in rows:
        who = tuple(sorted(set(row.seats)))
        counts = tables.setdefault(tuple(sorted(row.seats)), np.zeros((n, 1 + len(who))))
        counts[deal_of[row.seed], 0] += 1
        for name, share in zip(row.seats, row.shares, strict=True):
            counts[deal_of[row.seed], 1 + who.index(name)] += share
    best = fitted(plan, {who: counts.sum(0, keepdims=True) for who, counts in tables.items()})[0]
    if n < 2:
        return {name: Rating(elo, -np.inf, np.inf) for name, elo in zip(plan.bots, best.tolist(), strict=True)}
    dice = np.random.default_rng(0)
    times = np.array([np.bincount(dice.integers(n + 1, size=n), minlength=n + 1) for _ in range(draws)], float)
    drawn = {who: times[:, :n] @ counts for who, counts in tables.items()}
    more = {who: drawn[who] + np.outer(times[:, n], even(who, counts[0, 0])) for who, counts in tables.items()}
    fits, chains = np.array([fitted(plan, drawn), fitted(plan, more)]), chained(plan, drawn)
    low = np.percentile(np.where(chains[:, :, 0], fits, -np.inf), 2.5, axis=1, method="lower").min(0)
    high = np.percentile(np.where(chains[:, 0, :], fits, np.inf), 97.5, axis=1, method="higher").max(0)
    wider = deviations(n) / LIMIT
    low, high = best - wider * (best - low), best + wider * (high - best)
    return {name: Rating(*map(float, found)) for name, *found in zip(plan.bots, best, low, high, strict=True)}


def even(seats: tuple[str, ...], games: float) -> list[float]:
    """A deal in which every seat had its share: the games, and the wins of each bot."""
    return [games, *(games * seats.count(name) / len(seats) for name in sorted(set(seats)))]


def chained(plan: Plan, tables: dict[tuple[str, ...], Any]) -> Any:
    """For each draw, whether the one bot won against the other, or against one that is so chained to it."""
    draws, bots = len(next(iter(tables.values()))), range(len(plan.bots))
    chains = np.zeros((draws, len(bots), len(bots)), bool)
    chains[:, bots, bots] = True
    for seats, counts in tables.items():
        who = [plan.bots.index(name) for name in sorted(set(seats))]
        for k, one in enumerate(who):
            chains[:, one, who] |= counts[:, 1 + k, None] > 0
    for by in bots:
        chains |= chains[:, :, by, None] & chains[:, None, by, :]
    return chains


def fitted(plan: Plan, tables: dict[tuple[str, ...], Any], rounds: int = 500) -> Any:
    """The likeliest strengths of each draw, as Elo above the first bot. One drawn game is added to each table, so that
    who never lost stays finite."""
    bot = {name: k for k, name in enumerate(plan.bots)}
    strength = np.ones((len(next(iter(tables.values()))), len(bot)))
    for _ in range(rounds):
        before = strength
        wins, chances = np.zeros_like(strength), np.zeros_like(strength)
        for seats, counts in tables.items():
            games, total = counts[:, 0] + 1, strength[:, [bot[name] for name in seats]].sum(1)
            for k, name in enumerate(sorted(set(seats))):
                wins[:, bot[name]] += counts[:, 1 + k] + seats.count(name) / len(seats)
                chances[:, bot[name]] += games * seats.count(name) / total
        strength = wins / chances
        strength /= np.exp(np.log(strength).mean(1, keepdims=True))
        if np.all(abs(strength / before - 1) < 1e-6):
            break
    return 400 * np.log10(strength / strength[:, :1])
