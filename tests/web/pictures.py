"""Pictures of every table in mid-game, on a desktop and on a phone: python tests/web/pictures.py PAGE [GAME …]

PAGE is the folder of the built page. The house's own bots play, and the player takes their advice.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Error, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent))

from web.house import House
from web.visit import GAMES, legal, open_moves, play, sit_down, wait_for_turn

OUT = Path(__file__).parent.parent.parent / "docs" / "pictures"
SIZES = {"desktop": {"width": 1280, "height": 800}, "phone": {"width": 360, "height": 640}}
TURNS = {"trincheira": 24, "menor-soma": 10, "arboretum": 30, "neon-one": 5, "repeat-poker": 24}


def advised(page: Page, game: str) -> None:
    """Does what the house's best bot would; where there is no hint, the first thing that is not hasty."""
    hint = page.get_by_role("button", name="Dica")
    if not hint.count() or len(legal(page)) == 1:
        play(page, lambda moves: next((move for move in moves if move not in ("stop", "discard")), moves[0]))
        return
    try:
        hint.click()
        page.get_by_role("button", name="Jogar isso").click(timeout=15_000)
    except Error:
        play(page, lambda moves: moves[0])


def picture(page: Page, game: str) -> None:
    page.evaluate("game => localStorage.setItem('carteado.tour', JSON.stringify({[game]: ['off']}))", game)
    sit_down(page, game)
    open_moves(page)
    for _ in range(TURNS[game]):
        if not wait_for_turn(page):
            break
        advised(page, game)
    wait_for_turn(page)
    page.locator("[data-moves]").evaluate("node => node.click()")
    for name, size in SIZES.items():
        page.set_viewport_size(size)
        page.mouse.move(0, 0)
        page.wait_for_timeout(600)
        page.screenshot(path=OUT / f"{game}-{name}.png")


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    program = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        house = House(Path(folder), Path(sys.argv[1]), "own")
        house.start()
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        try:
            for game in sys.argv[2:] or GAMES:
                page = browser.new_page(base_url=house.address, locale="pt-BR", viewport=SIZES["desktop"])
                page.set_default_timeout(180_000)  # bots may have to be compiled first
                page.goto("/")
                picture(page, game)
                page.close()
            page = browser.new_page(base_url=house.address, locale="pt-BR", viewport=SIZES["desktop"])
            page.goto("/")
            page.locator("[data-play]").first.wait_for()
            for name, size in SIZES.items():
                page.set_viewport_size(size)
                page.wait_for_timeout(600)
                page.screenshot(path=OUT / f"home-{name}.png")
        finally:
            browser.close()
            house.stop()


if __name__ == "__main__":
    main()
