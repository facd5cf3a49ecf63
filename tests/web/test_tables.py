"""The five tables, played to their ends; what is shown of a move, and what must not happen. (The tours play each table
by finger, by dragging and by keyboard alone: test_tours.py.)"""

import random

import pytest
from playwright.sync_api import expect
from web.checks import compare, tables_of
from web.conftest import NewPage
from web.matches import start_match
from web.tours import ON_THE_TABLE, PLANS, begin_tour, expect_step
from web.visit import (
    DESKTOP,
    GAMES,
    PHONE,
    Choose,
    fling,
    legal,
    open_moves,
    play,
    sit_down,
    swipe,
    tab_to,
    wait_for_move,
    wait_for_turn,
)


def in_a_hurry(dice: random.Random) -> Choose:
    """At random, but with what brings the end nearer."""

    def choose(moves: list[str]) -> str:
        hasty = [move for move in moves if move.split()[0] in ("stop", "buy", "deck", "draw", "decline")]
        return dice.choice(hasty or moves)

    return choose


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_to_its_end_and_the_page_never_gets_what_its_seat_may_not_know(
    new_page: NewPage, game: str
) -> None:
    page = new_page(viewport=PHONE if game in ("neon-one", "repeat-poker") else DESKTOP)
    got = tables_of(page)
    sit_down(page, game)
    if page.viewport_size == PHONE:
        page.get_by_role("group", name="Ajudas").get_by_role("button", name="Jogadas").click()
    else:
        open_moves(page)
    choose = in_a_hurry(random.Random(game))
    for _ in range(800):
        if not wait_for_turn(page):
            break
        play(page, choose)
    expect(page.locator("dialog[open]")).to_be_visible()
    compare(page, got, game)
    page.get_by_role("button", name="Conferir").click()
    expect(page.locator(".proof li").filter(has_text="✓")).to_have_count(7)
    expect(page.locator(".proof .bad")).to_have_count(0)


SHIFTS = """window.shift = 0;
new PerformanceObserver((list) => { for (const one of list.getEntries()) window.shift += one.value; })
  .observe({type: "layout-shift", buffered: true});"""
MOST = 0.1  # of the screen, times how far it went; mostly under 0.03, but what a bot does in between counts too


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_nothing_jumps_when_a_card_is_played(new_page: NewPage, game: str, size: dict[str, int]) -> None:
    """All shifts count, those right after a click too."""
    page = new_page(viewport=size, reduced_motion="no-preference")
    page.add_init_script(SHIFTS)
    begin_tour(page, game)
    for n, (clicks, _) in enumerate(ON_THE_TABLE[game]):
        expect_step(page, game, n)
        for selector in clicks[:-1]:
            page.locator(selector).first.click()
        page.evaluate("window.shift = 0")
        page.locator(clicks[-1]).first.click()
        expect_step(page, game, n + 1)
        if page.get_by_role("button", name="Resultado").count():
            break  # all hands are opened, and that may take room
        page.wait_for_timeout(350)  # until what flies has landed
        assert page.evaluate("window.shift") < MOST, f"step {n + 1}"


def test_the_last_move_is_marked_and_a_past_line_shows_the_table_as_it_was(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "repeat-poker")
    for cell in ("b2", "c3"):
        page.locator(f'[data-drop="{cell}"]').click()
        expect(page.locator(f'[data-drop="{cell}"]')).to_have_count(0)
    expect(page.locator(".cell.last")).to_have_count(1)
    expect(page.locator(".cell:has([data-card])")).to_have_count(2)
    page.locator(".log button").nth(1).click()
    expect(page.locator(".cell:has([data-card])")).to_have_count(1)
    expect(page.locator("[data-move]")).to_have_count(0)
    page.get_by_role("button", name="Voltar ao jogo").click()
    expect(page.locator(".cell:has([data-card])")).to_have_count(2)


def test_who_looks_at_the_past_of_a_garden_is_still_told_that_it_is_his_turn(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "arboretum")
    open_moves(page)
    for _ in range(4):
        wait_for_turn(page)
        play(page, lambda legal: legal[0])
    wait_for_turn(page)
    page.locator(".log button").filter(has_text="Você descartou").first.click()  # then it was the other's
    page.set_viewport_size(PHONE)
    expect(page.get_by_role("button", name="Voltar ao jogo")).to_be_visible()
    expect(page.locator(".tabs .turn")).to_contain_text("sua vez")


def test_a_wrong_drop_goes_back_and_says_why(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "repeat-poker")
    wait_for_move(page)
    card = page.locator(".shown")
    before = card.bounding_box()
    assert before is not None
    page.mouse.move(before["x"] + 40, before["y"] + 40)
    page.mouse.down()
    page.mouse.move(before["x"] + 60, before["y"] + 420, steps=5)
    page.mouse.up()
    expect(page.get_by_role("alert").filter(has_text="Solte a carta")).to_be_visible()
    page.wait_for_timeout(300)
    assert card.bounding_box() == before
    assert len(legal(page)) == 25


@pytest.mark.parametrize("game", GAMES)
def test_a_quick_drag_plays_like_a_slow_one_and_no_card_hangs_on_a_pointer_without_a_button(
    new_page: NewPage, game: str
) -> None:
    page = new_page()
    begin_tour(page, game)
    for n, (clicks, dragged) in enumerate(ON_THE_TABLE[game]):
        expect_step(page, game, n)
        if dragged is None:
            for selector in clicks:
                page.locator(selector).first.click()
            continue
        card = page.locator(dragged[0]).first
        box = card.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + 16, box["y"] + 20)
        page.mouse.down()
        page.mouse.move(640, 20)  # on the bar
        expect(page.locator(".dragged")).to_have_count(1)
        page.mouse.up()
        expect(page.get_by_role("alert").filter(has_text="Solte")).to_be_visible()
        page.mouse.move(box["x"] + 16, box["y"] + 20, steps=2)
        page.mouse.move(box["x"] + 40, box["y"] + 60, steps=2)
        expect(page.locator(".dragged")).to_have_count(0)
        fling(page, card, dragged[1])
        expect_step(page, game, n + 1)
        break


def test_a_finger_scrolls_a_hand_that_is_too_wide_and_is_not_told_where_to_drop(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True)
    sit_down(page, "trincheira")
    wait_for_move(page)
    hand = page.locator(".hand")
    assert hand.evaluate("node => node.scrollWidth - node.clientWidth") > 0
    swipe(page, page.locator(".hand button:not(:disabled)").nth(3), -100)
    expect(hand).to_have_js_property("scrollLeft", hand.evaluate("node => node.scrollWidth - node.clientWidth"))
    assert page.locator(".toast.on, .picked").count() == 0


def test_the_second_click_of_a_double_one_makes_no_move_of_its_own(new_page: NewPage) -> None:
    """The cards of a row that closes leave, and the next card, which nobody has seen, could go there."""
    page = new_page()
    start_match(page, "repeat-poker", 1, start=PLANS["repeat-poker"]["start"])
    page.locator('[data-drop="a3"]').dblclick(delay=150)
    wait_for_move(page)
    page.wait_for_timeout(400)
    expect(page.locator(".dock .stock b")).to_have_text("37")
    page.locator('[data-drop="a3"]').click()
    expect(page.locator(".dock .stock b")).to_have_text("36")


def test_a_card_whose_release_nobody_heard_is_put_back(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "repeat-poker")
    wait_for_move(page)
    page.locator(".shown").hover()
    page.mouse.down()
    page.mouse.move(640, 400)
    expect(page.locator(".dragged")).to_have_count(1)
    page.locator(".shown").dispatch_event("lostpointercapture", {"pointerId": 1})
    expect(page.locator(".dragged")).to_have_count(0)
    page.mouse.move(640, 420)
    expect(page.locator(".dragged")).to_have_count(0)
    assert len(legal(page)) == 25


def test_arrows_lead_through_the_grid_of_repeat_poker(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "repeat-poker")
    wait_for_move(page)
    tab_to(page, "[data-drop=a1]")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator('[data-drop="b2"]')).to_have_count(0)


# How many arrows it takes from what has the focus to each control of the table that can be used.
ARROWS_TO_ALL = """() => {
    const begun = document.activeElement;
    const far = new Map([[begun, 0]]);
    for (const [from, steps] of far)
        for (const key of ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]) {
            from.focus();
            from.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
            if (!far.has(document.activeElement)) far.set(document.activeElement, steps + 1);
        }
    begun.focus();
    const usable = document.querySelectorAll("main.table button:not(:disabled, [aria-disabled=true], .tools *)");
    return [...usable].filter((one) => one.checkVisibility()).map((one) => far.get(one) ?? 99);
}"""


@pytest.mark.parametrize(
    ("game", "before", "held"), [("trincheira", 0, ".hand button"), ("arboretum", 2, ".hand .held")]
)
def test_a_few_arrows_lead_from_a_picked_card_to_wherever_it_may_go(
    new_page: NewPage, game: str, before: int, held: str
) -> None:
    page = new_page()
    sit_down(page, game)
    open_moves(page)
    for _ in range(before):
        assert wait_for_turn(page)
        play(page, lambda moves: "deck")
    assert wait_for_turn(page)
    page.locator(f"{held}:enabled").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("main.table .picked").first).to_be_visible()
    presses = page.evaluate(ARROWS_TO_ALL)
    assert len(presses) > 3
    assert max(presses) < 10


def test_a_picked_card_can_be_put_back(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "trincheira")
    wait_for_move(page)
    tab_to(page, '.hand button:not(:has([aria-label="coringa"]))')
    page.keyboard.press("Enter")
    expect(page.locator(".newplace")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".newplace")).to_have_count(0)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Cancelar").click()
    expect(page.locator(".newplace")).to_have_count(0)


def test_a_garden_is_enlarged_and_made_to_fit_again(new_page: NewPage) -> None:
    page = new_page()
    begin_tour(page, "arboretum")
    tree = page.locator(".mine .plant").first
    before = tree.bounding_box()
    for _ in range(6):
        page.get_by_role("button", name="Aproximar").click()
    near = tree.bounding_box()
    assert before and near and near["width"] > 2 * before["width"]
    page.get_by_role("button", name="Ver o jardim todo").click()
    assert tree.bounding_box() == before
