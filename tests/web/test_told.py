"""What a player is told: how long a question stands, who is waited for, and what follows if he goes."""

import json
import random
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, WebSocketRoute, expect
from web.conftest import NewPage
from web.matches import join, open_match
from web.visit import DESKTOP, PHONE, Line, legal, mover, resign, sit_down, wait_for_move

import carteado


def attack(*pages: Page, ready: Callable[[Page], None] = lambda asked: None) -> tuple[Page, Page]:
    """Who attacked, and who is asked."""
    for _ in range(80):
        page = mover(*pages)
        moves = legal(page)
        attacks = [move for move in moves if move.startswith("attack ")]
        move = (attacks or [move for move in moves if move.startswith("lay ")] or moves)[0]
        other = next(one for one in pages if one is not page)
        if attacks:
            ready(other)
        page.locator(f'[data-move="{move}"]').dispatch_event("click")
        if attacks:
            return page, other
        expect(page.locator(f'[data-move="{move}"]')).to_have_count(0)
    raise AssertionError("nobody could attack")


def two_at_a_trench(bia: Page, caio: Page, **wanted: Any) -> None:
    match = open_match(bia, "Bia", **{"game": "trincheira", "window": 3, **wanted})
    join(caio, match, "Caio")
    for page in (bia, caio):
        page.goto(f"/#/mesa/{match['match']}")


def test_a_question_with_a_deadline_shows_it_and_who_misses_it_is_told_what_happened(new_page: NewPage) -> None:
    """T13: the attacker's screen does not differ."""
    bia, caio = new_page(), new_page()
    two_at_a_trench(bia, caio)
    attacker, asked = attack(bia, caio)
    deadline, said = asked.locator(".deadline"), asked.locator(".ask [role=alert]")
    expect(deadline).to_contain_text("Sem resposta, o ataque acontece.")
    expect(said).to_have_text("Você tem 3 segundos para responder. Sem resposta, o ataque acontece.")
    expect(deadline.locator("b")).to_have_text(re.compile(r"^(1 segundo|2 segundos)\.$"))
    expect(said).to_contain_text("Você tem 3 segundos")
    expect(attacker.locator(".deadline")).to_have_count(0)
    missed = "O tempo acabou sem resposta sua: o ataque aconteceu."
    expect(asked.get_by_text(missed)).to_be_visible()
    expect(asked.locator(".ask")).to_have_count(0)
    expect(attacker.locator(".notice:not(.toast)")).to_have_count(0)
    wait_for_move(asked)
    asked.locator("[data-move]").first.dispatch_event("click")
    expect(asked.get_by_text(missed)).to_have_count(0)


def test_an_attack_is_answered_in_its_window_and_shown_to_both_at_once(new_page: NewPage) -> None:
    bia, caio = new_page(), new_page()
    two_at_a_trench(bia, caio, window=6)
    _, asked = attack(bia, caio)
    expect(asked.locator(".ask")).to_contain_text("ataca")
    asked.locator(".ask .answer").last.click()
    expect(asked.get_by_text("O resultado já vem")).to_be_visible()
    for one in (bia, caio):
        expect(one.locator(".log")).to_contain_text("atac")
        expect(one.locator(".ask")).to_have_count(0)


def test_while_an_answer_is_waited_for_no_clock_runs_and_who_gave_it_has_no_turn(new_page: NewPage) -> None:
    """T13: the attacker's screen does not tell that there is an answer."""
    bia, caio = new_page(), new_page()
    two_at_a_trench(bia, caio, window=30, clock={"kind": "match", "seconds": 300})
    attacker, asked = attack(bia, caio)
    own, timers = asked.get_by_role("region", name="Você", exact=True), asked.get_by_role("timer")
    expect(asked.locator(".deadline")).to_be_visible()
    for page in (asked, attacker):
        expect(page.locator(".seq.hit")).to_have_count(1)
    expect(attacker.locator(".sentence")).to_contain_text("responde ao ataque")
    expect(own).to_contain_text("sua vez")
    clocks, seen = timers.all_inner_texts(), attacker.locator(".seat").all_inner_texts()
    expect(asked.locator(".deadline b")).to_have_text(re.compile(r"^(2[0-7]|1\d|[2-9]) segundos\.$"))
    assert timers.all_inner_texts() == clocks
    asked.locator(".ask .answer").last.click()
    for is_back in (False, True):
        expect(asked.get_by_text("Resposta guardada")).to_be_visible()
        expect(asked.get_by_text("O resultado já vem")).to_be_visible()
        assert "sua vez" not in own.inner_text()
        if not is_back:
            assert attacker.locator(".seat").all_inner_texts() == seen
            asked.reload()


def test_a_hint_takes_the_place_of_what_was_said_of_an_answer_that_was_missed(new_page: NewPage) -> None:
    bia, caio = new_page(), new_page()
    two_at_a_trench(bia, caio, window=1, hints=True)
    _, asked = attack(bia, caio)
    missed = asked.locator(".notice").filter(has_text="O tempo acabou sem resposta sua")
    expect(missed).to_be_visible()
    wait_for_move(asked)
    asked.get_by_role("button", name="Dica").click()
    asked.get_by_role("button", name="Jogar isso").wait_for()
    expect(missed).to_have_count(0)
    moves = legal(asked)
    asked.get_by_role("button", name="Jogar isso").click()
    expect(asked.locator(".notice:not(.toast)")).to_have_count(0)
    assert legal(asked) != moves


@pytest.mark.parametrize("size", [{"width": 390, "height": 844}, DESKTOP], ids=["phone", "desktop"])
def test_what_is_said_at_once_stands_one_below_the_other_and_can_all_be_pressed(
    new_page: NewPage, size: dict[str, int]
) -> None:
    bia, caio = new_page(viewport=size), new_page(viewport=size)
    lines = {page: Line(page) for page in (bia, caio)}
    two_at_a_trench(bia, caio, hints=True, undo=True)
    wait_for_move(page := mover(bia, caio), '[data-move^="lay "]')
    other = caio if page is bia else bia
    page.locator('[data-move^="lay "]').first.dispatch_event("click")
    wait_for_move(other)
    other.get_by_role("button", name="Dica").click()
    other.get_by_role("button", name="Jogar isso").wait_for()
    page.get_by_role("button", name="Desfazer").click()
    other.get_by_role("button", name="Concordo").wait_for()
    lines[other].cut()
    expect(other.get_by_text("sem conexão")).to_be_visible()
    other.get_by_role("button", name="Concordo").click()
    expect(other.locator(".toast.on")).to_contain_text("nada foi pedido")
    boxes = [one.bounding_box() or {} for one in other.locator(".notice").all()]
    assert len(boxes) == 3
    assert all(above["y"] + above["height"] < below["y"] for above, below in pairwise(boxes))
    lines[other].mend()
    expect(other.get_by_text("sem conexão")).to_have_count(0)
    other.get_by_role("button", name="Não", exact=True).click()
    expect(other.locator("[role=alertdialog]")).to_have_count(0)
    other.get_by_role("button", name="Jogar isso").click()
    expect(other.locator(".notice:not(.toast)")).to_have_count(0)


def test_a_question_with_a_deadline_calls_back_whoever_looks_at_the_past(new_page: NewPage) -> None:
    bia, caio = new_page(), new_page()
    two_at_a_trench(bia, caio)

    def look_back(asked: Page) -> None:
        asked.locator(".log button").last.click()
        asked.get_by_text("A mesa como estava").wait_for()

    _, asked = attack(bia, caio, ready=look_back)
    expect(asked.locator(".ask .deadline")).to_be_visible()


def test_who_comes_reads_how_short_the_time_to_answer_is_where_one_has_to_answer(new_page: NewPage) -> None:
    bia, caio = new_page(), new_page()
    said = caio.get_by_text("Para responder a um ataque")
    for game, window in ("arboretum", None), ("trincheira", 5), ("trincheira", None):  # the house gives 0.5 s
        match = open_match(bia, "Bia", game=game, window=window)
        caio.goto("about:blank")  # nothing is left of the one before
        caio.goto(f"/#/mesa/{match['match']}/{match['key']}")
        caio.get_by_text("Há um lugar para você").wait_for()
        expect(said).to_have_count(int(game == "trincheira" and not window))
    expect(said).to_have_text("Para responder a um ataque há só 0,5 s.")
    caio.get_by_role("button", name="EN: change to English").click()
    expect(caio.get_by_text("There are only 0.5 s to answer an attack.")).to_be_visible()


@pytest.mark.parametrize("answer", ["first", "last"])
def test_who_answered_in_time_is_not_told_that_he_did_not(new_page: NewPage, answer: str) -> None:
    bia, caio = new_page(), new_page()
    two_at_a_trench(bia, caio)
    attacker, asked = attack(bia, caio)
    asked.locator(".ask .answer:not(.loud)" if answer == "first" else ".ask .answer").last.click()
    expect(asked.get_by_text("Resposta guardada")).to_be_visible()
    expect(asked.locator(".deadline")).to_have_count(0)
    wait_for_move(asked)
    for page in (attacker, asked):
        expect(page.locator(".notice:not(.toast)")).to_have_count(0)


def test_who_has_agreed_to_undo_waits_for_the_others_and_a_watcher_reads_who_asked(new_page: NewPage) -> None:
    pages = bia, caio, dora = new_page(), new_page(), new_page()
    eva = new_page()
    match = open_match(bia, "Bia", game="menor-soma", options={"players": 3}, undo=True, drawn=False)
    for page, name in (caio, "Caio"), (dora, "Dora"):
        join(page, match, name)
    for page in pages:
        page.goto(f"/#/mesa/{match['match']}")
    for move in ("draw", "discard"):
        wait_for_move(bia, f'[data-move="{move}"]')
        bia.locator(f'[data-move="{move}"]').dispatch_event("click")
    wait_for_move(bia, '[data-move="pass"]')
    undo = bia.get_by_role("button", name="Desfazer")
    undo.click()
    eva.goto(f"/#/mesa/{match['match']}/{match['key']}")
    expect(eva.locator(".notice").filter(has_text="Bia pede para desfazer a última jogada.")).to_be_visible()
    expect(eva.get_by_role("button", name="Concordo")).to_have_count(0)
    caio.get_by_role("button", name="Concordo").click()
    expect(caio.get_by_text("Você concordou. Esperando os outros…")).to_be_visible()
    expect(caio.get_by_role("button", name="Concordo")).to_have_count(0)
    expect(undo).to_be_disabled()  # asked again it would forget who agreed
    dora.get_by_role("button", name="Não", exact=True).click()
    expect(caio.get_by_text("Você concordou.")).to_have_count(0)
    undo.click()
    for page in (caio, dora):
        page.get_by_role("button", name="Concordo").click()
    wait_for_move(bia, '[data-move="discard"]')
    for page in pages:
        expect(page.locator(".notice:not(.toast)")).to_have_count(0)


def close(page: Page) -> Locator:
    sheet = page.locator("dialog[open]")
    sheet.get_by_role("button", name="Fechar").click()
    expect(sheet).to_have_count(0)
    return sheet


def test_a_call_to_play_again_is_seen_with_the_sheet_closed_and_after_a_reload(new_page: NewPage) -> None:
    bia, caio = new_page(), new_page()
    match = open_match(bia, "Bia", game="trincheira")
    join(caio, match, "Caio")
    for page in (bia, caio):
        page.goto(f"/#/mesa/{match['match']}")
    bia.locator("[data-moves]").wait_for()
    resign(bia)
    caio.locator("dialog[open] .acts").wait_for()
    sheet = close(caio)
    expect(caio.locator(".result .dot")).to_have_count(0)
    bia.get_by_role("button", name="Jogar de novo").click()
    call = caio.locator(".notice").filter(has_text="Querem jogar de novo com você.")
    expect(call.get_by_role("button", name="Jogar de novo")).to_be_visible()
    call.get_by_role("button", name="Fechar").click()
    expect(call).to_have_count(0)
    expect(caio.locator(".result .dot")).to_be_visible()
    caio.reload()
    expect(sheet).to_contain_text("Querem jogar de novo com você.")
    close(caio)
    call.get_by_role("button", name="Jogar de novo").click()
    for page in (bia, caio):
        page.locator("[data-moves]").wait_for()
        assert match["match"] not in page.url


def one_is_out() -> dict[str, Any]:
    """Menor Soma of three: one of the others is out, and the first is to decide."""
    match, dice = carteado.new("menor-soma", seed="out", players=3, limit=30), random.Random(3)
    while match.to_move != 0 or match.table()["account"]["in"] != [0, 2]:
        match.play(dice.choice(match.legal()))
    return dict(match.table())


def test_where_the_rules_have_put_one_out_it_is_said_that_to_resign_ends_the_match(new_page: NewPage) -> None:
    """M6"""
    page = new_page()
    places = [{"kind": "me"}, *[{"kind": "bot", "level": "aprendiz"}] * 2]
    options = {"players": 3, "limit": 30}
    wanted = {"options": options, "places": places, "drawn": False, "start": one_is_out()}
    match = open_match(page, "Bia", game="menor-soma", **wanted)
    page.goto(f"/#/mesa/{match['match']}")
    wait_for_move(page)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Desistir").click()
    expect(page.locator("dialog[open]")).to_contain_text("ela acaba na hora, e Caio vence")
    page.get_by_role("button", name="Desistir mesmo").click()
    expect(page.get_by_role("dialog", name="Caio venceu")).to_be_visible()


def only_the_first_table(socket: WebSocketRoute) -> None:
    """The bots play on, and the page is told no more of it."""
    house, tables = socket.connect_to_server(), []

    def tell(message: str | bytes) -> None:
        if not tables:
            socket.send(message)
        if json.loads(message)["type"] == "table":
            tables.append(message)

    house.on_message(tell)


@pytest.mark.parametrize(("own", "where", "words"), [(0, ".trio", "fora"), (1, ".places", "Você está fora")])
def test_who_is_out_of_menor_soma_is_said_to_be_and_has_nothing_to_press(
    new_page: NewPage, own: int, where: str, words: str
) -> None:
    """M6. With such a limit the bots alone need long."""
    page, start = new_page(viewport=PHONE), one_is_out()
    last = start["last"] | {"round": 9}
    start |= {"limit": 1000, "round": 10, "last": last, "totals": [last["points"][0], 1000, last["points"][2]]}
    places = [{"kind": "me"} if i == own else {"kind": "bot", "level": "aprendiz"} for i in range(3)]
    wanted = {"options": {"players": 3, "limit": 1000}, "places": places, "drawn": False, "start": start}
    match = open_match(page, "Bia", game="menor-soma", **wanted)
    page.route_web_socket(re.compile("/ws$"), only_the_first_table)
    page.goto(f"/#/mesa/{match['match']}")
    page.locator(".next, .places").wait_for()
    if page.locator(".next").count():  # a round has just ended
        page.locator(".next").click()
    expect(page.locator(where).filter(has_text=words)).to_be_visible()
    expect(page.get_by_role("button", name="Parar")).to_have_count(1 - own)


def test_who_closed_the_menu_is_not_one_touch_away_from_having_resigned(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "repeat-poker")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Desistir").click()
    page.get_by_role("button", name="Desistir mesmo").wait_for()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("button", name="Desistir", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Desistir mesmo")).to_have_count(0)


def test_before_the_deal_and_as_the_last_but_one_it_is_said_what_leaving_means(new_page: NewPage) -> None:
    bia, caio = new_page(), new_page()
    places = [{"kind": "me"}, {"kind": "person"}, {"kind": "bot", "level": "aprendiz"}]
    match = open_match(bia, "Bia", game="arboretum", options={"players": 3}, places=places, drawn=False)
    bia.goto(f"/#/mesa/{match['match']}")
    bia.get_by_role("button", name="Menu").click()
    expect(bia.locator("dialog[open]")).to_contain_text("Se você sair, o seu lugar fica guardado.")
    expect(bia.locator("dialog[open]")).not_to_contain_text("a partida fica guardada e um robô")
    close(bia)
    join(caio, match, "Caio")
    caio.goto(f"/#/mesa/{match['match']}")
    for page, said in (bia, "um robô joga no seu lugar até o fim"), (caio, "ela acaba na hora, e Dora vence"):
        page.locator("[data-moves]").wait_for()
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name="Desistir").click()
        expect(page.locator("dialog[open]")).to_contain_text(said)
        page.get_by_role("button", name="Desistir mesmo").click()
    expect(caio.locator("dialog[open] .acts")).to_be_visible()
    close(caio)
    caio.get_by_role("button", name="Menu").click()
    expect(caio.locator("dialog[open]")).not_to_contain_text("um robô")


def test_where_a_table_comes_instead_of_a_hint_one_may_ask_for_another(new_page: NewPage) -> None:
    """What it was for was taken back meanwhile."""
    page = new_page()
    tables: list[str | bytes] = []

    def between(client: WebSocketRoute) -> None:
        server = client.connect_to_server()

        def to_page(said: str | bytes) -> None:
            if '"type":"table"' in str(said):
                tables.append(said)
            client.send(said)

        server.on_message(to_page)
        client.on_message(lambda said: client.send(tables[-1]) if '"type":"hint"' in str(said) else server.send(said))

    page.route_web_socket(re.compile("/ws$"), between)
    sit_down(page, "repeat-poker")
    wait_for_move(page)
    page.get_by_role("button", name="Dica").click()
    expect(page.get_by_role("button", name="Dica")).to_be_enabled()
    expect(page.get_by_text("Dica", exact=True)).to_be_visible()
