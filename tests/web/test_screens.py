"""What is shown where there is little room, and what stays in sight of what happened before."""

import copy
import random
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from web.checks import COVERED, TWO_FRAMES, tables_of
from web.conftest import NewPage
from web.matches import join, open_match, start_match, trenches
from web.tours import PLANS
from web.visit import (
    DESKTOP,
    GAMES,
    PHONE,
    TABLET,
    legal,
    resign,
    sit_down,
    tab_to,
    touch_drag,
    wait_for_move,
    wait_for_turn,
)

import carteado
from carteado.rules.cards import CARD_NAMES

FINGER = {"viewport": PHONE, "has_touch": True, "is_mobile": True}
JUST_WIDE = {"width": 1021, "height": 768}  # the narrowest that has a column beside the table
LYING = {"width": 1180, "height": 820}
UPRIGHT = {"width": 1024, "height": 1366}
WIDE = {"width": 2560, "height": 1440}
RING = 3  # pixels around the seat in turn


def resize(page: Page, size: dict[str, int]) -> None:
    page.set_viewport_size(size)  # type: ignore[arg-type]
    page.evaluate(TWO_FRAMES)


def choose(page: Page, *verbs: str) -> None:
    """The first move of those verbs, or of any, without opening the list."""
    moves = legal(page)
    move = next((move for verb in verbs for move in moves if move.split()[0] == verb), moves[0])
    page.locator(f'[data-move="{move}"]').dispatch_event("click")


def is_reveal(frame: dict[str, Any]) -> bool:
    table = frame["table"]
    return bool(table["last"]) and table["phase"] == "draw" and table["turns"] == 0


def test_a_replay_of_menor_soma_hides_its_table_only_where_a_round_has_just_ended(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    tables = tables_of(page)
    match = start_match(page, "menor-soma", options={"players": 2, "limit": 100, "memory_aid": True})
    while tables[-1]["table"]["round"] < 3 or not tables[-1]["table"]["turns"]:
        assert wait_for_turn(page)
        choose(page, "stop" if tables[-1]["table"]["round"] < 3 else "pass")
    resign(page)
    with page.expect_response(lambda answer: "/replay?" in answer.url) as answered:
        page.goto(f"/#/replay/{match}")
    frames = answered.value.json()["frames"]
    assert sum(map(is_reveal, frames)) == 2
    for at, frame in enumerate(frames):
        expect(page.locator(".count")).to_contain_text(f"{at} / ")
        expect(page.locator(".reveal")).to_have_count(int(is_reveal(frame)))
        expect(page.locator(".places")).to_have_count(int(not is_reveal(frame)))
        page.keyboard.press("ArrowRight")
    page.get_by_label("Ir para a jogada").fill(str([*map(is_reveal, frames)].index(True)))
    button, reel = page.locator(".reveal .next").bounding_box(), page.locator(".reel").bounding_box()
    assert button is not None and reel is not None
    assert button["y"] + button["height"] <= reel["y"]
    page.locator(".reveal .next").click()
    expect(page.locator(".places")).to_be_visible()


@pytest.mark.parametrize("size", [PHONE, TABLET], ids=["phone", "tablet"])
@pytest.mark.parametrize("game", GAMES)
def test_ones_clock_is_in_sight_and_nothing_lies_over_it(new_page: NewPage, game: str, size: dict[str, int]) -> None:
    page = new_page(viewport=size)
    seats = 1 if game == "repeat-poker" else PLANS[game]["options"].get("players", 2)
    start_match(page, game, seats, clock={"kind": "match", "seconds": 300})
    clock = page.locator("main").get_by_role("timer").filter(visible=True)
    expect(clock).to_have_text(re.compile(r"^[45]:\d\d$"))
    lies_bare = """node => {
      const {left, right, top, bottom} = node.getBoundingClientRect();
      return [left + 1, right - 1].every((x) => document.elementFromPoint(x, (top + bottom) / 2) === node);
    }"""
    assert clock.evaluate(lies_bare)


@pytest.mark.parametrize("game", GAMES)
def test_in_a_low_window_a_table_keeps_its_height_and_can_be_scrolled(new_page: NewPage, game: str) -> None:
    """A phone on its side; a desktop's page enlarged twice is not lower."""
    page = new_page(viewport={"width": 640, "height": 360})
    sit_down(page, game)
    wait_for_move(page)
    assert page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [640, 680]
    assert page.evaluate(COVERED) == []
    for part in page.locator("main .hand, main .places, main .board, main .garden").all():
        part.scroll_into_view_if_needed()
        expect(part).to_be_in_viewport(ratio=0.5)


def test_a_question_leaves_the_fields_of_trincheira_where_they_are(new_page: NewPage) -> None:
    page = new_page(**FINGER)
    start_match(page, "trincheira", start=trenches(["5h 6h 7h", "9d 10d"], ["As 2s 3s", "Qh"]))
    trench, seat = page.locator(".trench"), page.locator(".own .seat")
    before = trench.bounding_box()
    page.locator(".mine .strip:enabled").last.dispatch_event("click")
    expect(page.get_by_role("button", name="recuperar", exact=True)).to_be_visible()
    assert trench.bounding_box() == before
    field, bar = page.locator(".mine .field").bounding_box(), seat.bounding_box()
    assert field is not None and bar is not None
    assert field["y"] + field["height"] <= bar["y"]


def test_a_fan_that_was_laid_out_gives_the_focus_back_and_goes_when_one_touches_elsewhere(new_page: NewPage) -> None:
    page = new_page(**{**FINGER, "viewport": {"width": 360, "height": 560}})
    start_match(
        page, "trincheira", start=trenches(["Ac 2c 3c 4c 5c 6c 7c 8c 9c 10c Jc Qc Kc", "9h 10h"], ["As 2s 3s", "Qh"])
    )
    spread, strip = page.locator(".spread"), page.locator(".mine .strip").nth(2)

    def touch() -> None:
        box = strip.bounding_box()
        assert box is not None
        page.touchscreen.tap(box["x"] + 20, box["y"] + 3)
        expect(spread).to_be_visible()

    touch()
    box, enemy = spread.bounding_box(), page.locator(".enemy .field").bounding_box()
    assert box is not None and enemy is not None
    assert box["y"] >= enemy["y"] + enemy["height"]
    page.keyboard.press("Escape")
    expect(spread).to_have_count(0)
    expect(strip).to_be_focused()
    touch()
    spread.get_by_role("button", name="Cancelar").tap()
    expect(strip).to_be_focused()
    touch()
    page.touchscreen.tap(enemy["x"] + enemy["width"] - 4, enemy["y"] + 4)
    expect(spread).to_have_count(0)
    touch()
    spread.get_by_role("button").nth(4).tap()
    expect(spread).to_have_count(0)
    expect(strip).to_be_focused()


def test_the_gardens_of_arboretum_say_in_the_end_what_the_result_says(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    tables = tables_of(page)
    start_match(page, "arboretum", start=PLANS["arboretum"]["start"])
    while wait_for_turn(page):
        choose(page, "deck")
    totals = [str(one["total"]) for one in tables[-1]["table"]["account"]["players"]]
    assert page.locator(".tabs b").all_inner_texts() == totals


def test_a_path_without_the_right_to_it_is_struck_out_among_the_species_of_a_phone(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    tables = tables_of(page)
    start_match(page, "arboretum", start=PLANS["arboretum"]["start"])
    while wait_for_turn(page):
        choose(page, "deck")
    page.keyboard.press("Escape")
    shown = tables[-1]["table"]
    for seat, tab in enumerate(page.locator(".tabs button").all()):
        tab.click()
        rights = [shown["account"]["players"][seat]["species"][one]["right"] for one in shown["species"]]
        marks = page.locator(".chips b").evaluate_all("all => all.map(one => one.classList.contains('denied'))")
        assert marks == [right is False for right in rights]
        assert any(marks)
        expect(page.locator(".chips .denied").first).to_have_attribute("title", "sem direito de pontuar")


def in_sight() -> dict[str, Any]:
    """A turn at Arboretum at which it is known where each card of one species is."""
    start: dict[str, Any] = copy.deepcopy(PLANS["arboretum"]["start"])
    rows = ["ipe1", "ipe2"], ["ipe3", "ipe4"]
    start["gardens"] = [[{"card": card, "x": x, "y": 0} for x, card in enumerate(row)] for row in rows]
    start["piles"] = [["ipe5", "ipe6"], ["ipe7", "pai3"]]
    start["hands"][1] = ["jac2", "pau1", *start["hands"][1][2:]]
    used = [card for place in (*rows, *start["piles"], *start["hands"]) for card in place]
    cards = [f"{species}{n}" for species in start["species"] for n in range(1, 9)]
    return start | {"deck": [card for card in cards if card not in used]}


def test_a_right_of_arboretum_that_may_be_lost_is_not_said_to_be_certain_before_the_end(new_page: NewPage) -> None:
    """A6"""
    page = new_page()
    start_match(page, "arboretum", start=in_sight())
    mine, other = page.locator(".score .row").filter(has_text="pê-amarelo").locator("b").all()
    expect(mine).to_have_text("3✓")
    expect(other).to_have_attribute("title", "por ora sem direito de pontuar")
    expect(page.locator(".why")).to_contain_text("Se acabasse agora")
    while wait_for_turn(page):
        choose(page, "deck")
    expect(page.locator(".why")).to_contain_text("tinha a maior soma na mão e pontuou")
    expect(page.locator(".score .denied").first).to_have_attribute("title", "sem direito de pontuar")


def test_what_one_holds_of_a_species_is_told_though_its_8_may_not_count(new_page: NewPage) -> None:
    """A6"""
    page = new_page()
    start_match(page, "arboretum", start=PLANS["arboretum"]["start"])
    expect(page.locator(".score .row i")).to_have_text(["8?", "6", "12", "8", "4", "1"])
    expect(page.locator(".score .row i").first).to_have_attribute("title", "o 8 vale 0 se outro tiver o 1 na mão")


def test_after_a_resignation_the_trench_says_who_resigned_and_no_score(new_page: NewPage) -> None:
    page = new_page()
    start_match(page, "trincheira")
    resign(page)
    expect(page.locator(".sentence")).to_have_text("Você desistiu.")


def test_more_species_than_fit_on_a_phone_fade_at_the_edge(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    start_match(page, "arboretum", 4, options={"players": 4})
    chips = page.locator(".chips")
    expect(chips).to_have_attribute("data-more-right", "")
    assert "gradient" in chips.evaluate("node => getComputedStyle(node).maskImage")
    chips.evaluate("node => node.scrollTo(999, 0)")
    page.evaluate(TWO_FRAMES)
    expect(chips).to_have_attribute("data-more-left", "")
    expect(chips).not_to_have_attribute("data-more-right", "")


def test_eight_at_menor_soma_sit_in_two_rows_as_high_as_their_cards(new_page: NewPage) -> None:
    page = new_page(viewport=TABLET)
    start_match(page, "menor-soma", 8, options={"players": 8, "limit": 100, "memory_aid": True})
    heights = {round(one.bounding_box()["height"]) for one in page.locator(".other").all()}  # type: ignore[index]
    assert max(heights) < 160


def poker(card: str, *rows: str) -> dict[str, Any]:
    """A grid with a card to place; a dash is a free cell."""
    start: dict[str, Any] = copy.deepcopy(PLANS["repeat-poker"]["start"])
    grid = [[None if one == "-" else one for one in row.split()] for row in rows]
    laid = {card, *(one for row in grid for one in row)}
    deck = [*start["deck"], start["card"], *(one for row in start["grid"] for one in row if one)]
    return {**start, "card": card, "grid": grid, "deck": [one for one in deck if one not in laid]}


# Of what stands beside the rows: what lies outside its own row, and whether what the card would make of it is in sight.
BESIDE_THE_ROWS = """() => [...document.querySelectorAll(".lane")].flatMap((lane) => {
  const {top, bottom, right} = lane.getBoundingClientRect();
  const end = lane.querySelector(".worth").getBoundingClientRect().right; // what does not fit goes into a column beyond
  return [...lane.querySelectorAll(".worth > *")].flatMap((node) => {
    const words = document.createRange();
    words.selectNodeContents(node);
    const box = words.getBoundingClientRect();
    if (!box.width || box.left >= right) return node.matches("em, .tag") ? [`not in sight: ${node.textContent}`] : [];
    const isOver = box.top < top || box.bottom > bottom || (box.left < end && box.right > right);
    return isOver ? [`over its row: ${node.textContent}`] : [];
  });
})"""


@pytest.mark.parametrize("language", ["pt-BR", "en-US"])
def test_the_words_beside_a_row_of_repeat_poker_keep_to_their_row(new_page: NewPage, language: str) -> None:
    page = new_page(**FINGER, locale=language)
    first = "Kh Kd Kc - -", "10d 10c 4s 4h -", "Jh Js Jc 3c -", "9h 10h Jd - -", "Qc 7h 7c - -"
    second = "10d 10c 4s - -", "4h Jc - - -", "Jh Js Jd 3c -", "Kh Kd Kc Ks -", "9h 10h - - -"
    for card, rows in (("Ks", first), ("4d", second)):
        start_match(page, "repeat-poker", 1, start=poker(card, *rows))
        for size in (PHONE, JUST_WIDE, LYING, UPRIGHT):
            resize(page, size)
            assert page.evaluate(BESIDE_THE_ROWS) == [], size


@pytest.mark.parametrize("size", [(360, 640), (768, 1024), (1010, 900)])
def test_the_seat_of_repeat_poker_leaves_the_numbers_of_the_columns_bare(
    new_page: NewPage, size: tuple[int, int]
) -> None:
    page = new_page(viewport=dict(zip(("width", "height"), size, strict=True)))
    start_match(page, "repeat-poker", 1)
    assert box(page, ".me > .seat")[3] + RING <= box(page, ".columns")[1]


def test_rows_and_cells_of_repeat_poker_are_called_on_the_board_what_the_moves_call_them(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    start_match(page, "repeat-poker", 1)
    expect(page.locator(".lane .name")).to_have_text([*"abcde"])
    expect(page.locator(".columns span")).to_have_text([*"12345"])
    expect(page.locator(".columns")).to_be_in_viewport(ratio=1)
    assert "em b3" in (page.locator('[data-move="b3"]').text_content() or "")
    row = page.get_by_role("group", name="linha b")
    expect(row.get_by_role("button", name="b3: livre")).to_have_attribute("data-drop", "b3")


def test_a_new_level_of_repeat_poker_is_told_on_the_felt_and_nobody_has_to_wait_for_it(new_page: NewPage) -> None:
    page = new_page(**FINGER)
    match, dice = carteado.new("repeat-poker", seed="levels", levels=5), random.Random(5)
    while match.table()["deck"]:
        match.play(dice.choice(match.legal()))
    start_match(page, "repeat-poker", 1, options={"levels": 5}, start=match.table())
    banner = page.locator(".banner")
    expect(banner).to_have_count(0)
    choose(page)
    expect(banner).to_have_text(re.compile("nível 2 de 5.*4 linhas"))
    expect(page.locator("[aria-live]").filter(has_text="nível 2")).to_have_count(1)
    page.locator('[data-drop="a1"]').tap()
    expect(page.locator('[data-drop="a1"]')).to_have_count(0)
    expect(banner).to_have_count(0)


def hands(own: str, counts: list[int], **more: Any) -> dict[str, Any]:
    """A turn at nEon_onE with a yellow 5 on top: one's own cards, and how many numbers the others hold."""
    table: dict[str, Any] = carteado.new("neon-one", seed="hands", players=1 + len(counts)).table()
    stock = [card for place in (*table["hands"], table["stock"], table["discard"]) for card in place]
    table |= {"to_move": 0, "direction": -1, "colour": "yellow", "discard": ["Y5"], "hands": [own.split()], **more}
    for card in [*table["hands"][0], *table["discard"]]:
        stock.remove(card)
    numbers = iter([card for card in stock if card[1:].isdigit()])
    table["hands"] += [[next(numbers) for _ in range(n)] for n in counts]
    for card in [card for hand in table["hands"][1:] for card in hand]:
        stock.remove(card)
    return {**table, "stock": stock, "lacks": [None] * table["players"]}


TWELVE = "R1 R2 R5 B1 B3 B9 G2 G4 Y3 Y+2 G+2 wild"
NINE = [1, 5, 1, 8, 7, 4, 1, 2, 6]
AFTER_A_SWAP = [[8 if (whose, knower) == (4, 0) else 0 for knower in range(10)] for whose in range(10)]
PENALTY = {"discard": ["R7", "B+2", "Y+2"], "penalty": 4}


def box(page: Page, selector: str) -> tuple[float, float, float, float]:
    found = page.locator(selector).bounding_box()
    assert found is not None, selector
    return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]


@pytest.mark.parametrize("more", [{}, PENALTY], ids=["a turn", "a penalty"])
def test_ten_at_neon_one_with_twelve_cards_and_a_known_hand_hide_nothing_on_a_phone(
    new_page: NewPage, more: dict[str, Any]
) -> None:
    page = new_page(**FINGER)
    start_match(page, "neon-one", 10, options={"players": 10}, start=hands(TWELVE, NINE, known=AFTER_A_SWAP, **more))
    expect(page.locator(".other .note")).to_have_count(3)
    for other in page.locator(".other.alone").all():
        seat, note = other.locator(".seat").bounding_box(), other.locator(".note").bounding_box()
        assert seat and note and seat["y"] <= note["y"] and note["y"] + note["height"] <= seat["y"] + seat["height"]
    for pill in (".way", ".colour"):
        assert box(page, pill)[2] <= PHONE["width"]
    if more:
        owed, way = box(page, ".owed"), box(page, ".way")
        assert owed[2] <= way[0] or owed[1] >= way[3]
    assert page.evaluate(COVERED) == []
    assert page.locator(".hand").evaluate("node => node.scrollHeight - node.clientHeight") == 0


@pytest.mark.parametrize("known", [1, 2, 5, 9])
def test_a_known_hand_of_neon_one_stays_where_its_seat_is_in_the_order_of_play(new_page: NewPage, known: int) -> None:
    """N12"""
    page = new_page(**FINGER)
    swapped = [[5 if (whose, knower) == (known, 0) else 0 for knower in range(10)] for whose in range(10)]
    start = hands("Y1 Y2 Y3", [5] * 9, known=swapped, direction=1)
    start_match(page, "neon-one", 10, options={"players": 10}, start=start)
    expect(page.locator(".open")).to_have_count(1)
    names = page.locator(".other .who b").all_inner_texts()
    places = [page.locator(f".other >> nth={n}").bounding_box() or {} for n in range(9)]
    seen = sorted(range(9), key=lambda n: (places[n]["y"], places[n]["x"]))
    assert [names[n] for n in seen] == names
    assert page.evaluate(COVERED) == []


def test_a_turn_at_neon_one_is_told_by_its_sentence_alone(new_page: NewPage) -> None:
    page = new_page()
    start_match(page, "neon-one", 3, options={"players": 3}, start=hands("Y1 Y2 Y3", [5, 5]))
    said = page.locator("p.hidden[aria-live]").filter(has_text="Jogue amarelo")
    expect(said).to_have_text("Jogue amarelo, o mesmo símbolo ou um coringa")


@pytest.mark.parametrize("seats", [2, 4, 10])
def test_the_stock_of_neon_one_lies_beside_the_ring_and_a_finger_hits_it(new_page: NewPage, seats: int) -> None:
    page = new_page(viewport=DESKTOP)
    start = hands("R1 R2 B1 B3 B9 G2 G4", NINE[: seats - 1], direction=1)
    start_match(page, "neon-one", seats, options={"players": seats}, start=start)
    for size in (PHONE, TABLET, JUST_WIDE, UPRIGHT, LYING, DESKTOP, WIDE):
        resize(page, size)
        assert page.evaluate(COVERED) == [], size
        stock, ring, middle = (box(page, one) for one in (".stock", ".disc", ".middle"))
        assert middle[0] <= stock[0] and stock[2] <= ring[0] and ring[2] <= middle[2], size
        for at in ((stock[0] + 6, stock[1] + 6), (stock[2] - 6, stock[3] - 6)):
            assert page.evaluate("at => document.elementFromPoint(...at).closest('.stock') !== null", at), size


def test_that_one_card_is_left_is_told_in_full_on_a_phone(new_page: NewPage) -> None:
    page = new_page(**FINGER)
    start_match(page, "neon-one", 4, options={"players": 4}, start=hands("Y3", [1, 3, 5]))
    for note in page.locator(".note").all():
        assert note.evaluate("node => node.scrollWidth <= node.clientWidth"), note.text_content()


def test_a_card_that_does_not_fit_says_why_by_tap_by_drag_and_by_keyboard(new_page: NewPage) -> None:
    page = new_page(**FINGER)
    card, said = page.get_by_role("button", name="1 vermelho"), page.get_by_role("alert")
    why = "Essa não serve: só amarelo, 5 ou coringa."

    def start(**more: Any) -> None:
        start_match(page, "neon-one", 4, options={"players": 4}, start=hands(TWELVE, [5, 3, 5], **more))
        expect(card).to_have_attribute("aria-disabled", "true")
        expect(said).to_have_count(0)

    start()
    card.tap(force=True)  # it can be touched, though it is said to be disabled
    expect(said).to_have_text(why)
    start()
    touch_drag(page, card, "discard")
    expect(said).to_have_text(why)
    start()
    tab_to(page, '[aria-label="1 vermelho"]')
    page.keyboard.press("Enter")
    expect(said).to_have_text(why)
    assert len(legal(page)) == 4
    start(**PENALTY)
    card.tap(force=True)
    expect(said).to_have_text("Com +4 acumulado, só um +2 responde.")


def duel(guard: str) -> dict[str, Any]:
    """The duel of the guards: this one before one's own sequence, and two loose ones on either side."""
    start = trenches(["5h 6h 7h", "9d"], ["As 2s 3s", "Qh"])
    trash = [card for place in (*start["hands"], start["stock"], start["trash"]) for card in place]
    loose = [["2c", "3c"], ["Ks", "4c"]]
    for card in (guard, *loose[0], *loose[1]):
        trash.remove(card)
    start["trash"] = sorted(trash, key=CARD_NAMES.index)
    start["sequences"][0][0]["guard"] = {"card": guard, "revealed": False}
    start["loose"] = [[{"card": card, "revealed": False} for card in side] for side in loose]
    nothing: list[list[str]] = [[], []]
    return start | {"phase": "duel", "last": 0, "hands": nothing, "known": nothing, "public": nothing, "stock": []}


def test_a_duel_of_guards_shows_that_the_stock_is_empty_and_says_what_can_be_done(new_page: NewPage) -> None:
    page = new_page(**FINGER)
    start_match(page, "trincheira", start=duel("9s"))
    page.get_by_role("button", name="Agora não").tap()
    sentence, pile = page.locator(".sentence"), page.locator('[data-place="stock"]')
    expect(sentence).to_have_text("Duelo: escolha uma guarda virada para baixo e ataque")
    expect(pile).not_to_have_class(re.compile("back"))
    assert page.evaluate(COVERED) == []
    for rail in page.locator(".rail").all():  # all that lies there is in sight
        assert rail.evaluate("node => node.scrollHeight - node.clientHeight") <= 2
    start_match(page, "trincheira", start=duel("9c"))
    expect(sentence).to_have_text("Duelo: nenhuma guarda sua ataca; gaste uma, sem efeito")


def test_a_card_of_trincheira_that_is_dropped_back_on_the_hand_was_not_dropped_wrongly(new_page: NewPage) -> None:
    page = new_page(**FINGER)
    start_match(page, "trincheira", start=PLANS["trincheira"]["start"])
    card, said = page.locator(".hand button").first, page.get_by_role("alert")
    touch_drag(page, card, "hand")
    expect(card).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".newplace")).to_have_count(0)
    expect(said).to_have_count(0)
    touch_drag(page, card, "trash")
    expect(said).to_have_text("Essa carta não pode ir aí.")
    expect(card).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("players, size", [(4, PHONE), (3, JUST_WIDE), (8, JUST_WIDE), (8, DESKTOP)])
def test_who_sits_at_menor_soma_is_told_in_full(new_page: NewPage, players: int, size: dict[str, int]) -> None:
    page = new_page(viewport=size)
    start_match(page, "menor-soma", players, options={"players": players, "limit": 100, "memory_aid": True})
    words = page.locator(".other .who > *")
    expect(words).to_have_count(2 * (players - 1))
    assert words.evaluate_all("all => all.filter((one) => one.scrollWidth > one.clientWidth).length") == 0


MORE = "node => [node.scrollWidth - node.clientWidth, node.scrollHeight - node.clientHeight]"


@pytest.mark.parametrize("players", [2, 3, 4, 6, 8])
def test_a_table_of_menor_soma_has_room_for_all_and_nothing_lies_over_ones_places(
    new_page: NewPage, players: int
) -> None:
    page = new_page()
    start_match(page, "menor-soma", players, options={"players": players, "limit": 100, "memory_aid": False})
    page.get_by_role("button", name="Agora não").click()
    choose(page, "draw")
    expect(page.locator(".held")).to_be_visible()
    for width, height in ((360, 640), (721, 1000), (768, 1024), (1010, 700), (1021, 768), (1100, 700), (1280, 800)):
        resize(page, {"width": width, "height": height})
        assert page.locator("main > .table").evaluate(MORE) == [0, 0], (width, height)
        assert page.evaluate(COVERED) == [], (width, height)
        left = box(page, ".place >> nth=0")[0]
        for tool in page.locator(".me .seat, .me .quiet").all():
            found = tool.bounding_box()
            assert found and found["x"] + found["width"] <= left, (width, height)


@pytest.mark.parametrize("game, card", [("neon-one", ".hand button"), ("menor-soma", ".place .card")])
def test_cards_grow_with_a_wide_screen_and_nothing_has_to_be_scrolled(new_page: NewPage, game: str, card: str) -> None:
    page = new_page(viewport=DESKTOP)
    start_match(page, game, 4, options={"players": 4})
    before = page.locator(card).first.bounding_box()
    resize(page, WIDE)
    after = page.locator(card).first.bounding_box()
    assert before and after and after["width"] > 1.7 * before["width"]
    assert page.locator("main > div").evaluate(MORE) == [0, 0]


def test_menor_soma_says_look_now_only_before_ones_first_move_of_a_round(new_page: NewPage) -> None:
    page = new_page()
    start_match(page, "menor-soma", options={"players": 2, "limit": 100, "memory_aid": True})
    words = page.locator(".place small")
    expect(words).to_have_text(["olhe agora", "nunca vista", "olhe agora"])
    choose(page, "draw")
    expect(words).to_have_text(["já vista", "nunca vista", "já vista"])
    expect(page.locator(".places .back")).to_have_count(1)


def test_a_place_of_menor_soma_says_its_side_once(new_page: NewPage) -> None:
    page = new_page()
    start_match(page, "menor-soma", options={"players": 2, "limit": 100, "memory_aid": False})
    for verb in ("draw", "discard"):
        choose(page, verb)
        wait_for_move(page, f'[data-move="{"discard" if verb == "draw" else "pass"}"]')
    expect(page.locator(".place").first).to_have_accessible_name("esquerda carta fechada já vista")


def test_three_at_arboretum_have_their_piles_beside_the_zoom_on_a_phone(new_page: NewPage) -> None:
    page = new_page(**FINGER)
    start_match(page, "arboretum", 3, options={"players": 3})
    expect(page.locator(".pile")).to_have_count(4)
    assert box(page, ".pile >> nth=3")[2] <= box(page, ".zoom")[0]


def test_a_card_of_arboretum_that_cannot_be_used_yet_says_what_is_to_be_done(new_page: NewPage) -> None:
    page = new_page(**FINGER)
    start_match(page, "arboretum")
    card = page.locator(".hand button").first
    card.tap(force=True)  # it can be touched, though it is said to be disabled
    expect(page.get_by_role("alert").filter(has_text=re.compile("^Compre a primeira carta"))).to_be_visible()
    expect(card).to_have_attribute("aria-pressed", "false")


def test_a_picked_card_of_arboretum_brings_ones_own_garden_back_on_a_phone(new_page: NewPage) -> None:
    page = new_page(**FINGER)
    start_match(page, "arboretum")
    for _ in range(2):
        wait_for_move(page, '[data-move="deck"]')
        choose(page, "deck")
    wait_for_move(page, '[data-move^="plant"]')
    page.get_by_role("tab").last.tap()
    expect(page.locator(".mine [data-drop]")).to_have_count(0)
    page.locator(".hand button").first.tap()
    expect(page.get_by_role("tab").first).to_have_attribute("aria-selected", "true")
    expect(page.locator(".mine [data-drop]").first).to_be_visible()


def test_once_repeat_poker_is_over_its_rows_promise_nothing(new_page: NewPage) -> None:
    """R5"""
    page = new_page()
    start_match(page, "repeat-poker", 1, start=poker("Ks", "Kh Kd - - -", "4h 9c - - -", *["- - - - -"] * 3))
    expect(page.locator(".worth").first).to_contain_text("par")
    resign(page)
    expect(page.locator(".worth")).to_have_text([""] * 5)


def act(page: Page, *moves: str) -> None:
    for move in moves:
        page.locator(f'[data-move="{move}"]').dispatch_event("click")
        expect(page.locator(f'[data-move="{move}"]')).to_have_count(0)


def two_at_menor_soma(bia: Page, caio: Page, name: str = "Caio", **wanted: Any) -> None:
    """Bia begins."""
    match = open_match(bia, "Bia", **{"game": "menor-soma", "options": {"players": 2}, "drawn": False, **wanted})
    join(caio, match, name)
    for page in (bia, caio):
        page.goto(f"/#/mesa/{match['match']}")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_at_the_reveal_of_a_round_one_sees_whose_turn_it_is_and_his_clock(
    new_page: NewPage, size: dict[str, int]
) -> None:
    bia, caio = new_page(viewport=size), new_page(viewport=size)
    two_at_menor_soma(bia, caio, clock={"kind": "match", "seconds": 300})
    act(bia, "draw", "discard", "stop")
    for page, who, moves in (caio, "Caio", ()), (caio, "Caio", ("draw",)), (bia, "Bia", ("discard", "pass")):
        act(caio, *moves)
        for one in (bia, caio):
            turn = one.locator(".reveal .seat.turn")
            own = one is page
            expect(turn).to_contain_text("sua vez" if own else who)
            other = "Ver a rodada 2" if moves else "Rodada 2: Caio começa"
            expect(one.locator(".next")).to_have_text("Rodada 2: sua vez" if own else other)
            expect(turn.get_by_role("timer")).to_be_in_viewport(ratio=1)
            expect(one.locator(".next")).to_be_in_viewport(ratio=1)
    before = turn.get_by_role("timer").inner_text()
    expect(turn.get_by_role("timer")).not_to_have_text(before)  # it runs
    bia.locator(".next").click()
    expect(bia.locator(".places")).to_be_visible()


SUM_OVER_TOTAL = """() => [...document.querySelectorAll(".results li")].filter((row) => {
  const words = document.createRange();
  words.selectNodeContents(row.querySelector(".sum"));
  const sum = words.getBoundingClientRect(), total = row.querySelector(".total small").getBoundingClientRect();
  return sum.right > total.left;
}).map((row) => row.textContent)"""


def test_at_a_reveal_sums_and_totals_of_three_digits_have_room_on_a_phone(new_page: NewPage) -> None:
    page, start, high = new_page(viewport=PHONE), copy.deepcopy(PLANS["menor-soma"]["start"]), ["Qc", "Kd", "Qh"]
    start |= {"limit": 1000, "round": 30, "totals": [640, 555, 777], "last": start["last"] | {"round": 29}}
    start["stock"] = [card for card in start["stock"] if card not in high] + start["places"][0]
    start["places"][0] = high
    start_match(page, "menor-soma", 3, options={"players": 3, "limit": 1000}, start=start)
    act(page, "take", "discard", "stop")
    expect(page.locator(".results .total").first).to_have_text("640 → 728")
    assert page.evaluate(SUM_OVER_TOTAL) == []


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_at_a_reveal_the_longest_name_fits_the_button_and_its_seat(new_page: NewPage, size: dict[str, int]) -> None:
    bia, caio = new_page(viewport=size), new_page()
    two_at_menor_soma(bia, caio, "W" * 24, clock={"kind": "match", "seconds": 300})
    act(bia, "draw", "discard", "stop")
    button = bia.locator(".reveal .next")
    expect(button).to_have_text(f"Rodada 2: {'W' * 24} começa")
    assert button.evaluate(MORE) == [0, 0]
    assert bia.locator(".reveal").evaluate(MORE) == [0, 0]
    expect(bia.locator(".reveal").get_by_role("timer")).to_be_in_viewport(ratio=1)


def test_where_the_discard_may_not_be_taken_menor_soma_says_so_and_why(new_page: NewPage) -> None:
    """M1, M3"""
    bia, caio = new_page(), new_page(viewport=PHONE)
    two_at_menor_soma(bia, caio)
    expect(bia.locator(".sentence")).to_have_text("Compre do monte")
    act(bia, "draw", "discard", "pass")
    for page in (caio, bia):
        expect(page.locator(".sentence")).to_have_text("Compre do monte ou pegue do descarte")
        act(page, "take", "discard", "pass")
    expect(caio.locator(".sentence")).to_have_text("Pegaram do descarte 2 vezes seguidas: compre do monte")
    assert caio.locator("main > .table").evaluate(MORE) == [0, 0]
    assert legal(caio) == ["draw"]


def test_a_replay_of_menor_soma_shows_what_a_card_is_worth_on_a_phone(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    match = start_match(page, "menor-soma", 3, start=PLANS["menor-soma"]["start"])
    act(page, "take")
    wait_for_move(page, '[data-move="discard"]')
    resign(page)
    page.goto(f"/#/replay/{match}/1")
    for seat in ("-2", "0"):
        page.get_by_label("Visto por").select_option(seat)
        expect(page.locator(".drawn p")).to_have_text("vale 2")
        assert box(page, ".drawn p")[3] <= box(page, "ol.steps")[1]


def test_in_another_language_a_log_that_forgets_does_not_say_that_nothing_happened(new_page: NewPage) -> None:
    """M8"""
    page = new_page()
    start_match(page, "menor-soma", 3, start=PLANS["menor-soma"]["start"])
    for verb in ("take", "put", "stop"):
        wait_for_move(page, f'[data-move^="{verb}"]')
        choose(page, verb)
    wait_for_move(page, '[data-move="draw"]')  # whoever stopped begins the next round
    log = page.locator(".log")
    expect(log.locator("li").first).to_contain_text("Você parou a rodada.")
    page.get_by_role("button", name="EN: change to English").click()
    expect(log).to_contain_text("The last lap only")
    page.wait_for_timeout(200)
    expect(log).not_to_contain_text("Nothing yet.")


def test_a_replay_of_menor_soma_tells_more_than_the_last_lap(new_page: NewPage) -> None:
    page = new_page()
    match = start_match(page, "menor-soma", options={"players": 2, "limit": 100, "memory_aid": False})
    expect(page.locator(".log")).to_contain_text("Só a última volta")
    resign(page)
    page.goto(f"/#/replay/{match}")
    page.locator(".reel").wait_for()
    expect(page.locator(".log")).not_to_contain_text("Só a última volta")
