"""Whoever plays by keyboard stays at the table: the control of a move goes away with it, but not the focus."""

import pytest
from playwright.sync_api import Page, expect
from web.conftest import NewPage
from web.matches import start_match
from web.tours import ON_THE_TABLE, begin_tour, expect_step, play_to_the_end
from web.visit import GAMES, accept, invite, open_moves, sit_down, tab_to, wait_for_move

AT_THE_TABLE = "main.table button:enabled:not(.tools *):focus"


def use(page: Page, selector: str) -> None:
    page.locator(selector).first.wait_for(state="attached")
    if not page.evaluate("selector => document.activeElement.matches(selector)", selector):
        tab_to(page, selector)
    page.keyboard.press("Enter")


@pytest.mark.parametrize("game", GAMES)
def test_after_each_move_the_focus_is_on_a_control_of_the_next(new_page: NewPage, game: str) -> None:
    page = new_page()
    begin_tour(page, game)
    steps = ON_THE_TABLE[game]
    for n, (clicks, _) in enumerate(steps):
        expect_step(page, game, n)
        for selector in clicks:
            use(page, selector)
        expect_step(page, game, n + 1)
        if n + 1 < len(steps):
            expect(page.locator(AT_THE_TABLE)).to_have_count(1)


def test_where_a_lane_has_room_the_focus_stays_in_it(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "repeat-poker")
    use(page, "[data-drop=c2]")
    expect(page.locator("[data-drop=c3]")).to_be_focused()


def test_a_reveal_that_lies_over_the_table_is_put_away_and_the_turn_goes_on(new_page: NewPage) -> None:
    page = new_page()
    start_match(page, "menor-soma", options={"players": 2, "limit": 1000, "memory_aid": False})
    for selector in (".pile.target", '[data-drop="discard"].target', ".big.stop:enabled"):
        use(page, selector)
    expect(page.locator(".reveal .next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(AT_THE_TABLE)).to_have_count(1)


def test_in_the_list_of_moves_it_is_on_the_first_of_them_again(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "repeat-poker")
    open_moves(page)
    for left, move in (24, "e5"), (23, "d4"):
        use(page, f"[data-move={move}]")
        expect(page.locator("[data-move]")).to_have_count(left)
        expect(page.locator("[data-move]").first).to_be_focused()


def test_whoever_plays_with_a_pointer_finds_no_focus_moved(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "repeat-poker")
    for cell in ("a1", "b2"):
        page.locator(f'[data-drop="{cell}"]').click()
        expect(page.locator(f'[data-drop="{cell}"]')).to_have_count(0)
        wait_for_move(page)
    page.wait_for_timeout(100)
    assert page.evaluate("document.activeElement === document.body")


def test_what_is_read_in_a_sheet_keeps_the_focus_when_ones_turn_comes(new_page: NewPage) -> None:
    bia, caio = new_page(), new_page()
    accept(caio, invite(bia, "menor-soma", "Bia"), "Caio")
    for page in (bia, caio):
        page.locator(".places").wait_for()
    first, second = (bia, caio) if bia.locator(".pile.target").count() else (caio, bia)
    passing = (".pile.target", '[data-drop="discard"].target', ".big:enabled:not(.stop)")
    for selector in (*passing, '[aria-label="Regras"]'):
        use(first, selector)
    second.locator(".pile.target").first.click()
    second.locator('[data-drop="discard"].target').click()
    second.get_by_role("button", name="Passar").click()
    expect(first.locator(".pile.target").first).to_be_attached()
    assert first.evaluate("document.activeElement.closest('dialog[open]') !== null")
    first.keyboard.press("Escape")
    expect(first.get_by_role("button", name="Regras")).to_be_focused()


def test_when_the_end_is_read_and_closed_the_focus_is_where_it_opens_again(new_page: NewPage) -> None:
    page = new_page()
    play_to_the_end(page)
    page.locator("dialog[open]").wait_for()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Resultado")).to_be_focused()
