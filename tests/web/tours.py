"""The tours of the games: their positions, what is clicked in each step, and the walk through one."""

import json
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect
from web.conftest import WEB
from web.visit import legal, wait_for_move

PLANS: dict[str, dict[str, Any]] = {
    path.stem: json.loads(path.read_text()) for path in Path(WEB / "src/games/tours").glob("*.json")
}


def held(name: str) -> str:
    """The card of that name in one's hand."""
    return f'.hand button:has([aria-label="{name}"])'


# What is clicked in each step, and what may be dragged to where instead.
ON_THE_TABLE: dict[str, list[tuple[list[str], tuple[str, str] | None]]] = {
    "trincheira": [
        ([held("7 de copas"), '[data-drop="mine 5h"].value'], (held("7 de copas"), "mine 5h")),
        ([held("6 de espadas"), '[data-drop="guard 5h"]'], (held("6 de espadas"), "guard 5h")),
        ([held("2 de espadas"), '[data-drop^="enemy"]', ".ask .answer"], None),
        ([held("5 de ouros"), '[data-drop="stock"]'], (held("5 de ouros"), "stock")),
    ],
    "menor-soma": [
        (['.pile.target[data-drop="discard"]'], None),
        (['[data-drop="put 2"]'], (".held.mine", "put 2")),
        ([".big.stop"], None),
    ],
    "arboretum": [
        ([".pile.target"], None),
        ([".pile.target"], None),
        (['.hand [aria-label^="ipê-amarelo 6"]', '[data-drop="2,0"]'], ('.hand [aria-label^="ipê-amarelo 6"]', "2,0")),
        (['.hand [aria-label="paineira 1"]', '[data-drop="pile"]'], ('.hand [aria-label="paineira 1"]', "pile")),
    ],
    "neon-one": [
        ([".hand .can button"], (".hand .can button", "discard")),
        ([".hand .can button"], (".hand .can button", "discard")),
        ([".hand .can button"], (".hand .can button", "discard")),
        ([".answer.green"], None),
        ([".hand .can button"], (".hand .can button", "discard")),
    ],
    "repeat-poker": [
        (['[data-drop="a3"]'], (".shown", "a3")),
        (['[data-drop="b2"]'], (".shown", "b2")),
        (['[data-drop="c4"]'], (".shown", "c4")),
        (['[data-drop="d2"]'], (".shown", "d2")),
    ],
}


def begin_tour(page: Page, game: str) -> None:
    page.goto(f"/#/aprender/{game}")
    wait_for_move(page)


def expect_step(page: Page, game: str, n: int) -> None:
    """The next step's sentence is there, and only its moves are legal; or it is over."""
    steps = PLANS[game]["steps"]
    if n < len(steps):
        expect(page.locator(".tour")).to_contain_text(f"{n + 1} de {len(steps)}.")
        wait_for_move(page)
        moves = legal(page)
        assert moves and all(re.fullmatch(steps[n], move) for move in moves)
    else:
        expect(page.locator(".tour, dialog[open]")).to_contain_text(re.compile("É isso!|Você venceu!"))


def play_to_the_end(page: Page) -> None:
    """The tour of nEon_onE: its last move ends the match."""
    begin_tour(page, "neon-one")
    for n, (clicks, _) in enumerate(ON_THE_TABLE["neon-one"]):
        expect_step(page, "neon-one", n)
        for selector in clicks:
            page.locator(selector).first.click()
