"""Every page on every screen, in both languages, for everybody."""

import random
import re

import pytest
from playwright.sync_api import Browser, Page, expect
from web.checks import COVERED, TWO_FRAMES, axe, check
from web.conftest import NewPage
from web.house import House
from web.visit import (
    DESKTOP,
    GAMES,
    PHONE,
    legal,
    play_some,
    resign,
    sit_down,
    wait_for_move,
    wait_for_turn,
)

SQUEEZE = """() => {
  for (const node of document.querySelectorAll("*")) {
    const {overflowX, overflowY} = getComputedStyle(node);
    if (!/auto|scroll/.test(overflowX + overflowY)) continue;
    for (const side of ["width", "height"]) node.style.setProperty(side, "40px", "important");
  }
}"""


@pytest.mark.parametrize("game", GAMES)
def test_every_table_in_mid_game_is_for_everybody(new_page: NewPage, game: str) -> None:
    page, dice = new_page(), random.Random(f"{game} 1")
    assert any(play_some(page, game, dice) for _ in range(5))
    check(page)


def on_a_phone(new_page: NewPage, game: str) -> Page:
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True)
    sit_down(page, game)
    return page


def play_towards(page: Page, dice: random.Random, verbs: tuple[str, ...]) -> None:
    """One move of those, if there is one, without opening the list, which would cover the table."""
    moves = [move for move in legal(page) if move != "stop"]
    move = dice.choice([move for move in moves if move.startswith(verbs)] or moves)
    page.locator(f'[data-move="{move}"]').dispatch_event("click")


@pytest.mark.parametrize("game", GAMES)
def test_a_finger_hits_whatever_may_be_touched(new_page: NewPage, game: str) -> None:
    page, dice = on_a_phone(new_page, game), random.Random(f"{game} 2")
    for turn in range(24):
        if not wait_for_turn(page):
            break
        if turn % 8 == 7:
            assert page.evaluate(COVERED) == [], turn
        play_towards(page, dice, ("lay", "draw", "plant"))


def test_the_end_and_the_replay_are_for_everybody(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "trincheira")
    wait_for_move(page)
    resign(page)
    page.get_by_role("button", name="Conferir").click()
    expect(page.locator(".proof li").first).to_be_visible()
    check(page)
    page.get_by_role("link", name="Rever").click()
    page.locator(".reel").wait_for()
    page.keyboard.press("End")
    check(page)


def test_the_other_pages_are_for_everybody(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    page.locator("[data-play]").first.wait_for()
    check(page)
    page.locator('[data-friends="neon-one"]').click()
    check(page)
    page.get_by_role("button", name="Criar a mesa e convidar").click()
    page.get_by_label("Link do convite").wait_for()
    check(page)
    there = {"regras/trincheira": ".book", "dia/repeat-poker": "table", "aprender/trincheira": ".tour"}
    for address, found in there.items():
        page.goto(f"/#/{address}")
        page.locator(found).wait_for()
        check(page)


@pytest.mark.parametrize("game", GAMES)
def test_what_scrolls_can_be_reached_by_a_keyboard_even_where_nothing_can_be_touched(
    new_page: NewPage, game: str
) -> None:
    """All that may scroll is made so small that it does: in play that depends on the deal."""
    page = new_page(viewport=PHONE)
    sit_down(page, game)
    wait_for_move(page)
    resign(page)
    page.get_by_role("link", name="Rever").click()
    page.locator(".reel").wait_for()
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.evaluate(SQUEEZE)
        page.evaluate(TWO_FRAMES)
        assert axe(page, ("scrollable-region-focusable",)) == []


def fill(page: Page, game: str, players: int) -> None:
    """A table with so many seats and every aid."""
    page.goto("/")
    page.locator(f'li:has([data-play="{game}"]) .gear').click()
    page.get_by_label("Jogadores").select_option(str(players))
    for aid in page.locator("dialog[open] [type=checkbox]").all():
        aid.check()
    page.locator("dialog[open]").get_by_role("button", name="Jogar agora").click()
    wait_for_move(page)


@pytest.mark.parametrize(("game", "players"), [("neon-one", 10), ("menor-soma", 8), ("arboretum", 4)])
def test_a_full_table_with_every_aid_fits_every_screen(new_page: NewPage, game: str, players: int) -> None:
    page = new_page()
    fill(page, game, players)
    page.locator("[data-move]").first.evaluate("node => node.click()")  # so that all one's places can be touched
    assert wait_for_turn(page)
    check(page)


def test_ten_open_hands_leave_the_reel_to_be_touched(new_page: NewPage) -> None:
    page = new_page(viewport={"width": 360, "height": 560})
    fill(page, "neon-one", 10)
    resign(page)
    page.get_by_role("link", name="Rever").click()
    page.get_by_role("button", name="Próxima jogada").click()
    expect(page.locator(".reel .count")).to_have_text(re.compile("^1 /"))


def test_english_is_one_click_away(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    expect(page.get_by_role("heading", name="Escolha uma mesa")).to_be_visible()
    page.get_by_role("button", name="change to English").click()
    expect(page.get_by_role("heading", name="Choose a table")).to_be_visible()
    page.locator('[data-play="trincheira"]').click()
    wait_for_move(page)
    assert page.locator("[data-move]").first.text_content() is not None
    expect(page.locator(".log")).to_contain_text("The cards were dealt.")
    page.get_by_role("button", name="Rules").click()
    expect(page.locator(".book h1")).to_have_text("Trincheira")
    expect(page.locator(".book")).to_contain_text("sequence")


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_open_beside_the_table(new_page: NewPage, game: str) -> None:
    page = new_page()
    sit_down(page, game)
    page.get_by_role("button", name="Regras").click()
    expect(page.locator("dialog[open] .book")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_wherever_one_reads_in_the_rules_they_can_be_closed(new_page: NewPage, size: dict[str, int]) -> None:
    page = new_page(viewport=size)
    sit_down(page, "trincheira")
    wait_for_move(page)
    page.get_by_role("button", name="Regras").click()
    sheet, turn = page.locator("dialog[open]"), page.locator("dialog[open] h2").filter(has_text="A sua vez")
    turn.wait_for()
    assert sheet.evaluate("node => node.scrollTop") > 100  # opened at the part that matters now
    box, cross, heading = (one.bounding_box() for one in (sheet, sheet.get_by_role("button", name="Fechar"), turn))
    assert box and cross and heading and box["y"] <= cross["y"] < cross["y"] + cross["height"] <= heading["y"]
    assert size is DESKTOP or box["width"] == size["width"]
    sheet.get_by_role("button", name="Fechar").click()
    expect(sheet).to_have_count(0)


def test_it_can_be_installed_and_its_shell_opens_without_a_network(browser: Browser, house: House) -> None:
    context = browser.new_context(base_url=house.address, locale="pt-BR")  # its console complains of the network
    page = context.new_page()
    page.goto("/")
    manifest = page.request.get(page.locator("link[rel=manifest]").get_attribute("href") or "").json()
    assert manifest["start_url"] == "/" and {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}
    for icon in manifest["icons"]:
        found = page.request.get(icon["src"])
        assert found.ok and found.headers["content-type"] == icon["type"]
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    context.set_offline(True)
    page.reload()
    expect(page.get_by_role("heading", name="Escolha uma mesa")).to_be_visible()
    expect(page.get_by_role("alert").filter(has_text="Sem contato com a casa")).to_be_visible()
    context.close()
