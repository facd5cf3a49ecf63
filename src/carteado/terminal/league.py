"""The league on the screen: a bar while it plays, then who beat whom and how strong each is."""

from pathlib import Path

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table as Grid

from carteado.lab.league import Plan, Row, first_seat, fixtures, keep, pairings, ratings, solo_scores
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
    screen.say("league", game=title, n=total)
    with Progress(*columns, console=screen.console) as progress:
        task = progress.add_task(title, total=total)
        rows = keep(plan, file, resume, jobs, lambda n: progress.update(task, completed=n))
    screen.say("league file", file=file)
    return rows


def report(screen: Screen, plan: Plan, rows: list[Row]) -> None:
    if plan.players == 1:
        grid = _grid(*(screen.text(word) for word in ("bot", "games", "mean", "worst", "best")))
        for name, n, mean, worst, best in solo_scores(plan, rows):
            grid.add_row(name, str(n), f"{mean.mean:.1f} ± {mean.margin:.1f}", str(worst), str(best))
        screen.console.print(grid)
    else:
        grid = _grid("A", "B", screen.text("games"), screen.text("share", one="A"))
        for one, other, n, share in pairings(plan, rows):
            grid.add_row(one, other, str(n), f"{100 * share.mean:.1f} ± {100 * share.margin:.1f} %")
        screen.console.print(grid)
        grid = _grid(screen.text("bot"), screen.text("elo"))
        for name, elo in sorted(ratings(plan, rows).items(), key=lambda item: -item[1].mean):
            grid.add_row(name, f"{elo.mean:+.0f} ± {elo.margin:.0f}")
        screen.console.print(grid)
        first = first_seat(rows)
        numbers = {"mean": 100 * first.mean, "margin": 100 * first.margin, "fair": 100 / plan.players}
        screen.console.print(screen.text("first seat", **numbers))
    faults = sum(row.faults for row in rows)
    if faults:
        screen.complain(screen.text("faults", n=faults))


def _grid(first: str, *others: str) -> Grid:
    grid = Grid(box=None, padding=(0, 2))
    grid.add_column(first, style="bold")
    for name in others:
        grid.add_column(name, justify="right")
    return grid
