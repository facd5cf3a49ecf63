"""What a visitor does at the page."""

import random
import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, WebSocketRoute, expect

from carteado.rules import GAMES as REGISTER

GAMES = tuple(REGISTER)
PHONE = {"width": 360, "height": 640}
TABLET = {"width": 820, "height": 1180}
DESKTOP = {"width": 1280, "height": 800}

Choose = Callable[[list[str]], str]


class Line:
    """A page's socket, which can fail. (To be offline leaves one that is open as it is.)"""

    def __init__(self, page: Page) -> None:
        self._is_cut, self._ends = False, list[WebSocketRoute]()
        page.route_web_socket(re.compile("/ws$"), self._between)

    def _between(self, client: WebSocketRoute) -> None:
        if self._is_cut:
            return client.close()
        server = client.connect_to_server()
        client.on_message(lambda message: None if self._is_cut else server.send(message))
        server.on_message(lambda message: None if self._is_cut else client.send(message))
        self._ends = [client, server]

    def hang(self) -> None:
        """Nothing gets through, and nobody is told."""
        self._is_cut = True

    def cut(self) -> None:
        self._is_cut = True
        for end in self._ends:
            end.close()

    def mend(self) -> None:
        self._is_cut = False


def sit_down(page: Page, game: str) -> None:
    """From the front door to the table, with one click."""
    page.goto("/")
    page.locator(f'[data-play="{game}"]').click()
    page.locator("[data-moves]").wait_for(state="attached")


def invite(page: Page, game: str, name: str, *agreed: str) -> str:
    """Opens a table to people, under that name; the link for the others."""
    page.goto("/")
    page.locator(f'[data-friends="{game}"]').click()
    page.get_by_label("Seu nome").fill(name)
    for term in agreed:
        page.get_by_label(term).check()
    page.get_by_role("button", name="Criar a mesa e convidar").click()
    link = page.get_by_label("Link do convite")
    link.wait_for()
    return link.input_value()


def accept(page: Page, link: str, name: str) -> None:
    page.goto(link)
    page.get_by_label("Seu nome").fill(name)
    page.get_by_role("button", name="Sentar à mesa").click()


def open_moves(page: Page) -> None:
    toggle = page.locator("[data-moves]")
    if toggle.get_attribute("aria-expanded") != "true":
        toggle.evaluate("node => node.click()")
        expect(toggle).to_have_attribute("aria-expanded", "true")


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


def play_some(page: Page, game: str, dice: random.Random, most: int = 12) -> bool:
    """Whether it is one's turn after so many moves: by chance a match may be over before."""
    sit_down(page, game)
    open_moves(page)
    for _ in range(most):
        if not wait_for_turn(page):
            return False
        play(page, lambda moves: dice.choice([move for move in moves if move != "stop"]))
    return wait_for_turn(page)


def mover(*pages: Page) -> Page:
    """Who can move, as soon as one can."""
    for _ in range(400):
        for page in pages:
            if legal(page):
                return page
        pages[0].wait_for_timeout(50)
    raise AssertionError("nobody can move")


def resign(page: Page) -> None:
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Desistir").click()
    page.get_by_role("button", name="Desistir mesmo").click()
    page.locator("dialog[open] .acts").wait_for()


def _way(page: Page, what: Locator) -> tuple[float, float]:
    box = what.bounding_box()
    assert box is not None
    return box["x"] + 16, box["y"] + box["height"] / 3  # in a fan only a strip of it may be free


def _goal(page: Page, where: str) -> tuple[float, float]:
    box = page.locator(f'[data-drop="{where}"]').first.bounding_box()
    assert box is not None, where
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, what: Locator, where: str) -> None:
    """With the mouse, in steps, to a target that may light up only on the way."""
    x, y = _way(page, what)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 12, y - 12, steps=3)
    page.mouse.move(*_goal(page, where), steps=6)
    page.mouse.up()


def fling(page: Page, what: Locator, where: str) -> None:
    """With a mouse so quick that it has left the card when it is first seen to move."""
    page.mouse.move(*_way(page, what))
    page.mouse.down()
    page.mouse.move(640, 20)
    page.mouse.move(*_goal(page, where))
    page.mouse.up()


def _finger(page: Page) -> Callable[..., None]:
    """As the browser itself would be told of one."""
    browser = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        browser.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    return touch


def touch_drag(page: Page, what: Locator, where: str) -> None:
    """The same with a finger."""
    touch = _finger(page)
    x, y = _way(page, what)
    touch("touchStart", (x, y))
    for step in range(1, 5):
        touch("touchMove", (x, y - 8 * step))
    goal_x, goal_y = _goal(page, where)
    for step in range(1, 7):
        touch("touchMove", (x + (goal_x - x) * step / 6, y - 32 + (goal_y - y + 32) * step / 6))
    page.wait_for_timeout(80)  # at rest: a flick would make the browser take the next touch for its end
    touch("touchMove", (goal_x, goal_y))
    touch("touchEnd")


def swipe(page: Page, what: Locator, across: float) -> None:
    touch, (x, y) = _finger(page), _way(page, what)
    touch("touchStart", (x, y))
    for step in range(1, 9):
        touch("touchMove", (x + across * step / 8, y))
    touch("touchEnd")


def tab_to(page: Page, selector: str) -> None:
    """By the keyboard alone."""
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return
    raise AssertionError(f"the keyboard does not get to {selector}")
