"""Two people at one table, and whoever leaves and comes back."""

import json
import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect
from web.checks import compare, tables_of
from web.conftest import NewPage
from web.visit import PHONE, Line, accept, invite, legal, mover, open_moves, play, resign, sit_down, wait_for_move


def test_two_browsers_play_each_other_by_the_link(new_page: NewPage) -> None:
    bia, caio = new_page(), new_page(viewport=PHONE, has_touch=True, is_mobile=True)
    accept(caio, invite(bia, "menor-soma", "Bia"), "Caio")
    for page in (bia, caio):
        page.locator(".places").wait_for()
    expect(bia.get_by_role("region", name="Caio")).to_be_visible()
    first, second = (bia, caio) if bia.locator(".pile.target").count() else (caio, bia)
    for page in (first, second):
        page.locator(".pile.target").first.click()
        page.locator('[data-drop="discard"].target').click()
        page.get_by_role("button", name="Passar").click()
    expect(first.locator(".pile.target").first).to_be_visible()


def test_a_reload_in_the_middle_brings_the_same_table_back(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "repeat-poker")
    for cell in ("a1", "b2", "c3"):
        page.locator(f'[data-drop="{cell}"]').click()
        expect(page.locator(f'[data-drop="{cell}"]')).to_have_count(0)
    wait_for_move(page)
    before = legal(page)
    page.reload()
    page.locator("[data-drop]").first.wait_for()
    assert legal(page) == before
    expect(page.locator(".log li")).to_have_count(4)


def test_one_can_leave_and_come_back_from_the_front_door(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "repeat-poker")
    table = page.url
    page.goto("/")
    page.get_by_role("link", name="Voltar: Repeat Poker").click()
    page.locator("[data-drop]").first.wait_for()
    assert page.url == table


def test_nothing_is_lost_or_played_twice_when_the_network_fails(new_page: NewPage) -> None:
    page = new_page()
    line = Line(page)
    sit_down(page, "repeat-poker")
    page.locator('[data-drop="a1"]').click()
    expect(page.locator('[data-drop="a1"]')).to_have_count(0)
    wait_for_move(page)  # the answer has come
    line.hang()
    page.context.set_offline(True)
    expect(page.get_by_role("status").filter(has_text="sem conexão")).to_be_visible()
    page.locator('[data-drop="b2"]').click()
    expect(page.get_by_role("status").filter(has_text="Sua jogada vai assim que ela voltar.")).to_be_visible()
    expect(page.locator("main.table")).not_to_contain_text(re.compile("sua vez|Onde vai"))
    line.mend()
    page.context.set_offline(False)
    expect(page.locator('[data-drop="b2"]')).to_have_count(0)
    expect(page.locator("[data-drop]")).to_have_count(23)
    expect(page.locator(".log li")).to_have_count(3)


def test_a_house_is_played_in_where_the_browser_says_that_there_is_no_network(new_page: NewPage) -> None:
    """As it does on a machine without one that has a house of its own."""
    page = new_page()
    page.clock.install()
    page.add_init_script("Object.defineProperty(navigator, 'onLine', {get: () => false})")
    with page.expect_websocket() as opened:
        sit_down(page, "repeat-poker")
    with opened.value.expect_event("framereceived", lambda text: '"pong"' in str(text)):
        page.evaluate("window.dispatchEvent(new Event('offline'))")
    page.clock.fast_forward(10_000)
    page.locator('[data-drop="a1"]').click()
    expect(page.locator("[data-drop]")).to_have_count(24)
    assert not opened.value.is_closed()


@pytest.mark.parametrize("other", ["c3", "b2"])
def test_who_sent_a_move_without_a_line_is_told_if_another_was_made_meanwhile(new_page: NewPage, other: str) -> None:
    page = new_page()
    line = Line(page)
    sit_down(page, "repeat-poker")
    wait_for_move(page)
    elsewhere = page.context.new_page()
    elsewhere.goto(page.url)
    wait_for_move(elsewhere)
    line.cut()
    expect(page.get_by_text("sem conexão, tentando…")).to_be_visible()
    page.locator('[data-drop="b2"]').click()
    expect(page.get_by_text("Sua jogada vai assim que ela voltar.")).to_be_visible()
    elsewhere.locator(f'[data-drop="{other}"]').click()
    expect(elsewhere.locator("[data-drop]")).to_have_count(24)
    line.mend()
    expect(page.locator("[data-drop]")).to_have_count(24)
    told = page.get_by_role("status").filter(has_text="Sua jogada não foi feita: o jogo seguiu sem ela.")
    expect(told).to_have_count(int(other != "b2"))
    if other != "b2":
        told.get_by_role("button", name="Fechar").click()
        expect(told).to_have_count(0)


def become(page: Page, other: Page, name: str) -> None:
    """In a new tab, by the link that the other one makes."""
    other.request.post("/api/me", data={"name": name})
    code = other.request.post("/api/me/link").json()["code"]
    tab = page.context.new_page()
    tab.goto(f"/#/aparelho/{code}")
    tab.get_by_role("button", name="Usar neste aparelho").click()
    expect(tab.get_by_text(f"Você é {name}")).to_be_visible()
    tab.close()


def test_whoever_became_somebody_else_in_another_tab_plays_on_as_that_one_in_this(new_page: NewPage) -> None:
    page, other = new_page(), new_page()
    sit_down(page, "repeat-poker")
    page.get_by_role("link", name="carteado").click()
    page.get_by_role("link", name="Voltar: Repeat Poker").wait_for()
    become(page, other, "Ana")
    page.locator('[data-play="trincheira"]').click()
    wait_for_move(page)


def test_at_a_table_where_one_became_somebody_else_that_one_sits_down(new_page: NewPage) -> None:
    page, other, bia = new_page(), new_page(), new_page()
    link = invite(bia, "trincheira", "Bia")
    page.goto(link)
    page.get_by_role("button", name="Sentar à mesa").wait_for()
    become(page, other, "Ana")
    page.get_by_label("Seu nome").fill("Ana")
    page.get_by_role("button", name="Sentar à mesa").click()
    expect(page.get_by_role("region", name="Você")).to_be_visible()  # and not somebody who watches


def test_a_table_that_is_not_open_to_one_does_not_seem_to_be_on_its_way(new_page: NewPage) -> None:
    page, bia = new_page(), new_page()
    *_, match, key = invite(bia, "trincheira", "Bia").split("/")
    sit_down(page, "repeat-poker")  # over the same socket
    page.route(f"**/api/matches/{match}", lambda route: route.continue_(url=f"{route.request.url}?key={key}"))
    page.goto(f"/#/mesa/{match}")
    expect(page.get_by_role("alert").filter(has_text="não está aberta para você")).to_be_visible()


def test_a_hint_can_be_asked_for_and_played(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "repeat-poker")
    page.get_by_role("button", name="Dica").click()
    expect(page.get_by_role("status").filter(has_text="Dica")).to_contain_text(re.compile(r"\d+% de certeza"))
    page.get_by_role("button", name="Jogar isso").click()
    expect(page.locator("[data-drop]")).to_have_count(24)


def test_a_hint_that_was_lost_on_the_way_can_be_asked_for_again(new_page: NewPage) -> None:
    page, hints = new_page(), []

    def between(client: WebSocketRoute) -> None:
        server = client.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if '"hint"' in str(message) and not hints:
                hints.append(message)
                server.close()
                client.close()
            else:
                server.send(message)

        client.on_message(pass_on)

    page.route_web_socket(re.compile("/ws$"), between)
    sit_down(page, "repeat-poker")
    wait_for_move(page)
    page.get_by_role("button", name="Dica").click()
    expect(page.get_by_text("sem conexão, tentando…")).to_be_visible()
    page.get_by_role("button", name="Dica").click()
    expect(page.get_by_role("status").filter(has_text="Dica")).to_contain_text("de certeza")


def test_what_is_asked_for_without_a_line_is_said_to_be_lost(new_page: NewPage) -> None:
    page = new_page()
    line = Line(page)
    sit_down(page, "trincheira")
    wait_for_move(page)
    line.cut()
    expect(page.get_by_text("sem conexão, tentando…")).to_be_visible()
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Desistir").click()
    page.get_by_role("button", name="Desistir mesmo").click()
    expect(page.get_by_role("alert").filter(has_text="nada foi pedido")).to_be_visible()
    line.mend()
    expect(page.get_by_text("sem conexão, tentando…")).to_have_count(0)
    resign(page)
    line.cut()
    expect(page.get_by_text("sem conexão, tentando…")).to_be_attached()
    page.get_by_role("button", name="Jogar de novo").click()
    expect(page.locator("dialog[open]")).to_contain_text("nada foi pedido")


def test_where_nothing_is_given_away_a_move_can_be_taken_back(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "menor-soma")
    page.locator(".pile.target").first.click()
    page.locator(".held.mine").wait_for()
    page.locator('[data-drop="discard"].target').click()
    page.get_by_role("button", name="Passar").wait_for()
    page.get_by_role("button", name="Desfazer").click()
    expect(page.locator(".held.mine")).to_be_visible()
    expect(page.get_by_role("button", name="Desfazer")).to_be_disabled()


def test_between_people_a_move_is_taken_back_if_the_other_agrees(new_page: NewPage) -> None:
    bia, caio = new_page(), new_page()
    accept(caio, invite(bia, "trincheira", "Bia", "Permitir desfazer"), "Caio")
    wait_for_move(page := mover(bia, caio), '[data-move^="lay "]')
    other = caio if page is bia else bia
    page.locator('[data-move^="lay "]').first.dispatch_event("click")
    wait_for_move(other)
    for answer, stays in (("Não", True), ("Concordo", False)):
        page.get_by_role("button", name="Desfazer").click()
        notice = other.locator("[role=alertdialog]")
        notice.get_by_role("button", name=answer).click()
        expect(notice).to_have_count(0)
        expect(page.get_by_text("A jogada fica: nem todos concordaram")).to_be_visible(visible=stays)
        expect(page.locator(".strip")).to_have_count(int(stays))
    wait_for_move(page)


def test_one_tab_too_many_is_told_so_and_the_others_go_on(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "repeat-poker")
    wait_for_move(page)
    tabs = [page.context.new_page() for _ in range(8)]
    for tab in tabs[:7]:
        tab.goto(page.url)
        wait_for_move(tab)
    tabs[7].goto(page.url)
    expect(
        tabs[7].get_by_role("alert").filter(has_text="Você tem conexões abertas demais; feche alguma.")
    ).to_be_visible()
    tabs[0].close()
    wait_for_move(tabs[7])


def test_who_resigns_sees_the_end_and_may_play_again(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "trincheira")
    table = page.url
    resign(page)
    page.get_by_role("button", name="Jogar de novo").click()
    page.locator("[data-moves]").wait_for()
    assert page.url != table


def test_who_may_not_play_again_is_told_so_where_he_asked(new_page: NewPage) -> None:
    page = new_page()

    def between(client: WebSocketRoute) -> None:
        server = client.connect_to_server()
        no = json.dumps({"type": "wrong", "code": "too many matches", "words": "Partidas demais."})
        client.on_message(lambda said: client.send(no) if '"rematch"' in str(said) else server.send(said))

    page.route_web_socket(re.compile("/ws$"), between)
    sit_down(page, "trincheira")
    resign(page)
    page.get_by_role("button", name="Jogar de novo").click()
    expect(page.locator("dialog[open]").get_by_role("alert")).to_have_text("Partidas demais.")


def test_a_watcher_sees_no_hand_and_each_of_two_only_his_own(new_page: NewPage) -> None:
    bia, caio, dora = new_page(), new_page(), new_page()
    got = [tables_of(page) for page in (bia, caio, dora)]
    link = invite(bia, "arboretum", "Bia")
    accept(caio, link, "Caio")
    dora.goto(link)
    for page in (bia, caio):
        page.locator("[data-moves]").wait_for(state="attached")
        open_moves(page)
    dora.locator(".log").wait_for()
    for _ in range(8):
        page = mover(bia, caio)
        play(page, lambda moves: moves[0])
        expect(page.locator(".log li").first).to_contain_text("Você")
    expect(dora.locator(".log")).to_contain_text("Bia")
    assert legal(dora) == []
    expect(dora.locator(".hand .back")).not_to_have_count(0)
    resign(bia)
    for messages, seats in zip(got, ({0, 1}, {0, 1}, {-1}), strict=True):
        assert len(messages) >= 8 and {message["seat"] for message in messages} <= seats
        compare(bia, messages, "arboretum")


def test_who_goes_away_is_seen_to_be_away_and_two_play_again_together(new_page: NewPage) -> None:
    bia, caio = new_page(), new_page()
    accept(caio, invite(bia, "menor-soma", "Bia"), "Caio")
    there = bia.get_by_role("region", name="Caio")
    expect(there).to_contain_text("à mesa")
    bia.evaluate("document.querySelector('.places').isTheSame = true")
    caio.goto("about:blank")
    expect(there).to_contain_text("ausente")
    assert bia.evaluate("document.querySelector('.places').isTheSame"), "the table was drawn anew"
    caio.go_back()
    expect(there).to_contain_text("à mesa")
    table = bia.url
    resign(bia)
    expect(caio.locator("dialog[open]")).to_contain_text("Você venceu!")
    bia.get_by_role("button", name="Jogar de novo").click()
    expect(bia.get_by_role("heading", name="Esperando Caio")).to_be_visible()
    expect(bia.get_by_text("Quem ainda está na mesa da última partida vê o convite.")).to_be_visible()
    expect(caio.locator("dialog[open]")).to_contain_text("Querem jogar de novo com você.")
    caio.get_by_role("button", name="Jogar de novo").click()
    for page in (bia, caio):
        page.locator(".places").wait_for()
        assert page.url != table


def test_who_has_deleted_himself_is_not_waited_for_to_play_again(new_page: NewPage) -> None:
    bia, caio = new_page(), new_page()
    accept(caio, invite(bia, "trincheira", "Bia"), "Caio")
    bia.locator("[data-moves]").wait_for()
    resign(bia)
    caio.goto("about:blank")
    assert caio.request.delete("/api/me").ok
    expect(bia.get_by_role("dialog", name="Anônimo venceu")).to_be_visible()
    bia.get_by_role("button", name="Jogar de novo").click()
    expect(bia.get_by_role("heading", name="Chame quem vai jogar")).to_be_visible()
    expect(bia.get_by_label("Link do convite")).to_be_visible()


def test_a_clock_is_seen_to_run(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    page.locator('li:has([data-play="menor-soma"]) .gear').click()
    page.get_by_label("Relógio").select_option("move 30")
    page.locator("dialog[open]").get_by_role("button", name="Jogar agora").click()
    clock = page.locator(".own [role=timer]")
    expect(clock).to_have_text(re.compile("0:2[0-9]"))


def test_until_a_house_that_came_back_tells_the_table_the_page_says_so_and_keeps_a_move(new_page: NewPage) -> None:
    page, lines, held = new_page(), list[WebSocketRoute](), list[str | bytes]()

    def between(client: WebSocketRoute) -> None:
        server, is_second = client.connect_to_server(), bool(lines)
        server.on_message(lambda said: held.append(said) if is_second and '"table"' in str(said) else client.send(said))
        lines.append(client)

    page.route_web_socket(re.compile("/ws$"), between)
    sit_down(page, "repeat-poker")
    wait_for_move(page)
    open_moves(page)
    lines[0].close()
    preparing, own = page.get_by_text("preparando a mesa…"), page.get_by_role("region", name="Você", exact=True)
    expect(preparing).to_be_visible()
    expect(page.get_by_text("sem conexão")).to_have_count(0)
    page.locator('[data-drop="a1"]').click()
    expect(page.locator(".notice").filter(has_text="Jogada enviada: esperando a casa.")).to_be_visible()
    expect(page.locator(".moves")).to_contain_text("Jogada enviada: esperando a casa.")
    expect(own).not_to_contain_text("sua vez")
    expect(page.locator(".dock")).not_to_contain_text("Onde vai")
    while not held:
        page.wait_for_timeout(20)
    lines[1].send(held.pop())
    expect(preparing).to_have_count(0)
    while not held:  # the move went out
        page.wait_for_timeout(20)
    lines[1].send(held.pop())
    expect(page.locator("[data-drop]")).to_have_count(24)
    expect(own).to_contain_text("sua vez")
    expect(page.locator(".log li")).to_have_count(2)
