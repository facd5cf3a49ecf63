"""Every page on every screen, in both languages, for everybody."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from web.conftest import ROOT, NewPage
from web.visit import GAMES, sit_down, wait_for_move

PHONE = {"width": 360, "height": 640}
TABLET = {"width": 820, "height": 1180}
DESKTOP = {"width": 1280, "height": 800}

TOO_SMALL = """() => [...document.querySelectorAll("button, a[href], input, select")]
  .filter((node) => !node.disabled && node.getClientRects().length)
  .map((node) => [node.getAttribute("aria-label") || node.textContent.trim(), node.getBoundingClientRect()])
  .filter(([, box]) => box.width < 39.5 || box.height < 39.5)
  .map(([name, box]) => `${name} ${Math.round(box.width)}x${Math.round(box.height)}`)"""


def check_screen(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]
    assert page.evaluate(TOO_SMALL) == []


@pytest.mark.parametrize("size", [PHONE, TABLET, DESKTOP], ids=["phone", "tablet", "desktop"])
def test_no_page_scrolls_sideways_and_everything_can_be_touched(new_page: NewPage, size: dict[str, int]) -> None:
    page = new_page(viewport=size)
    page.goto("/")
    page.locator("[data-play]").first.wait_for()
    check_screen(page)
    for game in GAMES:
        sit_down(page, game)
        wait_for_move(page)
        check_screen(page)


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


def axe(page: Page) -> list[str]:
    """What axe finds wrong on the page, for WCAG 2.2 AA."""
    source = Path(os.environ.get("AXE", ROOT / "web/node_modules/axe-core/axe.min.js"))
    if not source.is_file():
        pytest.skip("axe-core is not installed: npm ci in web/")
    page.evaluate(source.read_text())
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
    found = page.evaluate("tags => axe.run(document, {runOnly: tags})", tags)
    return [f"{one['id']}: {node['target']}" for one in found["violations"] for node in one["nodes"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_read_and_use_every_page(new_page: NewPage, scheme: str) -> None:
    page = new_page(color_scheme=scheme)
    page.goto("/")
    page.locator("[data-play]").first.wait_for()
    assert axe(page) == []
    page.goto("/#/regras/trincheira")
    page.locator(".book").wait_for()
    assert axe(page) == []
    for game in GAMES:
        sit_down(page, game)
        wait_for_move(page)
        assert axe(page) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_open_beside_the_table(new_page: NewPage, game: str) -> None:
    page = new_page()
    sit_down(page, game)
    page.get_by_role("button", name="Regras").click()
    expect(page.locator("dialog[open] .book")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
