"""The rules of a game, as written in docs/rules."""

import os
from pathlib import Path

from rich.markdown import Markdown

from carteado.terminal.screen import Screen

PACKAGE = Path(__file__).resolve().parent.parent
PLACES = (PACKAGE / "docs" / "rules", PACKAGE.parent.parent / "docs" / "rules")  # installed; in the source tree


def rules_of(game: str, lang: str) -> str | None:
    for place in PLACES:
        file = place / lang / f"{game}.md"
        if file.is_file():
            return file.read_text(encoding="utf-8")
    return None


def summary(game: str, lang: str) -> str:
    """The first paragraph of the rules: what the game is about."""
    paragraphs = (rules_of(game, lang) or "").split("\n\n")
    return next((" ".join(p.replace("*", "").split()) for p in paragraphs if p.strip() and not p.startswith("#")), "")


def show_rules(screen: Screen, game: str) -> None:
    """In a pager where there is a terminal to page in."""
    text = rules_of(game, screen.lang)
    if text is None:
        screen.complain(screen.text("no rules", game=game))
    elif screen.console.is_terminal:
        os.environ.setdefault("LESS", "-R")  # less shows colours and not their codes
        with screen.console.pager(styles=True):
            screen.console.print(Markdown(text))
    else:
        screen.console.print(Markdown(text))
