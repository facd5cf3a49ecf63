"""Golden matches: whole matches as text that a person can read, and how they are written.

Head lines name the game, the version of its rules, the options and the seed. Then one line a move: its number, the
seat, the move in notation, and what happened as a watcher saw it. The end has the scores, the winners, and the SHA-256
of the last table as JSON (keys sorted, no spaces).
"""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import carteado
from carteado.rules import GAMES
from carteado.text import happened, seat_names

FOLDER = Path(__file__).parent.parent / "golden"
LEAST = 3  # matches of each game
CHAPTERS = ("round", "level")  # fields of a table that begin a new part of the match


def new_match(name: str, head: dict[str, str]) -> carteado.Match:
    """The match of a head."""
    options = dict(option.split("=") for option in head["options"].split())
    return carteado.new(name, seed=head["seed"], **{option: read_option(value) for option, value in options.items()})


def read_option(value: str) -> int:
    return {"true": True, "false": False}[value] if value.isalpha() else int(value)


def written(match: carteado.Match, moves: Iterable[str]) -> str:
    """A fresh match, played to the end with these moves, as text."""
    game = match.game
    names = seat_names(match.players, -1, "en")
    options = match.record()["options"].items()
    lines = [
        f"game: {game.name}",
        f"rules: {game.version}",
        f"options: {' '.join(f'{name}={json.dumps(value)}' for name, value in options)}",
        f"seed: {match.seed}",
    ]
    before, chapter = match.view(-1), None
    for move in moves:
        if (now := chapter_of(before)) != chapter:
            lines += ["", *([f"-- {now} --"] if now else [])]
            chapter = now
        elif not match.ply:
            lines.append("")
        mover = match.to_move
        match.play(move)
        told = happened(match, -1, names, "en", is_person=False)
        lines.append(f"{match.ply:>3}  {mover}  {move:<20}  {told}".rstrip())
        before = match.view(-1)
    lines += [
        "",
        f"scores: {' '.join(map(str, match.scores()))}",
        f"winners: {' '.join(map(str, match.winners))}",
        f"table: {table_hash(match.table())}",
    ]
    return "\n".join(lines) + "\n"


def chapter_of(table: dict[str, Any]) -> str | None:
    return next((f"{name} {table[name]}" for name in CHAPTERS if name in table), None)


def table_hash(table: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(table, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def read(text: str) -> tuple[dict[str, str], list[str]]:
    """The head of a golden match, and its moves."""
    head, moves = {}, []
    for line in text.splitlines():
        if line[:1].isalpha():
            key, _, value = line.partition(": ")
            head[key] = value
        elif line and not line.startswith("--"):
            moves.append(line.lstrip().split("  ", 3)[2].strip())
    return head, moves


def files(game: str) -> list[Path]:
    """The golden matches of a game: `<game>-<n>.txt`."""
    return sorted(path for path in FOLDER.glob(f"{game}-*.txt") if path.stem.removeprefix(f"{game}-").isdigit())


def games_without(least: int = LEAST) -> list[str]:
    return [name for name in GAMES if len(files(name)) < least]
