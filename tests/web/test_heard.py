"""What a player hears who sees nothing of the table, and where his keyboard takes him."""

import copy
from typing import Any

from playwright.sync_api import Page, expect
from web.conftest import NewPage
from web.matches import sit_at, start_match, trenches
from web.tours import PLANS
from web.visit import PHONE, sit_down, tab_to, wait_for_move

# Writes down each sentence that the table says.
WATCH = """() => {
  window.told = [];
  const line = document.querySelector(".dock .ask");
  const watch = new MutationObserver(() => told.push(line.textContent));
  watch.observe(line, { characterData: true, subtree: true, childList: true });
}"""


def guarded(theirs: tuple[str, bool]) -> dict[str, Any]:
    """One sequence each; the enemy's has that guard, face up or down."""
    start = trenches(["5h 6h"], ["3c 4c"])
    card, is_up = theirs
    start["sequences"][1][0]["guard"] = {"card": card, "revealed": is_up}
    start["stock"].remove(card)
    return start


def test_a_guard_is_heard_and_whether_it_lies_face_down(new_page: NewPage) -> None:
    page = new_page()
    lane = page.locator(".field.enemy")
    sit_at(page, "trincheira", guarded(("6c", False)))
    expect(lane).to_contain_text("guardavirada para baixo", use_inner_text=False)
    sit_at(page, "trincheira", guarded(("Qs", True)))
    expect(lane).to_contain_text("guardaà vista:", use_inner_text=False)


def test_the_next_card_to_place_is_told(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "repeat-poker")
    told = page.locator("h2[aria-live=polite]")
    before = told.inner_text()
    page.locator('[data-drop="a1"]').click()
    expect(told).not_to_have_text(before)
    expect(told).to_contain_text("?")


def test_a_garden_says_where_each_tree_stands(new_page: NewPage) -> None:
    page = new_page()
    start = copy.deepcopy(PLANS["arboretum"]["start"])
    sit_at(page, "arboretum", start)
    for one in start["gardens"][0]:
        expect(page.locator(".mine .plant").filter(has_text=f"({one['x']}, {one['y']})")).to_have_count(1)


def test_while_a_move_is_on_its_way_nothing_is_asked_for_that_is_done(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "arboretum")
    wait_for_move(page)
    page.evaluate(WATCH)
    for _ in range(2):
        before = page.locator("button.held").count()
        page.locator("button.pile.target").first.click()
        expect(page.locator("button.held")).to_have_count(before + 1)
    page.locator("button.held[aria-disabled=false]").first.click()
    page.locator("button.spot").first.click()
    wait_for_move(page, '[data-move^="discard"]')
    told = page.evaluate("told")
    assert told == list(dict.fromkeys(told)), told


def test_who_is_asked_whether_he_is_sure_stands_at_the_safe_answer(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "repeat-poker")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Desistir").press("Enter")
    expect(page.get_by_role("button", name="Continuar jogando")).to_be_focused()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_be_visible()


def test_a_part_of_the_rules_is_read_on_from_its_heading(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/#/regras/trincheira")
    page.get_by_role("navigation").get_by_role("button", name="Opções").press("Enter")
    expect(page.get_by_role("heading", name="Opções")).to_be_focused()


def test_who_opens_the_drawer_of_a_phone_by_keyboard_goes_on_in_it_and_comes_back(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    sit_down(page, "repeat-poker")
    ticker = page.locator(".ticker")
    ticker.press("Enter")
    expect(page.locator(".side .close")).to_be_focused()
    page.keyboard.press("Enter")
    expect(ticker).to_be_focused()


def picked_by_keyboard(page: Page) -> None:
    """A diamond of the hand: in the tour's position it buys one card or several."""
    start_match(page, "trincheira", start=PLANS["trincheira"]["start"])
    tab_to(page, "main.table .hand button:enabled")
    page.keyboard.press("Enter")
    page.locator("[data-drop].target, .target[data-drop], .target [data-drop]").first.wait_for()


def test_in_the_first_turn_too_a_choice_that_is_dropped_leaves_the_focus_at_the_table(new_page: NewPage) -> None:
    page = new_page()
    picked_by_keyboard(page)
    tab_to(page, "main.table [data-drop]:enabled")
    page.keyboard.press("Escape")
    expect(page.locator("main.table button:enabled:focus")).to_have_count(1)
