"""What a visitor does at the page."""

from collections.abc import Callable

from playwright.sync_api import Locator, Page

GAMES = ("trincheira", "menor-soma", "arboretum", "neon-one", "repeat-poker")

Choose = Callable[[list[str]], str]


def sit_down(page: Page, game: str) -> None:
    """From the front door to the table, with one click."""
    page.goto("/")
    page.locator(f'[data-play="{game}"]').click()
    page.locator("[data-moves]").wait_for(state="attached")


def open_moves(page: Page) -> None:
    toggle = page.locator("[data-moves]")
    if toggle.get_attribute("aria-expanded") == "false":
        toggle.evaluate("node => node.click()")


def wait_for_move(page: Page, selector: str = "[data-move]") -> None:
    """Until such a move is legal. (Functions in the page are no way to wait: its policy lets nobody evaluate text.)"""
    page.locator(selector).first.wait_for(state="attached")


def wait_for_turn(page: Page) -> bool:
    """Whether there is a turn; else the match is over."""
    page.locator("[data-move], dialog[open]").first.wait_for(state="attached")
    return page.locator("dialog[open]").count() == 0


def legal(page: Page) -> list[str]:
    return page.eval_on_selector_all("[data-move]", "nodes => nodes.map(node => node.dataset.move)")


def play(page: Page, choose: Choose) -> str:
    """Clicks one button of the move list; it empties at once, and fills again when it is one's turn."""
    move = choose(legal(page))
    page.locator(f'[data-move="{move}"]').click()
    return move


def drag(page: Page, what: Locator, where: str) -> None:
    """With the mouse, in steps, to a target that may light up only on the way."""
    start = what.bounding_box()
    assert start is not None
    x, y = start["x"] + 16, start["y"] + start["height"] / 3  # in a fan only a strip of it may be free
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 12, y - 12, steps=3)
    target = page.locator(f'[data-drop="{where}"]').first.bounding_box()
    assert target is not None, where
    page.mouse.move(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2, steps=6)
    page.mouse.up()


def tab_to(page: Page, selector: str) -> None:
    """By the keyboard alone."""
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return
    raise AssertionError(f"the keyboard does not get to {selector}")
