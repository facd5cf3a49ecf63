"""The five tables, played by clicking, by dragging and by keyboard alone."""

import json
import random
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocket, expect
from web.conftest import NewPage
from web.visit import GAMES as NAMES
from web.visit import Choose, drag, legal, open_moves, play, sit_down, tab_to, wait_for_move, wait_for_turn

from carteado.rules import GAMES
from carteado.rules.match import Match


def in_a_hurry(dice: random.Random) -> Choose:
    """At random, but with what brings the end nearer."""

    def choose(moves: list[str]) -> str:
        hasty = [move for move in moves if move.split()[0] in ("stop", "buy", "deck", "draw", "decline")]
        return dice.choice(hasty or moves)

    return choose


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


@pytest.mark.parametrize("game", NAMES)
def test_a_match_is_played_to_its_end_and_the_page_never_gets_what_its_seat_may_not_know(
    new_page: NewPage, game: str
) -> None:
    page = new_page()
    got = tables_of(page)
    sit_down(page, game)
    open_moves(page)
    choose = in_a_hurry(random.Random(game))
    for _ in range(800):
        if not wait_for_turn(page):
            break
        play(page, choose)
    expect(page.locator("dialog[open]")).to_be_visible()

    match = page.url.rpartition("/")[2]
    record = page.request.get(f"/api/matches/{match}/record").json()
    again = Match(GAMES[game], record["options"], bytes.fromhex(record["seed"]))
    moves = [event["data"] for event in record["events"] if event["kind"] == "move"]
    by_ply = {message["ply"]: message for message in got}
    for ply, move in enumerate([*moves, None]):
        if ply in by_ply:
            seat = by_ply[ply]["seat"]
            assert by_ply[ply]["table"] == json.loads(json.dumps(again.shown(seat)))
            assert bool(by_ply[ply].get("legal")) == (again.to_move == seat)
        if move is not None:
            again.play(move)
    assert again.over

    page.get_by_role("button", name="Conferir").click()
    expect(page.locator(".proof li")).to_have_count(4)
    expect(page.locator(".proof .bad")).to_have_count(0)


def turn(page: Page, game: str) -> None:
    sit_down(page, game)
    wait_for_move(page)


def test_repeat_poker_by_dragging(new_page: NewPage) -> None:
    page = new_page()
    turn(page, "repeat-poker")
    drag(page, page.locator(".shown"), "c4")
    expect(page.locator('[data-drop="c4"]')).to_have_count(0)
    drag(page, page.locator(".shown"), "a1")
    expect(page.locator('[data-drop="a1"]')).to_have_count(0)


def test_a_wrong_drop_goes_back_and_says_why(new_page: NewPage) -> None:
    page = new_page()
    turn(page, "repeat-poker")
    card = page.locator(".shown")
    before = card.bounding_box()
    assert before is not None
    page.mouse.move(before["x"] + 40, before["y"] + 40)
    page.mouse.down()
    page.mouse.move(before["x"] + 60, before["y"] + 420, steps=5)
    page.mouse.up()
    expect(page.get_by_role("alert")).to_contain_text("Solte a carta")
    page.wait_for_timeout(300)
    assert card.bounding_box() == before
    assert len(legal(page)) == 25


def test_repeat_poker_by_keyboard(new_page: NewPage) -> None:
    page = new_page()
    turn(page, "repeat-poker")
    tab_to(page, "[data-drop=a1]")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator('[data-drop="b2"]')).to_have_count(0)


def test_menor_soma_by_dragging(new_page: NewPage) -> None:
    page = new_page()
    turn(page, "menor-soma")
    page.locator(".pile.target").first.click()
    page.locator(".held.mine").wait_for()
    drag(page, page.locator(".held.mine"), "put 2")
    wait_for_move(page, "[data-move=pass]")
    page.get_by_role("button", name="Passar").click()
    wait_for_move(page, "[data-move=draw]")


def test_menor_soma_by_keyboard(new_page: NewPage) -> None:
    page = new_page()
    turn(page, "menor-soma")
    tab_to(page, ".pile.target")
    page.keyboard.press("Enter")
    page.locator(".held.mine").wait_for()
    tab_to(page, "[data-drop='put 3']")
    page.keyboard.press("Enter")
    wait_for_move(page, "[data-move=pass]")
    tab_to(page, ".big.stop")
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_be_visible()


def until(page: Page, choose: Choose, wanted: str) -> None:
    """Plays on until a move of that kind is legal."""
    open_moves(page)
    for _ in range(60):
        assert wait_for_turn(page)
        if any(move.startswith(wanted) for move in legal(page)):
            return
        play(page, choose)
    raise AssertionError(f"no {wanted} came up")


def is_card(move: str) -> bool:
    return move not in ("draw", "take", "pass", "red", "blue", "green", "yellow") and not move.startswith("with")


def test_nEon_onE_by_dragging_and_by_keyboard(new_page: NewPage) -> None:
    page = new_page()
    turn(page, "neon-one")
    done = 0
    for _ in range(40):
        if not wait_for_turn(page) or done == 2:
            break
        moves = legal(page)
        if not any(map(is_card, moves)):
            button = ".main" if page.locator(".main").count() else ".answer"
            page.locator(button).first.click()
        elif done == 0:
            drag(page, page.locator(".hand .can button").first, "discard")
            done = 1
        else:
            tab_to(page, ".hand .can button")
            page.keyboard.press("Enter")
            done = 2
    assert done == 2


def test_trincheira_by_dragging(new_page: NewPage) -> None:
    page = new_page()
    turn(page, "trincheira")
    cards = page.locator('.hand button:not(:disabled):not(:has([aria-label="coringa"]))')
    drag(page, cards.first, "new")
    expect(page.locator(".mine .strip")).to_have_count(1)


def test_trincheira_by_keyboard_with_a_way_out(new_page: NewPage) -> None:
    page = new_page()
    turn(page, "trincheira")
    tab_to(page, '.hand button:not(:has([aria-label="coringa"]))')
    page.keyboard.press("Enter")
    expect(page.locator(".newplace")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".newplace")).to_have_count(0)
    page.keyboard.press("Enter")
    tab_to(page, ".newplace, .pile.target")
    page.keyboard.press("Enter")
    expect(page.locator(".newplace")).to_have_count(0)


def test_trincheira_asks_which_end_to_attack_and_says_what_follows(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "trincheira")
    until(page, lambda moves: next((m for m in moves if m.startswith("buy")), moves[0]), "attack ")
    card, target, _ = next(move for move in legal(page) if move.startswith("attack ")).split()[1:]
    names = {"A": "ás", "J": "valete", "Q": "dama", "K": "rei"}
    page.locator(f'.hand button:has([aria-label="{names.get(card[:-1], card[:-1])} de espadas"])').first.click()
    page.locator(f'[data-drop="enemy {target}"]').click()
    expect(page.locator(".ask .answer")).to_have_count(2)
    page.locator(".ask .answer").first.click()
    expect(page.locator(".ask .cancel")).to_have_count(0)


def test_arboretum_by_dragging(new_page: NewPage) -> None:
    page = new_page()
    turn(page, "arboretum")
    for _ in range(2):
        page.locator(".pile.target").first.click()
        wait_for_move(page)
    wait_for_move(page, "[data-move^=plant]")
    drag(page, page.locator(".hand button").first, "0,0")
    wait_for_move(page, "[data-move^=discard]")
    drag(page, page.locator(".hand button").first, "pile")
    expect(page.locator("[data-move^=discard]")).to_have_count(0)


def test_arboretum_by_keyboard(new_page: NewPage) -> None:
    page = new_page()
    turn(page, "arboretum")
    for _ in range(2):
        tab_to(page, ".pile.target")
        page.keyboard.press("Enter")
        wait_for_move(page)
    wait_for_move(page, "[data-move^=plant]")
    tab_to(page, ".hand button")
    page.keyboard.press("Enter")
    tab_to(page, ".spot")
    page.keyboard.press("Enter")
    wait_for_move(page, "[data-move^=discard]")
