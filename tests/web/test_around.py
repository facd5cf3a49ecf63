"""What stands around a table: a bot in one's place, the drawer of a phone, another language, the end, watching."""

import copy
import json
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect
from web.conftest import NewPage
from web.matches import join, open_match, sit_at
from web.tours import PLANS
from web.visit import DESKTOP, GAMES, PHONE, accept, invite, legal, play_some, resign, sit_down, wait_for_move

from carteado.rules.cards import parse_card

WIDER = "node => node.scrollWidth - node.clientWidth"  # by how much something spills out


def play_until(seen: Callable[[], object], *pages: Page) -> None:
    """Whoever of them can move does, the first move there is."""
    for _ in range(400):
        if seen():
            return
        for page in pages:
            page.locator('[data-move]:not([data-move="stop"])').evaluate_all("moves => moves[0]?.click()")
        pages[0].wait_for_timeout(50)
    raise AssertionError("it was never seen")


def let_the_clock_run_out(bia: Page, caio: Page) -> Locator:
    """Her own seat as Bia sees it, for whom a bot plays now."""
    match = open_match(bia, "Bia", game="arboretum", clock={"kind": "move", "seconds": 5}, drawn=False)
    join(caio, match, "Caio")
    for page in (bia, caio):
        page.goto(f"/#/mesa/{match['match']}")
    play_until(bia.get_by_text("Um robô da casa está jogando por você.", exact=True).count, caio)
    own = bia.get_by_role("region", name="Você", exact=True)
    expect(own).to_contain_text("um robô joga por você")
    return own


def test_when_it_is_over_no_bot_plays_for_anybody_any_more(new_page: NewPage) -> None:
    bia, caio = new_page(), new_page()
    own = let_the_clock_run_out(bia, caio)
    resign(caio)
    expect(bia.get_by_role("dialog")).to_be_visible()
    expect(own).not_to_contain_text("robô")
    expect(caio.locator(".seat, [role=tab]").filter(has_text="robô")).to_have_count(0)


def test_who_let_the_clock_run_out_is_told_that_a_bot_plays_and_can_come_back(new_page: NewPage) -> None:
    bia, caio = new_page(), new_page()
    own = let_the_clock_run_out(bia, caio)
    expect(own).not_to_contain_text("sua vez")
    assert legal(bia) == []
    bia.get_by_role("button", name="Voltar a jogar").click()
    expect(bia.get_by_role("button", name="Voltar a jogar")).to_have_count(0)
    expect(own).not_to_contain_text("robô")
    expect(bia.locator(".log li").filter(has_text="Você voltou.")).to_have_count(1)
    play_until(lambda: legal(bia), caio)
    expect(own).to_contain_text("sua vez")


def seconds(clock: Locator) -> int:
    minutes, rest = clock.inner_text().split(":")
    return 60 * int(minutes) + int(rest)


def test_whoever_looks_at_the_past_sees_the_clocks_of_the_present(new_page: NewPage) -> None:
    bia, caio = new_page(), new_page()
    match = open_match(bia, "Bia", game="arboretum", clock={"kind": "match", "seconds": 300}, drawn=False)
    join(caio, match, "Caio")
    for page in (bia, caio):
        page.goto(f"/#/mesa/{match['match']}")
    clock = bia.get_by_role("region", name="Você", exact=True).get_by_role("timer")
    expect(clock).to_have_text(re.compile("4:5[0-5]|4:[0-4]"))
    play_until(lambda: legal(caio), bia)
    play_until(lambda: legal(bia), caio)
    for told in (bia.locator(".log button").filter(has_text="Caio"), bia.locator(".log button")):
        before = clock.inner_text(), seconds(clock)
        told.last.click()  # it was his turn still, and at the deal nobody had used any time
        expect(bia.get_by_text("A mesa como estava")).to_be_visible()
        assert seconds(clock) <= before[1]
        expect(clock).not_to_have_text(before[0])
        bia.get_by_role("button", name="Voltar ao jogo").click()


def test_the_drawer_of_a_phone_closes_however_far_it_is_scrolled_and_by_a_tap_beside_it(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    sit_down(page, "arboretum")
    wait_for_move(page)
    side, ticker, moves = page.locator(".side"), page.locator(".ticker"), legal(page)
    ticker.click()
    score = side.locator(".points").first.bounding_box()
    cross = side.get_by_role("button", name="Fechar").bounding_box()
    assert score and cross and cross["y"] + cross["height"] <= score["y"]
    side.evaluate("node => node.scrollTo(0, node.scrollHeight)")
    side.get_by_role("button", name="Fechar").click()
    expect(side).to_be_hidden()
    ticker.click()
    expect(side).to_be_visible()
    page.mouse.click(180, 150)
    expect(side).to_be_hidden()
    assert legal(page) == moves


def lines(page: Page) -> list[str]:
    return page.locator(".log li").all_inner_texts()


def test_in_mid_game_another_language_tells_again_what_happened(new_page: NewPage) -> None:
    for game in ("neon-one", "menor-soma"):  # whose log is short (M8)
        page, dice = new_page(), random.Random(game)
        assert any(play_some(page, game, dice, 5) for _ in range(5))
        page.get_by_role("button", name="EN: change to English").click()
        expect(page.locator(".log h2")).to_have_text("What happened")
        page.wait_for_timeout(200)
        told = lines(page)
        page.reload()
        wait_for_move(page)
        assert told == lines(page)
        assert not re.search("Você|jogou|comprou|rodada", " ".join(told))


@pytest.mark.parametrize("agreed", [("undo",), ("hints",), ("hints", "undo")])
def test_a_guest_reads_to_what_he_agrees_by_sitting_down(new_page: NewPage, agreed: tuple[str, ...]) -> None:
    bia, caio = new_page(), new_page()
    match = open_match(bia, "Bia", game="trincheira", **dict.fromkeys(agreed, True))
    caio.goto(f"/#/mesa/{match['match']}/{match['key']}")
    texts = {"hints": "Esta mesa permite dicas.", "undo": "Esta mesa permite desfazer jogadas, se todos concordarem."}
    caio.get_by_role("button", name="Sentar").wait_for()
    assert [name for name, text in texts.items() if caio.get_by_text(text).count()] == list(agreed)


TERMS = [
    ("menor-soma", {"limit": 50, "memory_aid": True}, None, ["Limite de pontos: 50.", "Ajuda de memória"]),
    ("menor-soma", {"limit": 100}, {"kind": "move", "seconds": 30}, ["Relógio: 30 segundos por jogada."]),
    ("trincheira", {"jokers": 0}, {"kind": "match", "seconds": 77}, ["Coringas: 0.", "Relógio: 77 s para a partida."]),
    ("trincheira", {}, None, []),
]


@pytest.mark.parametrize(("game", "options", "clock", "said"), TERMS)
def test_a_guest_reads_what_is_not_as_usual_before_he_sits_down(
    new_page: NewPage, game: str, options: dict[str, Any], clock: dict[str, Any] | None, said: list[str]
) -> None:
    bia, caio = new_page(), new_page()
    match = open_match(bia, "Bia", game=game, options={"players": 2, **options}, clock=clock, window=5)
    caio.goto(f"/#/mesa/{match['match']}/{match['key']}")
    caio.get_by_role("button", name="Sentar").wait_for()
    expect(caio.locator(".panel > p")).to_have_text([re.compile(f"^{text}") for text in said])


@pytest.mark.parametrize("aid", [False, True])
def test_where_memory_is_the_game_nobody_is_promised_a_hint(new_page: NewPage, aid: bool) -> None:
    """M8"""
    bia, caio = new_page(), new_page()
    options = {"players": 2, "memory_aid": aid}
    match = open_match(bia, "Bia", game="menor-soma", options=options, hints=True, undo=True)
    caio.goto(f"/#/mesa/{match['match']}/{match['key']}")
    expect(caio.get_by_text("Esta mesa permite desfazer jogadas")).to_be_visible()
    expect(caio.get_by_text("Esta mesa permite dicas.")).to_have_count(int(aid))
    bia.goto("/")
    card = bia.locator("li").filter(has=bia.locator('[data-play="menor-soma"]'))
    card.get_by_role("button", name="Com amigos").click()
    if aid:
        bia.get_by_label("Ajuda de memória").check()
    expect(bia.get_by_label("Desfazer")).to_be_visible()
    expect(bia.get_by_label("Permitir dicas")).to_have_count(int(aid))


def test_where_memory_is_the_game_ones_own_turn_is_told_no_more_once_another_moves(new_page: NewPage) -> None:
    """M8"""
    bia, caio = new_page(), new_page()
    match = open_match(bia, "Bia", game="menor-soma", options={"players": 2}, undo=True, drawn=False)
    join(caio, match, "Caio")
    for page in (bia, caio):
        page.goto(f"/#/mesa/{match['match']}")
    for page, moves in (bia, ("draw", "put 1", "pass")), (caio, ("draw", "discard", "pass")), (bia, ("draw",)):
        for move in moves:
            wait_for_move(page, f'[data-move="{move}"]')
            told = lines(page)
            if page is bia and move == "pass":
                assert [text.split()[:2] for text in told] == [["Você", "pôs"], ["Você", "comprou"]]
                expect(page.get_by_role("button", name="Desfazer")).to_be_disabled()
            page.locator(f'[data-move="{move}"]').evaluate("node => node.click()")
    expect(bia.locator(".log li").first).to_contain_text("Você comprou")
    assert len(told) == 3 and all(text.startswith("Caio") for text in told)
    assert len(lines(bia)) == 1


def test_who_has_resigned_is_not_asked_again_and_the_end_says_who_did(new_page: NewPage) -> None:
    bia, caio = new_page(), new_page()
    places = [{"kind": "me"}, {"kind": "person"}, {"kind": "bot", "level": "aprendiz"}]
    match = open_match(bia, "Bia", game="arboretum", options={"players": 3}, places=places, drawn=False)
    join(caio, match, "Caio")
    for page in (bia, caio):
        page.goto(f"/#/mesa/{match['match']}")
    bia.locator("[data-moves]").wait_for()
    bia.get_by_role("button", name="Menu").click()
    bia.get_by_role("button", name="Desistir").click()
    expect(bia.locator("dialog[open]")).to_contain_text("um robô joga no seu lugar até o fim, e você fica em último")
    bia.get_by_role("button", name="Desistir mesmo").click()
    notice = bia.get_by_role("status").filter(has_text="Você desistiu. Um robô da casa joga no seu lugar até o fim.")
    expect(notice.get_by_role("link", name="Início")).to_be_visible()
    notice.get_by_role("button", name="Fechar").click()
    expect(notice).to_have_count(0)
    expect(bia.get_by_role("region", name="Você", exact=True)).to_contain_text("desistiu")
    bia.get_by_role("button", name="Menu").click()
    expect(bia.locator("dialog[open]")).to_contain_text("Regras completas")
    expect(bia.get_by_role("button", name="Desistir")).to_have_count(0)
    bia.keyboard.press("Escape")
    resign(caio)
    expect(bia.locator("dialog[open]")).to_contain_text("Você desistiu. Caio desistiu.")


def sit_three(game: str, bia: Page, caio: Page, **options: Any) -> None:
    """The two of them and a bot."""
    places = [{"kind": "me"}, {"kind": "person"}, {"kind": "bot", "level": "aprendiz"}]
    wanted = {"game": game, "options": {"players": 3, **options}, "places": places, "drawn": False}
    match = open_match(bia, "Bia", **wanted)
    join(caio, match, "Caio")
    for page in (bia, caio):
        page.goto(f"/#/mesa/{match['match']}")
        page.locator("[data-moves]").wait_for(state="attached")


def give_up(page: Page) -> None:
    """Where the others go on."""
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Desistir").click()
    page.get_by_role("button", name="Desistir mesmo").click()


def test_the_tabs_of_a_phone_tell_who_does_not_play_himself(new_page: NewPage) -> None:
    bia, caio = new_page(viewport=PHONE), new_page()
    sit_three("arboretum", bia, caio)
    tab = bia.get_by_role("tab").filter(has_text="Caio")
    expect(tab).to_contain_text("7 na mão")
    table = caio.url
    caio.goto("/")
    expect(tab).to_contain_text("ausente")
    caio.goto(table)
    give_up(caio)
    expect(tab).to_contain_text("desistiu")


def test_who_has_resigned_from_menor_soma_has_nothing_to_press(new_page: NewPage) -> None:
    bia, caio = new_page(), new_page()
    sit_three("menor-soma", bia, caio, limit=100)
    expect(caio.get_by_role("button", name="Parar")).to_be_visible()
    give_up(caio)
    expect(caio.get_by_role("button", name="Parar")).to_have_count(0)
    expect(bia.get_by_role("button", name="Parar")).to_be_visible()


def test_where_the_system_chooses_the_colours_a_line_is_around_the_seat_in_turn(new_page: NewPage) -> None:
    page = new_page(forced_colors="active")
    sit_down(page, "menor-soma")
    wait_for_move(page)
    outline = "node => (style => [style.outlineStyle, parseFloat(style.outlineWidth)])(getComputedStyle(node))"
    around = {seat.get_attribute("aria-label"): seat.evaluate(outline) for seat in page.locator(".seat").all()}
    assert around.pop("Você") == ["solid", 4]
    assert around and all(one == ["solid", 1] for one in around.values())
    assert page.get_by_role("button", name="Menu").evaluate(outline) == ["solid", 1]


def test_letters_are_as_large_as_the_browser_is_told(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    size = "parseFloat(getComputedStyle(document.body).fontSize)"
    before = page.evaluate(size)
    page.evaluate("document.documentElement.style.fontSize = '20px'")
    assert page.evaluate(size) > 1.15 * before


def test_who_gives_up_alone_has_no_points_to_show(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "repeat-poker")
    resign(page)
    expect(page.get_by_role("dialog", name="Você desistiu.")).not_to_contain_text("0 pontos")


def nearly_over() -> dict[str, Any]:
    """The last turn in two gardens without a path, six species to four."""
    planted = "ipe1 jac2 ara1 pau2 qua1 pai2 jac1 ipe2", "ipe8 jac7 ara8 pau7 jac8 ipe7 pau8 ara7"
    rows = [row.split() for row in planted]
    start = copy.deepcopy(PLANS["arboretum"]["start"])
    free = [f"{species}{n}" for species in start["species"] for n in range(1, 9)]
    free = [card for card in free if card not in rows[0] + rows[1]]
    first = free.index("pau1")
    mine, rest = free[first : first + 7], free[:first] + free[first + 7 :]
    start["gardens"] = [[{"card": card, "x": x, "y": 0} for x, card in enumerate(row)] for row in rows]
    return start | {"hands": [mine, rest[:7]], "deck": rest[7:9], "piles": [rest[9:17], rest[17:]]}


def test_the_end_says_that_a_tie_was_broken(new_page: NewPage) -> None:
    page = new_page()
    sit_at(page, "arboretum", nearly_over())
    for wanted in ("deck", "deck", "plant pau1 8,0", "discard pau3"):
        wait_for_move(page, f'[data-move="{wanted}"]')
        page.locator(f'[data-move="{wanted}"]').dispatch_event("click")
    end = page.locator("dialog[open]")
    expect(end).to_contain_text("Você venceu!")
    expect(end).to_contain_text("Com os mesmos pontos, decidiram as regras do jogo.")
    expect(end).not_to_contain_text("desistiu")


def test_equal_points_of_two_are_a_draw_that_nobody_won(new_page: NewPage) -> None:
    page, start = new_page(), copy.deepcopy(PLANS["trincheira"]["start"])
    sides = ["5h", "6h"], ["5s", "6s"]
    used = [card for one in start["sequences"] for each in one for card in each["cards"]]
    heap = [*start["hands"][0], *start["hands"][1], *start["stock"], *used]
    for card in (*sides[0], *sides[1], "3c"):
        heap.remove(card)
    heap.sort(key=parse_card)
    rows = [[{"cards": cards, "guard": None}] for cards in sides]
    start |= {"hands": [["3c"], []], "stock": [], "trash": heap, "sequences": rows, "last": 0}
    sit_at(page, "trincheira", start)
    page.locator('[data-move="decline"]').dispatch_event("click")
    end = page.get_by_role("dialog", name="Empate")
    expect(end).to_be_visible()
    expect(end).not_to_contain_text(re.compile("venceu|mesmos pontos"))


@pytest.mark.parametrize("game", GAMES)
def test_once_a_match_is_over_nobody_is_asked_for_a_move_and_its_title_is_whole_on_a_phone(
    new_page: NewPage, game: str
) -> None:
    page = new_page(viewport=PHONE)
    sit_down(page, game)
    wait_for_move(page)
    resign(page)
    expect(page.locator(".turn, [aria-current=step]")).to_have_count(0)
    expect(page.locator("main.table")).not_to_contain_text(re.compile("sua vez|Onde vai|Fim de jogo:"))
    assert page.locator("h1").evaluate(WIDER) <= 0
    page.goto(f"/#/replay/{page.url.rpartition('/')[2]}")
    page.locator(".reel").wait_for()
    page.keyboard.press("End")
    expect(page.locator(".turn, [aria-current=step]")).to_have_count(0)


def test_what_plays_a_hint_is_as_wide_as_its_words_on_a_phone(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    sit_down(page, "trincheira")
    page.get_by_role("button", name="Dica").click()
    assert page.get_by_role("button", name="Jogar isso").evaluate(WIDER) <= 0


def test_the_longest_name_stays_within_what_happened(new_page: NewPage) -> None:
    bia, caio = new_page(), new_page()
    match = open_match(bia, "Bia", game="menor-soma", options={"players": 2})
    join(caio, match, "W" * 24)
    for page in (bia, caio):
        page.goto(f"/#/mesa/{match['match']}")
    play_until(lambda: "WWW" in " ".join(lines(bia)), bia, caio)
    assert bia.locator(".log").evaluate(WIDER) <= 0


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_longest_name_leaves_every_button_of_the_result_in_sight(new_page: NewPage, size: dict[str, int]) -> None:
    bia, caio = new_page(viewport=size), new_page()
    match = open_match(bia, "Bia", game="trincheira")
    join(caio, match, "W" * 24)
    for page in (bia, caio):
        page.goto(f"/#/mesa/{match['match']}")
    bia.locator("[data-moves]").wait_for(state="attached")
    resign(bia)
    assert bia.locator("dialog[open]").evaluate(WIDER) <= 0
    for button in bia.locator("dialog[open] .acts .btn").all():
        expect(button).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(
    ("game", "options", "parts"),
    [("trincheira", {}, [".sentence", ".own .score"]), ("neon-one", {"players": 2}, [".prompt b", ".own .held b"])],
)
def test_the_longest_names_leave_all_in_sight_for_whoever_watches_on_a_phone(
    new_page: NewPage, game: str, options: dict[str, int], parts: list[str]
) -> None:
    bia, caio, dora = new_page(), new_page(), new_page(viewport=PHONE)
    match = open_match(bia, "W" * 24, game=game, places=[{"kind": "me"}, {"kind": "person"}], options=options)
    join(caio, match, "W" * 23 + "M")
    for page in (bia, caio, dora):
        page.goto(f"/#/mesa/{match['match']}/{match['key']}")
    expect(dora.locator(parts[0])).to_contain_text("W" * 23)
    for part in parts:
        expect(dora.locator(part)).to_be_in_viewport(ratio=1)


def test_that_a_bot_plays_for_the_enemy_in_the_trenches_is_read_to_its_end(new_page: NewPage) -> None:
    page = new_page()

    def between(client: WebSocketRoute) -> None:
        server = client.connect_to_server()

        def replace(text: str | bytes) -> None:
            told = json.loads(text)
            for seat in told.get("info", {}).get("seats", []):
                seat["replaced"] = seat["kind"] == "bot"
            client.send(json.dumps(told))

        server.on_message(replace)

    page.route_web_socket(re.compile("/ws$"), between)
    sit_down(page, "trincheira")
    state = page.locator(".foe .state")
    expect(state).to_have_text("um robô no lugar")
    assert state.evaluate(WIDER) <= 0


def test_a_watcher_is_told_so_and_has_no_list_of_moves(new_page: NewPage) -> None:
    bia, caio, dora = new_page(), new_page(), new_page(viewport=PHONE)
    link = invite(bia, "arboretum", "Bia")
    accept(caio, link, "Caio")
    bia.locator("[data-moves]").wait_for()
    dora.goto(link)
    expect(dora.get_by_text("Os lugares já estão ocupados. Você está assistindo")).to_be_visible()
    expect(dora.get_by_role("button", name="Jogadas")).to_have_count(0)
    expect(dora.locator("[data-moves]")).to_have_count(0)
    expect(bia.get_by_text("Você está assistindo")).to_have_count(0)


def test_a_watcher_of_menor_soma_is_offered_nothing_to_do(new_page: NewPage) -> None:
    bia, caio, dora = new_page(), new_page(), new_page()
    link = invite(bia, "menor-soma", "Bia")
    accept(caio, link, "Caio")
    expect(bia.get_by_role("button", name="Passar")).to_have_count(1)
    dora.goto(link)
    expect(dora.locator(".places")).to_be_visible()
    expect(dora.locator(".after")).to_have_count(0)


def test_a_long_name_under_a_pile_of_arboretum_can_be_had_in_full(new_page: NewPage) -> None:
    bia, caio = new_page(viewport={"width": 1024, "height": 768}), new_page()
    match = open_match(bia, "Bia", game="arboretum", options={"players": 2})
    join(caio, match, "Ana Maria Braga de Souza")
    bia.goto(f"/#/mesa/{match['match']}")
    name = bia.locator(".of").last
    expect(name).to_have_attribute("title", "Ana Maria Braga de Souza")
    assert name.evaluate("node => node.scrollHeight - node.clientHeight") < 6  # less than a line
    assert name.evaluate(WIDER) <= 0


def test_beside_four_gardens_one_still_sees_what_happened(new_page: NewPage) -> None:
    page = new_page()
    places = [{"kind": "me"}, *[{"kind": "bot", "level": "aprendiz"}] * 3]
    match = open_match(page, "Bia", game="arboretum", options={"players": 4}, places=places)
    page.goto(f"/#/mesa/{match['match']}")
    wait_for_move(page)
    expect(page.locator(".log li").first).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("region", name="Caminhos").get_by_role("button").first).to_be_in_viewport(ratio=1)
    box = page.locator(".log").bounding_box()
    assert box and box["height"] >= 150


def test_beside_four_gardens_names_and_states_are_whole_though_a_clock_runs(new_page: NewPage) -> None:
    page = new_page(locale="en-GB")
    wanted = {"options": {"players": 4}, "clock": {"kind": "match", "seconds": 900}}
    match = open_match(page, "Helena", game="arboretum", **wanted)
    for name in ("Fernanda", "Marcelo", "Carolina"):
        join(other := new_page(), match, name)
        other.goto(f"/#/mesa/{match['match']}")
    page.goto(f"/#/mesa/{match['match']}")
    seats = page.locator(".others .seat")
    expect(seats.locator("small").filter(has_text="at the table")).to_have_count(3)
    expect(seats.get_by_role("timer")).to_have_count(3)
    assert [text.evaluate(WIDER) for text in seats.locator(".who > *").all()] == [0] * 6


def test_the_title_of_a_replay_is_whole_on_a_phone_and_says_the_day_as_people_do(new_page: NewPage) -> None:
    player, page = new_page(), new_page(viewport=PHONE, locale="en-GB")
    sit_down(player, "repeat-poker")
    resign(player)
    page.goto(f"/#/replay/{player.url.rpartition('/')[2]}")
    expect(page.locator("h1")).to_have_text("Replay")
    assert page.locator("h1").evaluate(WIDER) <= 0
    player.goto("/#/replay/dia/repeat-poker/2020-01-01")
    expect(player.get_by_role("heading", level=1)).to_have_text("Mestre, 1 de janeiro de 2020")


OVER_ITS_NEIGHBOUR = """() => [...document.querySelectorAll(".results li")].flatMap((row) => {
  const sum = row.querySelector(".sum").getBoundingClientRect();
  return [...row.querySelectorAll(".name > *")].filter((one) => one.getBoundingClientRect().right > sum.left);
}).map((one) => one.textContent)"""


def test_a_long_name_at_menor_soma_has_one_line_beside_the_table_and_hides_no_sum(new_page: NewPage) -> None:
    bia, caio = new_page(), new_page()
    match = open_match(bia, "Ana Maximilianíssima", game="menor-soma", options={"players": 2}, drawn=False)
    join(caio, match, "Caio")
    for page in (bia, caio):
        page.goto(f"/#/mesa/{match['match']}")
    rows = caio.locator(".points li > span")
    expect(rows).to_have_text(["Ana Maximilianíssima", "Você"])
    assert len(set(rows.evaluate_all("all => all.map(one => one.offsetHeight)"))) == 1
    for move in ("draw", "discard", "stop"):
        wait_for_move(bia, f'[data-move="{move}"]')
        bia.locator(f'[data-move="{move}"]').evaluate("node => node.click()")
    expect(caio.locator(".results mark").filter(has_text="parou")).to_be_visible()
    assert caio.evaluate(OVER_ITS_NEIGHBOUR) == []
