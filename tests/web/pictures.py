"""docs/pictures: the home page and every table in mid-game, on a desktop and on a phone.

    make pictures [ARGS="GAME …"]

The house's own bots play, and the player takes the advice of the best. What is not named is left as it is.
"""

import base64
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Error, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "web/scripts"))
sys.path.insert(0, str(Path(__file__).parent.parent))

from npm import PAGE
from web.chromium import launch
from web.house import House
from web.visit import GAMES, legal, open_moves, play, sit_down, wait_for_turn

OUT = Path(__file__).parent.parent.parent / "docs" / "pictures"
HOME = "home"
SIZES = {"desktop": (1280, 800, 1), "phone": (360, 640, 2)}  # wide, high, points of the screen to one of the page
TURNS = {"trincheira": 24, "menor-soma": 13, "arboretum": 36, "neon-one": 5, "repeat-poker": 24}
HASTY = ("stop", "discard")
QUALITY = 88
SETTLED = 700  # milliseconds: no card is on its way any more


def advised(page: Page) -> None:
    """Does what the house's best bot would; where there is no hint, the first thing that is not hasty."""
    hint = page.get_by_role("button", name="Dica")
    if not hint.count() or len(legal(page)) == 1:
        play(page, lambda moves: next((move for move in moves if move not in HASTY), moves[0]))
        return
    try:
        hint.click()
        page.get_by_role("button", name="Jogar isso").click(timeout=15_000)
    except Error:
        play(page, lambda moves: moves[0])


def go_to_mid_game(page: Page, game: str) -> None:
    sit_down(page, game)
    page.get_by_role("button", name="Agora não").click()  # to learn the game first
    open_moves(page)
    for _ in range(TURNS[game]):
        if not wait_for_turn(page):
            sys.exit(f"{game} was over too soon: fewer TURNS")
        advised(page)
    wait_for_turn(page)
    page.locator("[data-moves]").evaluate("node => node.click()")
    for reveal in page.get_by_role("button", name="Rodada").all():
        reveal.click()


def shoot(page: Page, devtools: CDPSession, name: str) -> None:
    for size, (width, height, scale) in SIZES.items():
        metrics = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": scale > 1}
        devtools.send("Emulation.setDeviceMetricsOverride", metrics)
        page.mouse.move(0, 0)
        page.evaluate("document.querySelectorAll('*').forEach(node => node.scrollTop &&= 0)")
        page.wait_for_timeout(SETTLED)
        shot = devtools.send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
        file = OUT / f"{name}-{size}.webp"
        file.write_bytes(base64.b64decode(shot["data"]))
        print(f"{file.name} {file.stat().st_size // 1024} KB", flush=True)


def picture(browser: Browser, address: str, name: str) -> None:
    context = browser.new_context(base_url=address, locale="pt-BR", viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.set_default_timeout(180_000)  # bots may have to be compiled first
    if name == HOME:
        page.goto("/")
        page.locator("[data-play]").first.wait_for()
    else:
        go_to_mid_game(page, name)
    shoot(page, context.new_cdp_session(page), name)
    context.close()


def main(names: list[str]) -> None:
    if unknown := set(names) - {HOME, *GAMES}:
        sys.exit(f"{', '.join(sorted(unknown))}: there are {', '.join((HOME, *GAMES))}")
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        house = House(Path(folder), PAGE, "own")
        house.start()
        browser = launch(playwright)
        try:
            for name in names or (HOME, *GAMES):
                picture(browser, house.address, name)
        finally:
            browser.close()
            house.stop()


if __name__ == "__main__":
    main(sys.argv[1:])
