"""Matches without a click: asked for at the server, as a page would ask."""

import copy
from typing import Any

from playwright.sync_api import Page
from web.tours import PLANS
from web.visit import wait_for_move


def open_match(page: Page, name: str, **wanted: Any) -> dict[str, Any]:
    """A match of one's own making, under that name; what the server says of it."""
    page.request.post("/api/me", data={"name": name})
    answer = page.request.post("/api/matches", data=wanted)
    assert answer.ok, answer.text()
    return dict(answer.json())


def join(page: Page, match: dict[str, Any], name: str) -> None:
    """Sits down at it, under that name."""
    page.request.post("/api/me", data={"name": name})
    answer = page.request.post(f"/api/matches/{match['match']}/join", data={"key": match["key"]})
    assert answer.ok, answer.text()


def start_match(page: Page, game: str, seats: int = 2, **wanted: Any) -> str:
    """A match against bots, and its table is shown; its id."""
    page.request.post("/api/me", data={"name": "Bia"})
    places = [{"kind": "me"}] + [{"kind": "bot", "level": "aprendiz"}] * (seats - 1)
    made = {"game": game, "options": PLANS[game]["options"], "places": places, "drawn": False, **wanted}
    answer = page.request.post("/api/matches", data=made)
    assert answer.ok, answer.text()
    match: str = answer.json()["match"]
    page.goto(f"/#/mesa/{match}")
    wait_for_move(page)
    return match


def sit_at(page: Page, game: str, start: dict[str, Any]) -> None:
    """At a position of one's own, against a bot."""
    start_match(page, game, start=start)


def trenches(mine: list[str], theirs: list[str]) -> dict[str, Any]:
    """The tour's position with other sequences; what they need comes from the stock."""
    start: dict[str, Any] = copy.deepcopy(PLANS["trincheira"]["start"])
    start["stock"] += [card for side in start["sequences"] for one in side for card in one["cards"]]
    start["sequences"] = [[{"cards": one.split(), "guard": None} for one in side] for side in (mine, theirs)]
    for card in " ".join(mine + theirs).split():
        start["stock"].remove(card)
    return start
