"""What lies on a table can be seen, on the smallest screen too; and what takes long says so."""

import copy
import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Route, expect
from web.checks import COVERED, TOO_SMALL, axe
from web.conftest import NewPage
from web.matches import sit_at, trenches
from web.tours import PLANS, held
from web.visit import DESKTOP, GAMES, PHONE, accept, invite, legal, sit_down, wait_for_move

from carteado.rules.cards import parse_card

LYING = {"width": 844, "height": 390}

RANKS_HIDDEN = """() => [...document.querySelectorAll(".strip + .strip")].map((next) => {
  const rank = next.previousElementSibling.querySelector("text");
  const foot = new DOMPoint(0, rank.getStartPositionOfChar(0).y).matrixTransform(rank.getScreenCTM()).y;
  return [rank.textContent, foot - next.getBoundingClientRect().top];
}).filter(([, under]) => under > 1)"""

OUTSIDE = """() => [...document.querySelectorAll(".mine .plant")].map((plant) => {
  const box = plant.getBoundingClientRect(), room = plant.closest(".pan").getBoundingClientRect();
  const isIn = box.top >= room.top && box.bottom <= room.bottom && box.left >= room.left && box.right <= room.right;
  return isIn ? "" : plant.textContent.trim() || plant.outerHTML;
}).filter(Boolean)"""


def test_every_rank_of_a_long_sequence_is_in_sight_on_a_phone(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    long, longer = "As 2s 3s 4s 5s 6s 7s", "Ac 2c 3c 4c 5c 6c 7c 8c 9c 10c Jc"
    sit_at(page, "trincheira", trenches([longer, "5h 6h 7h"], [long, "Qh"]))
    expect(page.locator(".strip")).to_have_count(22)
    page.wait_for_timeout(100)  # until it has been measured
    assert page.evaluate(RANKS_HIDDEN) == []


def test_a_fan_that_is_too_tight_for_a_finger_is_laid_out_by_a_touch(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True)
    sit_at(page, "trincheira", trenches(["5h 6h 7h 8h"], ["4d"]))
    fan = page.locator("[data-fan]:has(.strip + .strip + .strip:enabled)")
    cards = fan.locator(".strip").evaluate_all("all => all.map(one => one.firstElementChild.ariaLabel)")
    fan.locator(".strip").nth(1).tap(position={"x": 20, "y": 8})
    laid = page.locator(".spread button:not(.close)")
    assert laid.evaluate_all("all => all.map(one => one.firstElementChild.ariaLabel)") == cards
    assert page.evaluate(TOO_SMALL) == page.evaluate(COVERED.replace("main button", ".spread button")) == []
    assert axe(page) == []
    page.keyboard.press("Escape")
    expect(laid).to_have_count(0)
    fan.locator(".strip").first.tap(position={"x": 20, "y": 8})
    laid.nth(2).tap()
    expect(laid).to_have_count(0)
    expect(fan.locator(".picked")).to_have_accessible_name(cards[2])
    page.locator('[data-drop="stock"]').tap()
    expect(page.locator(".log")).to_contain_text("da mesa.")


def test_a_phone_shows_that_there_are_more_sequences_than_it_has_room_for(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    many = ["Ac", "3c", "5h", "7c", "9c", "Jc", "Qs", "Ks"]
    sit_at(page, "trincheira", trenches(many, ["4d"]))
    field = page.locator(".field:not(.enemy)").bounding_box()
    seventh = page.locator(".field:not(.enemy) .strip").nth(6).bounding_box()
    assert field and seventh and seventh["x"] + seventh["width"] * 0.45 < field["x"] + field["width"]
    page.locator(".hand button:not(:disabled)").first.click()
    expect(page.locator(".newplace")).to_be_in_viewport(ratio=0.9)


def test_a_guard_is_called_by_what_stands_on_it(new_page: NewPage) -> None:
    page, start = new_page(viewport=PHONE), trenches(["Ac"], ["4d"])
    start["stock"].remove("8s")
    start["sequences"][0][0]["guard"] = {"card": "8s", "revealed": False}
    sit_at(page, "trincheira", start)
    expect(page.get_by_role("button", name=re.compile(r"sua guarda em A♣: virada para baixo 8\W*♠"))).to_be_visible()
    assert axe(page) == []


def test_a_whole_garden_is_in_sight_on_a_phone(new_page: NewPage) -> None:
    start = copy.deepcopy(PLANS["arboretum"]["start"])
    for y in range(1, 5):
        for garden in start["gardens"]:
            garden.append({"card": start["deck"].pop(), "x": 0, "y": -y})
    page = new_page(viewport=PHONE)
    sit_at(page, "arboretum", start)
    page.locator(".mine .plant").first.wait_for()
    page.wait_for_timeout(100)
    assert page.evaluate(OUTSIDE) == []


@pytest.mark.parametrize(
    ("where", "asked", "button"),
    [("/", "**/api/matches", '[data-play="repeat-poker"]'), ("/#/dia/repeat-poker", "**/api/days/*", ".acts button")],
)
def test_a_game_that_must_be_prepared_says_so_and_begins_by_itself(
    new_page: NewPage, where: str, asked: str, button: str
) -> None:
    page, held = new_page(), list[Route]()
    page.route(asked, lambda one: held.append(one) if one.request.method == "POST" else one.continue_())
    page.goto(where)
    page.locator(button).click()
    expect(page.get_by_role("status").filter(has_text="Preparando o jogo; só demora na primeira vez.")).to_be_visible()
    held[0].continue_()
    wait_for_move(page)


def test_the_button_of_the_language_says_what_it_does(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    page.get_by_role("button").filter(has_text="English").click()
    expect(page.get_by_role("button").filter(has_text="Português")).to_be_visible()


@pytest.mark.parametrize("game", GAMES)
def test_on_a_phone_that_lies_on_its_side_ones_own_cards_are_in_sight_at_once(new_page: NewPage, game: str) -> None:
    page = new_page(viewport=LYING, has_touch=True, is_mobile=True)
    sit_down(page, game)
    wait_for_move(page)
    for own in page.locator(".hand > *, .places > *, .deal > *").all():
        expect(own).to_be_in_viewport(ratio=0.9)


def test_what_the_other_lays_moves_no_page_away_from_ones_own_cards(new_page: NewPage) -> None:
    bia, caio = (new_page(viewport=LYING, has_touch=True, is_mobile=True) for _ in range(2))
    accept(caio, invite(bia, "trincheira", "Bia"), "Caio")
    for page in (bia, caio):
        page.locator(".hand button").first.wait_for()
    first, second = (bia, caio) if legal(bia) else (caio, bia)
    first.locator('[data-move^="lay"]').first.evaluate("node => node.click()")
    expect(second.locator(".enemy .strip.last")).to_have_count(1)
    second.wait_for_timeout(300)
    for own in second.locator(".hand > *").all():
        expect(own).to_be_in_viewport(ratio=0.9)


def test_what_marks_the_last_card_of_a_pile_stays_clear_of_its_name_on_a_phone(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    sit_down(page, "arboretum")
    boxes = "nodes => nodes.map((node) => [...node.children].map((one) => one.getBoundingClientRect()))"
    for stack, name in page.locator(".pile").evaluate_all(boxes):
        assert stack["bottom"] + 4 <= name["top"]


def guarded(card: str, hand: str) -> dict[str, Any]:
    """Four cards behind a guard that everybody has seen, and a card of the hand against them."""
    start = trenches(["5h 6h"], ["4d 5d 6d 7c"])
    start["sequences"][1][0]["guard"] = {"card": card, "revealed": True}
    start["stock"].remove(card)
    start["stock"].remove(hand)
    start["stock"].append(start["hands"][0].pop(0))
    start["hands"][0] = sorted([*start["hands"][0], hand], key=parse_card)
    return start


FORETOLD = [
    ("8s", "7s", "a guarda resiste", "a guarda resiste"),
    ("7s", "7s", "cai só a guarda", "cai só a guarda"),
    ("3s", "joker", "−3", "sobra 2"),
    ("Ks", "joker", "cai só a guarda", "cai só a guarda"),
    ("9s", "joker", "leva tudo", "não sobra nada"),
]


@pytest.mark.parametrize(("guard", "card", "tag", "end"), FORETOLD)
def test_against_a_guard_that_was_seen_both_ends_say_what_follows(
    new_page: NewPage, guard: str, card: str, tag: str, end: str
) -> None:
    """T8, T10"""
    page = new_page()
    sit_at(page, "trincheira", guarded(guard, card))
    page.locator(held("coringa" if card == "joker" else "7 de espadas")).click()
    expect(page.locator('[data-drop="enemy 4d"]')).to_have_text(tag)
    page.locator('[data-drop="enemy 4d"]').click()
    ends = page.locator(".ask .answer").filter(has_text="ponta")
    expect(ends.locator("small")).to_have_text([re.compile(f"{end}$")] * 2)


def test_the_ends_of_a_sequence_point_to_where_they_lie_and_the_one_in_question_is_marked(new_page: NewPage) -> None:
    page = new_page()
    sit_at(page, "trincheira", trenches(["5h 6h"], ["4d 5d 6d 7c", "Qh"]))
    page.locator(held("6 de espadas")).click()
    page.locator('[data-drop="enemy 4d"]').click()
    for end, icon in (("ponta baixa", "#i-up"), ("ponta alta", "#i-down")):
        expect(page.locator(".ask .answer").filter(has_text=end).locator(".icon use")).to_have_attribute("href", icon)
    outlines = page.locator(".enemy .seq").evaluate_all("all => all.map(one => getComputedStyle(one).outlineStyle)")
    assert outlines == ["solid", "dashed"]


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_the_place_for_a_guard_leaves_the_cards_behind_it_in_sight(new_page: NewPage, size: dict[str, int]) -> None:
    page = new_page(viewport=size)
    sit_at(page, "trincheira", trenches(["5h 6h", "9c", "Jc"], ["4d"]))
    page.locator(held("6 de espadas")).click()
    bounds = "all => all.map(one => one.getBoundingClientRect())"
    places = page.locator("[data-drop^=guard] > *").evaluate_all(bounds)
    cards = page.locator("[data-fan] .strip:first-child").evaluate_all(bounds)
    assert len(places) == len(cards) == 3
    assert all(place["bottom"] <= card["top"] for place, card in zip(places, cards, strict=True))
    assert page.evaluate(TOO_SMALL) == page.evaluate(COVERED) == []


def test_the_places_for_guards_lie_beside_each_other_on_a_phone(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    sit_at(page, "trincheira", trenches(["3c", "5h", "7h", "9c", "Jc"], ["4d"]))
    page.locator(held("6 de espadas")).click()
    tags = page.locator("[data-drop^=guard] .tag").evaluate_all("all => all.map(one => one.getBoundingClientRect())")
    assert len(tags) == 5
    assert all(one["right"] <= other["left"] for one, other in pairwise(tags))
