"""From a click on a move to the drawn answer of the local server, in a real browser, for each game.

    python bench/page.py [--moves N]

The clock starts with the browser's own click event and stops when the frame is done in which the log has the line that
the server sent for the move. The server keeps every move on disk first (synchronous FULL), as it does for people.
"""

import argparse
import os
import random
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parent.parent / "web/scripts"))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from npm import PAGE
from web.chromium import launch
from web.house import House
from web.visit import GAMES, legal, open_moves, sit_down, wait_for_turn

GOAL = 100  # milliseconds, at the median

LISTEN = """() => {
  const drawn = (began, done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done(performance.now() - began);
    port2.postMessage(0);
  });
  window.answer = new Promise((done) => document.addEventListener("click", (event) => {
    const seen = new MutationObserver(() => { seen.disconnect(); drawn(event.timeStamp, done); });
    seen.observe(document.querySelector(".log"), { childList: true, subtree: true, characterData: true });
  }, { capture: true, once: true }));
}"""


def timed(page: Page, move: str) -> float:
    page.evaluate(LISTEN)
    page.locator(f'[data-move="{move}"]').first.click()
    return float(page.evaluate("() => window.answer"))


def clicks(page: Page, game: str, moves: int) -> list[float]:
    dice, times = random.Random(game), list[float]()
    while len(times) < moves:
        sit_down(page, game)
        open_moves(page)
        while len(times) < moves and wait_for_turn(page):
            times.append(timed(page, dice.choice(legal(page))))
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=40, help="of each game")
    moves = parser.parse_args().moves
    print(f"click to drawn answer, milliseconds; {moves} moves of each game, load average {os.getloadavg()[0]:.1f}")
    everything: list[float] = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        house = House(Path(folder), PAGE, synchronous="FULL")
        house.start()
        browser = launch(playwright)
        try:
            for game in GAMES:
                page = browser.new_page(base_url=house.address, locale="pt-BR", viewport={"width": 1280, "height": 800})
                times = clicks(page, game, moves)
                page.close()
                everything += times
                print(f"  {game:<14} median {statistics.median(times):6.1f}   slowest {max(times):6.1f}", flush=True)
        finally:
            browser.close()
            house.stop()
    median = statistics.median(everything)
    print(f"  {'all':<14} median {median:6.1f}   goal ≤ {GOAL}: {'reached' if median <= GOAL else 'NOT reached'}")


if __name__ == "__main__":
    main()
