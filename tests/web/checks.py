"""What holds of a page: everybody can see, touch and read all of it, and it was sent no more than its seat may know."""

import json
from typing import Any

from playwright.sync_api import Page, WebSocket
from web.conftest import ROOT
from web.visit import DESKTOP, PHONE, TABLET

from carteado.rules import GAMES
from carteado.rules.match import Match

TOO_SMALL = """() => [...document.querySelectorAll("button, a[href], input, select")]
  .filter((node) => !node.disabled && node.getClientRects().length)
  .map((node) => [node.getAttribute("aria-label") || node.textContent.trim(),
    (node.closest("label") ?? node).getBoundingClientRect()])
  .filter(([, box]) => box.width < 39.5 || box.height < 39.5)
  .map(([name, box]) => `${name} ${Math.round(box.width)}x${Math.round(box.height)}`)"""

# What a finger can hit of a control: not what lies under something else. (The cards of a fan open it, all of them.)
COVERED = """() => {
  const free = (node) => {
    const {left, right, top, bottom} = node.getBoundingClientRect();
    const [middle, centre] = [(left + right) / 2, (top + bottom) / 2];
    const isFree = (x, y) => node.contains(document.elementFromPoint(x, y));
    const edges = [[left + 1, centre], [right - 1, centre], [middle, top + 1], [middle, bottom - 1]];
    if (edges.every(([x, y]) => isFree(x, y))) return [right - left, bottom - top];
    const [xs, ys] = [[], []];
    for (let x = left + 1; x < right; x += 2)
      for (let y = top + 1; y < bottom; y += 2)
        if (isFree(x, y)) xs.push(x), ys.push(y);
    return [xs, ys].map((all) => all.length && Math.max(...all) - Math.min(...all) + 2);
  };
  return [...document.querySelectorAll("main button:not(.log *)")]
    .filter((node) => !node.disabled && node.getClientRects().length)
    .map((node) => {
      node.scrollIntoView({block: "nearest", inline: "nearest"});
      const name = node.ariaLabel || node.textContent.trim() || node.querySelector("[aria-label]")?.ariaLabel;
      return [name, ...free(node.closest("[data-fan]") ?? node).map(Math.round)];
    })
    .filter(([, width, height]) => width < 38 || height < 38)
    .map((one) => one.join(" "));
}"""

TWO_FRAMES = """() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 30)));
})"""

TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")


def axe(page: Page, only: tuple[str, ...] = TAGS) -> list[str]:
    """What axe finds wrong on the page, for WCAG 2.2 AA."""
    page.evaluate((ROOT / "web/node_modules/axe-core/axe.min.js").read_text())
    found = page.evaluate("only => axe.run(document, {runOnly: only})", only)
    faults = [(one["id"], node) for one in found["violations"] for node in one["nodes"]]
    return [f"{name}: {node['target']} {node['failureSummary']}" for name, node in faults]


def check(page: Page) -> None:
    """On a phone, a tablet and a desktop nothing scrolls sideways and all can be touched; all can read it, in light
    and in the dark."""
    for size in (PHONE, TABLET, DESKTOP):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], size
        assert page.evaluate(TOO_SMALL) == [], size
        if size is PHONE:
            assert axe(page) == [], "on a phone"
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        page.evaluate(TWO_FRAMES)  # until the colours have changed
        assert axe(page) == [], scheme


def tables_of(page: Page) -> list[dict[str, Any]]:
    """All tables that the server sends to this page, as they come."""
    got: list[dict[str, Any]] = []

    def hear(text: str | bytes) -> None:
        message = json.loads(text)
        if message["type"] == "table":
            got.append(message)

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", hear)

    page.on("websocket", listen)
    return got


def compare(page: Page, got: list[dict[str, Any]], game: str) -> None:
    """Every table that was sent while it was played is what the rules show to that seat, and no more."""
    record = page.request.get(f"/api/matches/{got[0]['match']}/record").json()
    again = Match(GAMES[game], record["options"], bytes.fromhex(record["seed"]))
    moves = [event["data"] for event in record["events"] if event["kind"] == "move"]
    for ply, move in enumerate([*moves, None]):
        for message in got:
            if message["ply"] == ply and (again.over or not message.get("over")):
                assert message["table"] == json.loads(json.dumps(again.shown(message["seat"])))
                assert bool(message.get("legal")) == (again.to_move == message["seat"])
        if move is not None:
            again.play(move)
