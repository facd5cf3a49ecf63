"""What is shown where there is little room, and what stays in sight of what happened before."""

import copy
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from web.conftest import NewPage
from web.test_pages import COVERED, TWO_FRAMES
from web.test_tables import tables_of
from web.test_tours import PLANS
from web.visit import GAMES, PHONE, TABLET, legal, resign, sit_down, wait_for_move, wait_for_turn

FINGER = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


def begin(page: Page, game: str, seats: int = 2, **wanted: Any) -> str:
    """A match of one's own making, against bots."""
    page.request.post("/api/me", data={"name": "Bia"})
    places = [{"kind": "me"}] + [{"kind": "bot", "level": "aprendiz"}] * (seats - 1)
    made = {"game": game, "options": PLANS[game]["options"], "places": places, "drawn": False, **wanted}
    answer = page.request.post("/api/matches", data=made)
    assert answer.ok, answer.text()
    match: str = answer.json()["match"]
    page.goto(f"/#/mesa/{match}")
    wait_for_move(page)
    return match


def trenches(mine: list[str], theirs: list[str]) -> dict[str, Any]:
    """The tour's position with other sequences; what they need comes from the stock."""
    start: dict[str, Any] = copy.deepcopy(PLANS["trincheira"]["start"])
    start["stock"] += [card for side in start["sequences"] for one in side for card in one["cards"]]
    start["sequences"] = [[{"cards": one.split(), "guard": None} for one in side] for side in (mine, theirs)]
    for card in " ".join(mine + theirs).split():
        start["stock"].remove(card)
    return start


def choose(page: Page, *verbs: str) -> None:
    """The first move of those verbs, or of any, without opening the list."""
    moves = legal(page)
    move = next((move for verb in verbs for move in moves if move.split()[0] == verb), moves[0])
    page.locator(f'[data-move="{move}"]').dispatch_event("click")


def is_reveal(frame: dict[str, Any]) -> bool:
    table = frame["table"]
    return bool(table["last"]) and table["phase"] == "draw" and table["turns"] == 0


def test_a_replay_of_menor_soma_hides_its_table_only_where_a_round_has_just_ended(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    tables = tables_of(page)
    match = begin(page, "menor-soma", options={"players": 2, "limit": 100, "memory_aid": True})
    while tables[-1]["table"]["round"] < 3 or not tables[-1]["table"]["turns"]:
        assert wait_for_turn(page)
        choose(page, "stop" if tables[-1]["table"]["round"] < 3 else "pass")
    resign(page)
    with page.expect_response(lambda answer: "/replay?" in answer.url) as answered:
        page.goto(f"/#/replay/{match}")
    frames = answered.value.json()["frames"]
    assert sum(map(is_reveal, frames)) == 2
    for at, frame in enumerate(frames):
        expect(page.locator(".count")).to_contain_text(f"{at} / ")
        expect(page.locator(".reveal")).to_have_count(int(is_reveal(frame)))
        expect(page.locator(".places")).to_have_count(int(not is_reveal(frame)))
        page.keyboard.press("ArrowRight")
    page.get_by_label("Ir para a jogada").fill(str([*map(is_reveal, frames)].index(True)))
    button, reel = page.locator(".reveal .next").bounding_box(), page.locator(".reel").bounding_box()
    assert button is not None and reel is not None
    assert button["y"] + button["height"] <= reel["y"]
    page.locator(".reveal .next").click()
    expect(page.locator(".places")).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
@pytest.mark.parametrize("game", GAMES)
def test_ones_clock_is_in_sight_and_nothing_lies_over_it(new_page: NewPage, game: str, size: dict[str, int]) -> None:
    page = new_page(viewport=size)
    seats = 1 if game == "repeat-poker" else PLANS[game]["options"].get("players", 2)
    begin(page, game, seats, clock={"kind": "match", "seconds": 300})
    clock = page.locator("main").get_by_role("timer").filter(visible=True)
    expect(clock).to_have_text(re.compile(r"^[45]:\d\d$"))
    lies_bare = """node => {
      const {left, right, top, bottom} = node.getBoundingClientRect();
      return [left + 1, right - 1].every((x) => document.elementFromPoint(x, (top + bottom) / 2) === node);
    }"""
    assert clock.evaluate(lies_bare)


@pytest.mark.parametrize("game", GAMES)
def test_in_a_low_window_a_table_keeps_its_height_and_can_be_scrolled(new_page: NewPage, game: str) -> None:
    """A phone on its side; a desktop's page enlarged twice is not lower."""
    page = new_page(viewport={"width": 640, "height": 360})
    sit_down(page, game)
    wait_for_move(page)
    assert page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [640, 680]
    assert page.evaluate(COVERED) == []
    for part in page.locator("main .hand, main .places, main .board, main .garden").all():
        part.scroll_into_view_if_needed()
        expect(part).to_be_in_viewport(ratio=0.5)


def test_a_question_leaves_the_fields_of_trincheira_where_they_are(new_page: NewPage) -> None:
    page = new_page(**FINGER)
    begin(page, "trincheira", start=trenches(["5h 6h 7h", "9d 10d"], ["As 2s 3s", "Qh"]))
    trench, seat = page.locator(".trench"), page.locator(".own .seat")
    before = trench.bounding_box()
    page.locator(".mine .strip:enabled").last.dispatch_event("click")
    expect(page.get_by_role("button", name="recuperar", exact=True)).to_be_visible()
    assert trench.bounding_box() == before
    field, bar = page.locator(".mine .field").bounding_box(), seat.bounding_box()
    assert field is not None and bar is not None
    assert field["y"] + field["height"] <= bar["y"]


def test_a_fan_that_was_laid_out_gives_the_focus_back_and_goes_when_one_touches_elsewhere(new_page: NewPage) -> None:
    page = new_page(**{**FINGER, "viewport": {"width": 360, "height": 560}})
    begin(page, "trincheira", start=trenches(["Ac 2c 3c 4c 5c 6c 7c 8c 9c 10c Jc Qc Kc", "9h 10h"], ["As 2s 3s", "Qh"]))
    spread, strip = page.locator(".spread"), page.locator(".mine .strip").nth(2)

    def touch() -> None:
        box = strip.bounding_box()
        assert box is not None
        page.touchscreen.tap(box["x"] + 20, box["y"] + 3)
        expect(spread).to_be_visible()

    touch()
    box, enemy = spread.bounding_box(), page.locator(".enemy .field").bounding_box()
    assert box is not None and enemy is not None
    assert box["y"] >= enemy["y"] + enemy["height"]
    page.keyboard.press("Escape")
    expect(spread).to_have_count(0)
    expect(strip).to_be_focused()
    touch()
    spread.get_by_role("button", name="Cancelar").tap()
    expect(strip).to_be_focused()
    touch()
    page.touchscreen.tap(enemy["x"] + enemy["width"] - 4, enemy["y"] + 4)
    expect(spread).to_have_count(0)
    touch()
    spread.get_by_role("button").nth(4).tap()
    expect(spread).to_have_count(0)
    expect(strip).to_be_focused()


def test_the_gardens_of_arboretum_say_in_the_end_what_the_result_says(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    tables = tables_of(page)
    begin(page, "arboretum", start=PLANS["arboretum"]["start"])
    while wait_for_turn(page):
        choose(page, "deck")
    totals = [str(one["total"]) for one in tables[-1]["table"]["account"]["players"]]
    assert page.locator(".tabs b").all_inner_texts() == totals


def test_more_species_than_fit_on_a_phone_fade_at_the_edge(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    begin(page, "arboretum", 4, options={"players": 4})
    chips = page.locator(".chips")
    expect(chips).to_have_attribute("data-more-right", "")
    assert "gradient" in chips.evaluate("node => getComputedStyle(node).maskImage")
    chips.evaluate("node => node.scrollTo(999, 0)")
    page.evaluate(TWO_FRAMES)
    expect(chips).to_have_attribute("data-more-left", "")
    expect(chips).not_to_have_attribute("data-more-right", "")


def test_eight_at_menor_soma_sit_in_two_rows_as_high_as_their_cards(new_page: NewPage) -> None:
    page = new_page(viewport=TABLET)
    begin(page, "menor-soma", 8, options={"players": 8, "limit": 100, "memory_aid": True})
    heights = {round(one.bounding_box()["height"]) for one in page.locator(".other").all()}  # type: ignore[index]
    assert max(heights) < 160
