"""The league on the screen: a bar while it plays, then who beat whom and how strong each is."""

from math import isfinite
from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table as Grid

from carteado.lab.league import Estimate, Plan, Rating, Row, first_seat, fixtures, keep, pairings, ratings, solo_scores
from carteado.terminal.screen import Screen


def play_league(screen: Screen, title: str, plan: Plan, file: Path, resume: bool, jobs: int) -> list[Row]:
    """Plays what is missing and says what came out."""
    total = sum(1 for _ in fixtures(plan))
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    key = "league" if plan.players > 1 else "league solo" if total > 1 else "league once"
    screen.say(key, game=title, n=total)
    with Progress(*columns, console=screen.console) as progress:
        task = progress.add_task(title, total=total)
        rows = keep(plan, file, resume, jobs, lambda n: progress.update(task, completed=n))
    screen.say_whole("league file", file=file)
    return rows


def report(screen: Screen, plan: Plan, rows: list[Row]) -> None:
    if plan.players == 1:
        grid = _grid(*(screen.text(word) for word in ("bot", "games", "mean", "worst", "best")))
        for name, n, mean, worst, best in solo_scores(plan, rows):
            grid.add_row(name, str(n), given(screen, mean), str(worst), str(best))
        screen.console.print(grid)
    else:
        grid = _grid("A", "B", screen.text("games"), screen.text("share", one="A"))
        for one, other, n, share in pairings(plan, rows):
            grid.add_row(one, other, str(n), f"{given(screen, share, 100)} %")
        screen.console.print(grid)
        grid = _grid(screen.text("bot"), screen.text("elo"))
        for name, rating in sorted(ratings(plan, rows).items(), key=lambda item: -item[1].elo):
            grid.add_row(name, rated(rating))
        screen.console.print(grid)
        first = given(screen, first_seat(rows), 100)
        screen.say("first seat", share=first, fair=screen.number(100 / plan.players))
    faults = sum(row.faults for row in rows)
    if faults:
        screen.complain(screen.text("faults", n=faults))


def given(screen: Screen, what: Estimate, times: float = 1) -> str:
    """The mean and its margin, or a dash where the deals do not say how wide that is."""
    margin = "–" if what.margin is None else screen.number(times * what.margin)
    return f"{screen.number(times * what.mean)} ± {margin}"


def rated(what: Rating) -> str:
    """Elo with its margin to the further side; of an interval that is open to one side, its end."""
    margin = max(what.high - what.elo, what.elo - what.low)
    if margin == 0:
        return "0"
    if isfinite(margin):
        return f"{what.elo:+.0f} ± {margin:.0f}"
    if isfinite(what.low):
        return f"≥ {what.low:+.0f}"
    return f"≤ {what.high:+.0f}" if isfinite(what.high) else f"{what.elo:+.0f} ± –"


def _grid(first: str, *others: str) -> Grid:
    grid = Grid(box=None, padding=(0, 2))
    grid.add_column(first, style="bold")
    for name in others:
        grid.add_column(name, justify="right")
    return grid
