"""The tour of each game: prepared positions that the rules accept, and first moves made by the player himself, on the
table: by touch on a phone, by dragging and by keyboard alone. (By clicking: where nothing may jump, test_tables.py.)"""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from web.conftest import WEB, NewPage
from web.visit import GAMES, PHONE, drag, tab_to, touch_drag, wait_for_move

import carteado

PLANS: dict[str, dict[str, Any]] = {
    path.stem: json.loads(path.read_text()) for path in Path(WEB / "src/games/tours").glob("*.json")
}


def held(name: str) -> str:
    return f'.hand button:has([aria-label="{name}"])'


# What is clicked in each step, and what may be dragged to where instead.
ON_THE_TABLE: dict[str, list[tuple[list[str], tuple[str, str] | None]]] = {
    "trincheira": [
        ([held("7 de copas"), '[data-drop="mine 5h"].value'], (held("7 de copas"), "mine 5h")),
        ([held("6 de espadas"), '[data-drop="guard 5h"]'], (held("6 de espadas"), "guard 5h")),
        ([held("2 de espadas"), '[data-drop^="enemy"]', ".ask .answer"], None),
        ([held("5 de ouros"), '[data-drop="stock"]'], (held("5 de ouros"), "stock")),
    ],
    "menor-soma": [
        (['.pile.target[data-drop="discard"]'], None),
        (['[data-drop="put 2"]'], (".held.mine", "put 2")),
        ([".big.stop"], None),
    ],
    "arboretum": [
        ([".pile.target"], None),
        ([".pile.target"], None),
        (['.hand [aria-label^="ipê-amarelo 6"]', '[data-drop="2,0"]'], ('.hand [aria-label^="ipê-amarelo 6"]', "2,0")),
        (['.hand [aria-label="paineira 1"]', '[data-drop="pile"]'], ('.hand [aria-label="paineira 1"]', "pile")),
    ],
    "neon-one": [
        ([".hand .can button"], (".hand .can button", "discard")),
        ([".hand .can button"], (".hand .can button", "discard")),
        ([".hand .can button"], (".hand .can button", "discard")),
        ([".answer.green"], None),
        ([".hand .can button"], (".hand .can button", "discard")),
    ],
    "repeat-poker": [
        (['[data-drop="a3"]'], (".shown", "a3")),
        (['[data-drop="b2"]'], (".shown", "b2")),
        (['[data-drop="c4"]'], (".shown", "c4")),
        (['[data-drop="d2"]'], (".shown", "d2")),
    ],
}


def test_every_game_has_a_tour() -> None:
    assert set(PLANS) == set(GAMES) == set(ON_THE_TABLE)


@pytest.mark.parametrize("game", GAMES)
def test_its_position_is_one_of_the_game_and_its_steps_are_legal_whatever_the_others_do(game: str) -> None:
    plan = PLANS[game]
    assert 3 <= len(plan["steps"]) <= 5
    for n in range(20):
        match, dice = carteado.setup(game, plan["start"], seed=str(n)), random.Random(n)
        for step in plan["steps"]:
            while match.to_move != 0:
                match.play(dice.choice(match.legal()))
            match.play(dice.choice([move for move in match.legal() if re.fullmatch(step, move)]))


def begin(page: Page, game: str) -> None:
    page.goto(f"/#/aprender/{game}")
    wait_for_move(page)


def expect_step(page: Page, game: str, n: int) -> None:
    """The next step's sentence is there, and only its moves are legal; or it is over."""
    steps = PLANS[game]["steps"]
    if n < len(steps):
        expect(page.locator(".tour")).to_contain_text(f"{n + 1} de {len(steps)}.")
        wait_for_move(page)
        moves = page.eval_on_selector_all("[data-move]", "nodes => nodes.map(node => node.dataset.move)")
        assert moves and all(re.fullmatch(steps[n], move) for move in moves)
    else:
        expect(page.locator(".tour, dialog[open]")).to_contain_text(re.compile("É isso!|Você venceu!"))


def play_to_the_end(page: Page) -> None:
    """The tour of nEon_onE: its last move ends the match."""
    begin(page, "neon-one")
    for n, (clicks, _) in enumerate(ON_THE_TABLE["neon-one"]):
        expect_step(page, "neon-one", n)
        for selector in clicks:
            page.locator(selector).first.click()


@pytest.mark.parametrize("game", GAMES)
def test_a_tour_is_played_by_keyboard_alone(new_page: NewPage, game: str) -> None:
    page = new_page()
    begin(page, game)
    for n, (clicks, _) in enumerate(ON_THE_TABLE[game]):
        expect_step(page, game, n)
        for selector in clicks:
            tab_to(page, selector)
            page.keyboard.press("Enter")
    expect_step(page, game, len(ON_THE_TABLE[game]))


@pytest.mark.parametrize("game", GAMES)
def test_a_tour_is_played_by_dragging(new_page: NewPage, game: str) -> None:
    page = new_page()
    begin(page, game)
    for n, (clicks, dragged) in enumerate(ON_THE_TABLE[game]):
        expect_step(page, game, n)
        if dragged:
            drag(page, page.locator(dragged[0]).first, dragged[1])
        else:
            for selector in clicks:
                page.locator(selector).first.click()
    expect_step(page, game, len(ON_THE_TABLE[game]))


@pytest.mark.parametrize("game", GAMES)
def test_a_tour_is_played_with_a_finger_on_a_phone(new_page: NewPage, game: str) -> None:
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True)
    begin(page, game)
    for n, (clicks, dragged) in enumerate(ON_THE_TABLE[game]):
        expect_step(page, game, n)
        if dragged:
            touch_drag(page, page.locator(dragged[0]).first, dragged[1])
        else:
            for selector in clicks:
                page.locator(selector).first.tap()
    expect_step(page, game, len(ON_THE_TABLE[game]))


def test_the_deal_of_a_tour_can_be_checked_like_any_other(new_page: NewPage) -> None:
    page = new_page()
    play_to_the_end(page)
    page.get_by_role("button", name="Conferir").click()
    expect(page.locator(".proof li").filter(has_text="✓")).to_have_count(6)
    expect(page.locator(".proof .bad")).to_have_count(0)


@pytest.mark.parametrize("where", ["strip", "sheet"])
def test_a_tour_whose_last_move_ends_the_match_offers_a_real_one(new_page: NewPage, where: str) -> None:
    page = new_page()
    play_to_the_end(page)
    if where == "sheet":
        page.locator("dialog[open]").get_by_role("button", name="Jogar de novo").click()
    else:
        page.locator("dialog[open]").get_by_role("button", name="Fechar").click()
        expect(page.locator(".tour")).to_contain_text("partida de verdade")
        page.locator(".tour").get_by_role("button", name="Jogar agora").click()
    page.wait_for_url("**/#/mesa/*")
    expect(page.locator(".other")).to_have_count(3)  # as many as the house proposes; in the tour it was one
    wait_for_move(page)


def test_it_is_offered_once_and_is_never_in_the_way(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    page.locator('[data-play="repeat-poker"]').click()
    expect(page.locator(".tour")).to_contain_text("Primeira vez em Repeat Poker?")
    page.locator('[data-drop="a1"]').click()
    expect(page.locator('[data-drop="a1"]')).to_have_count(0)
    page.get_by_role("button", name="Agora não").click()
    expect(page.locator(".tour")).to_have_count(0)
    page.goto("/")
    page.locator('[data-play="repeat-poker"]').click()
    wait_for_move(page)
    expect(page.locator(".tour")).to_have_count(0)
    page.get_by_role("button", name="Regras").click()
    page.get_by_role("link", name="Aprender jogando").click()
    expect(page.locator(".tour")).to_contain_text("1 de 4.")


def test_it_goes_on_after_a_reload_and_can_be_left_at_any_time(new_page: NewPage) -> None:
    page = new_page()
    begin(page, "repeat-poker")
    page.locator('[data-drop="a3"]').click()
    expect(page.locator(".tour")).to_contain_text("2 de 4.")
    page.reload()
    expect(page.locator(".tour")).to_contain_text("2 de 4.")
    expect(page.locator("[data-drop]")).to_have_count(1)
    page.get_by_role("button", name="Sair").click()
    expect(page.locator(".tour")).to_have_count(0)
    expect(page.locator("[data-drop]")).to_have_count(16)
