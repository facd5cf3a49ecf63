"""The tour of each game: prepared positions that the rules accept, and first moves made by the player himself, on the
table: by touch on a phone, by dragging and by keyboard alone. (By clicking: where nothing may jump, test_tables.py.)"""

import random
import re

import pytest
from playwright.sync_api import expect
from web.conftest import NewPage
from web.tours import ON_THE_TABLE, PLANS, begin_tour, expect_step, play_to_the_end
from web.visit import GAMES, PHONE, drag, tab_to, touch_drag, wait_for_move

import carteado


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


@pytest.mark.parametrize("game", GAMES)
def test_a_tour_is_played_by_keyboard_alone(new_page: NewPage, game: str) -> None:
    page = new_page()
    begin_tour(page, game)
    for n, (clicks, _) in enumerate(ON_THE_TABLE[game]):
        expect_step(page, game, n)
        for selector in clicks:
            tab_to(page, selector)
            page.keyboard.press("Enter")
    expect_step(page, game, len(ON_THE_TABLE[game]))


@pytest.mark.parametrize("game", GAMES)
def test_a_tour_is_played_by_dragging(new_page: NewPage, game: str) -> None:
    page = new_page()
    begin_tour(page, game)
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
    begin_tour(page, game)
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
    expect(page.locator(".proof li").filter(has_text="✓")).to_have_count(7)
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
    begin_tour(page, "repeat-poker")
    page.locator('[data-drop="a3"]').click()
    expect(page.locator(".tour")).to_contain_text("2 de 4.")
    page.reload()
    expect(page.locator(".tour")).to_contain_text("2 de 4.")
    expect(page.locator("[data-drop]")).to_have_count(1)
    page.get_by_role("button", name="Sair").click()
    expect(page.locator(".tour")).to_have_count(0)
    expect(page.locator("[data-drop]")).to_have_count(16)
