"""The front door: all one's matches, tables open to anybody, and what the house knows of somebody."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from web.checks import check
from web.conftest import NewPage
from web.house import House
from web.visit import PHONE, accept, invite, legal, wait_for_move


def be(page: Page, name: str) -> None:
    """Somebody, without a click."""
    assert page.request.post("/api/me", data={"name": name}).ok


def begin(page: Page, game: str = "repeat-poker", **wishes: object) -> str:
    """A match of that page's, without a click; its id."""
    wanted = {"game": game, "places": [{"kind": "me"}], **wishes}
    return str(page.request.post("/api/matches", data=wanted).json()["match"])


def open_table(page: Page, name: str, game: str = "menor-soma") -> str:
    """A table for anybody, without a click; its id."""
    be(page, name)
    places = [{"kind": "me"}, {"kind": "person"}]
    return begin(page, game, options={"players": 2}, places=places, listed=True)


def history(page: Page) -> list[str]:
    return [one["match"] for one in page.request.get("/api/history").json()["matches"]]


def wait_for_lists(page: Page) -> None:
    """Until the front door knows whose matches are whose."""
    page.locator(".lobby").wait_for(state="attached")


def open_you(page: Page) -> None:
    page.get_by_role("button", name="Você").click()
    page.locator("dialog[open]").wait_for()


def device_link(page: Page) -> str:
    page.goto("/")
    open_you(page)
    page.get_by_role("button", name="Usar em outro aparelho").click()
    return page.get_by_label("Link para o outro aparelho").input_value()


def test_seven_matches_are_all_reached_from_the_front_door(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    be(page, "Ana")
    matches = [begin(page) for _ in range(7)]
    page.goto("/")
    links = page.get_by_role("link", name="Voltar")
    expect(links).to_have_count(4)
    page.get_by_role("button", name="Ver todas (7)").click()
    expect(links).to_have_count(7)
    assert links.evaluate_all("all => all.map(one => one.hash)") == [f"#/mesa/{one}" for one in reversed(matches)]
    page.get_by_role("button", name="Ver menos").click()
    expect(links).to_have_count(4)


def test_a_table_that_waits_is_given_up_and_leaves_nothing_behind(new_page: NewPage) -> None:
    page = new_page()
    invite(page, "menor-soma", "Bia")
    assert len(history(page)) == 1
    page.get_by_role("button", name="Fechar a mesa").click()
    expect(page.get_by_role("heading", name="Escolha uma mesa")).to_be_visible()
    wait_for_lists(page)
    expect(page.get_by_text("Suas partidas")).to_have_count(0)
    assert history(page) == []


def test_a_guest_is_told_that_the_table_he_is_invited_to_was_closed(new_page: NewPage) -> None:
    bia, caio = new_page(), new_page()
    link = invite(bia, "menor-soma", "Bia")
    caio.goto(link)
    sit = caio.get_by_role("button", name="Sentar à mesa")
    sit.wait_for()
    bia.get_by_role("button", name="Fechar a mesa").click()
    expect(caio.get_by_role("alert").filter(has_text="Esta mesa foi fechada")).to_be_visible()
    expect(caio.get_by_role("button")).to_have_count(1)  # of the language
    caio.locator("main").get_by_role("link", name="Início").click()
    expect(caio.get_by_role("heading", name="Escolha uma mesa")).to_be_visible()


def goes_back_home(page: Page) -> None:
    """The table that was given up does not stand in the way."""
    page.go_back()
    expect(page.locator("h1")).to_have_text("Escolha uma mesa", timeout=15_000)


def test_where_nobody_comes_the_same_match_is_played_against_bots_in_its_place(new_page: NewPage) -> None:
    page, options = new_page(), {"players": 3, "limit": 50, "memory_aid": True}
    be(page, "Bia")
    places = [{"kind": "me"}, {"kind": "person"}, {"kind": "bot", "level": "aprendiz"}]
    match = begin(page, "menor-soma", options=options, places=places)
    page.goto("/")
    page.goto(f"/#/mesa/{match}")
    page.get_by_role("button", name="Jogar contra robôs").click()
    wait_for_move(page)
    [new] = history(page)
    assert new != match and new in page.url
    info = page.request.get(f"/api/matches/{new}").json()
    assert [seat["level"] for seat in info["seats"] if seat["kind"] == "bot"] == ["aprendiz"] * 2
    assert info["options"] == options
    goes_back_home(page)


def test_where_not_all_come_the_others_go_on_with_bots(new_page: NewPage) -> None:
    bia, caio, dora = new_page(), new_page(), new_page()
    be(bia, "Bia")
    match = begin(bia, "menor-soma", options={"players": 4}, places=[{"kind": "me"}, *[{"kind": "person"}] * 3])
    bia.goto("/")
    bia.goto(f"/#/mesa/{match}")
    link = bia.get_by_label("Link do convite").input_value()
    accept(caio, link, "Caio")
    accept(dora, link, "Dora")
    expect(bia.locator("li.person")).to_have_count(3)
    dora.goto("/")  # and is not there when it begins
    caio.get_by_role("button", name="robôs nos lugares livres").click()
    dora.goto(link)
    for page in (bia, caio, dora):
        page.locator(".places").first.wait_for()
        assert history(page) == [page.url.split("/")[-1]] != [match]
    assert {page.url for page in (bia, caio, dora)} == {bia.url}
    for page in (bia, dora):
        goes_back_home(page)


def test_who_comes_in_the_very_moment_in_which_it_goes_on_with_bots_finds_the_way(new_page: NewPage) -> None:
    bia, caio = new_page(), new_page()
    be(bia, "Bia")
    match = begin(bia, "menor-soma", options={"players": 3}, places=[{"kind": "me"}, *[{"kind": "person"}] * 2])
    bia.goto(f"/#/mesa/{match}")
    link = bia.get_by_label("Link do convite").input_value()
    accept(caio, link, "Caio")
    expect(bia.locator("li.person")).to_have_count(2)
    caio.goto("/")

    def fill_meanwhile(route: Route) -> None:
        """What he is told of the table was so a moment ago."""
        answer = route.fetch()
        assert bia.request.post(f"/api/matches/{match}/fill", data={"level": "aprendiz"}).ok
        route.fulfill(response=answer)

    caio.route(f"**/api/matches/{match}*", fill_meanwhile, times=1)
    caio.goto(link)
    for page in (caio, bia):
        page.locator(".places").first.wait_for()
    assert caio.url == bia.url


def test_a_match_that_one_has_resigned_from_can_be_watched(new_page: NewPage) -> None:
    bia, caio, dora = new_page(), new_page(), new_page()
    be(bia, "Bia")
    places = [{"kind": "me"}, {"kind": "person"}, {"kind": "person"}]
    match = begin(bia, "menor-soma", options={"players": 3}, places=places, listed=True)
    bia.goto(f"/#/mesa/{match}")
    accept(caio, f"/#/mesa/{match}", "Caio")
    expect(bia.get_by_role("button", name="Liberar o lugar")).to_be_visible()
    expect(bia.get_by_role("button", name="Jogar contra robôs")).to_have_count(0)  # somebody came
    expect(bia.get_by_role("button", name="robôs nos lugares livres")).to_be_visible()
    accept(dora, f"/#/mesa/{match}", "Dora")
    bia.locator(".places").wait_for()
    bia.get_by_role("button", name="Menu").click()
    bia.get_by_role("button", name="Desistir").click()
    bia.get_by_role("button", name="Desistir mesmo").click()
    expect(caio.locator(".log")).to_contain_text("Bia desistiu")
    bia.goto("/")
    own = bia.locator("li", has_text="Caio").filter(has_text="desistiu")
    expect(own.get_by_role("link", name="Assistir")).to_have_attribute("href", f"#/mesa/{match}")
    expect(bia.get_by_role("link", name="Voltar")).to_have_count(0)


def test_who_gives_his_seat_back_leaves_the_others_waiting(new_page: NewPage) -> None:
    bia, caio = new_page(), new_page()
    be(bia, "Bia")
    places = [{"kind": "me"}, {"kind": "person"}, {"kind": "person"}]
    match = begin(bia, "menor-soma", options={"players": 3}, places=places, listed=True)
    bia.goto(f"/#/mesa/{match}")
    accept(caio, f"/#/mesa/{match}", "Caio")
    expect(bia.locator("li.person")).to_have_count(2)
    caio.get_by_role("button", name="Liberar o lugar").click()
    expect(bia.locator("li.free")).to_have_count(2)
    expect(bia.get_by_role("button", name="Fechar a mesa")).to_be_visible()
    assert history(caio) == []


def test_a_table_for_anybody_is_found_joined_and_watched_from_the_front_door(new_page: NewPage) -> None:
    bia, caio, dora = new_page(), new_page(viewport=PHONE), new_page()
    bia.goto("/")
    bia.locator('[data-friends="arboretum"]').click()
    bia.get_by_label("Seu nome").fill("Bia das Mesas")
    bia.get_by_label("Qualquer um pode entrar").check()
    bia.get_by_role("button", name="Criar a mesa e convidar").click()
    expect(bia.locator(".waiting")).to_contain_text("A mesa também aparece na página inicial")
    accept_at = caio.get_by_role("link", name="Bia das Mesas")
    caio.goto("/")
    expect(accept_at).to_have_accessible_name("Sentar: Arboretum, 1 lugar livre · Bia das Mesas")
    check(caio)
    accept_at.click()
    caio.get_by_label("Seu nome").fill("Caio")
    caio.get_by_role("button", name="Sentar à mesa").click()
    for page in (bia, caio):
        page.locator("[data-moves]").wait_for(state="attached")
    dora.goto("/")
    watch = dora.get_by_role("link", name="Bia das Mesas")
    expect(watch).to_have_accessible_name(re.compile("^Assistir: Arboretum"))
    watch.click()
    expect(dora.locator(".log")).to_contain_text("As cartas foram dadas.")
    assert legal(dora) == []
    expect(dora.locator(".hand .back")).not_to_have_count(0)
    bia.goto("/")
    bia.get_by_role("link", name="Voltar: Arboretum").wait_for()
    expect(bia.locator(".lobby")).not_to_contain_text("Bia das Mesas")  # her own stands with her matches


def test_a_table_among_friends_is_not_shown_to_others(new_page: NewPage) -> None:
    page, other = new_page(), new_page()
    invite(page, "menor-soma", "Zuleica")
    assert "Zuleica" not in other.request.get("/api/matches").text()


WHERE = """() => [...document.querySelectorAll(".games, section.daily")].map((one) => one.getBoundingClientRect().y)"""


def test_open_tables_come_and_go_by_themselves_and_nothing_jumps(new_page: NewPage) -> None:
    bia, caio = new_page(), new_page(viewport=PHONE)
    caio.clock.install()
    caio.goto("/")
    caio.locator("section.daily").scroll_into_view_if_needed()
    wait_for_lists(caio)
    more = caio.get_by_role("button", name="Ver todas")  # there may be tables of others
    if more.count():
        more.click()
    before = caio.evaluate(WHERE)
    match = open_table(bia, "Bia Passageira")
    row = caio.locator(".lobby li", has_text="Bia Passageira")
    caio.clock.fast_forward(16_000)
    row.or_(more).first.wait_for()
    if more.count():
        more.click()
    expect(row).to_contain_text("1 lugar livre · Bia Passageira (ausente)")  # for she has not looked at it
    assert caio.evaluate(WHERE) == before
    assert bia.request.post(f"/api/matches/{match}/leave", data={}).ok
    caio.clock.fast_forward(16_000)
    expect(row).to_contain_text("terminada")
    expect(row.get_by_role("link")).to_have_count(0)


def test_ones_own_matches_are_as_they_are_now_without_a_reload(new_page: NewPage) -> None:
    page = new_page()
    be(page, "Bia")
    page.clock.install()
    page.goto("/")
    wait_for_lists(page)
    match = begin(page)
    page.clock.fast_forward(16_000)
    expect(page.get_by_role("link", name="Voltar: Repeat Poker")).to_have_attribute("href", f"#/mesa/{match}")


def test_a_limit_can_be_wiped_out_and_written_anew(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    page.locator('li:has([data-play="menor-soma"]) .gear').click()
    limit = page.get_by_label("Limite de pontos")
    limit.fill("")
    limit.fill("50")
    page.locator("dialog[open]").get_by_role("button", name="Jogar agora").click()
    wait_for_move(page)
    match = page.request.get(f"/api/matches/{page.url.split('/')[-1]}").json()
    assert match["options"]["limit"] == 50


def test_what_is_wrong_with_a_wish_is_said_in_its_sheet(browser: Browser, house: House) -> None:
    page = browser.new_page(base_url=house.address, locale="pt-BR")  # its console complains of the network
    page.goto("/")
    page.locator('[data-friends="menor-soma"]').click()
    page.context.set_offline(True)
    page.get_by_role("button", name="Criar a mesa e convidar").click()
    expect(page.locator("dialog[open]").get_by_role("alert").filter(has_text="Sem contato com a casa")).to_be_visible()
    page.context.set_offline(False)
    page.get_by_role("button", name="Criar a mesa e convidar").click()
    expect(page.get_by_label("Link do convite")).to_be_visible()
    page.close()


def test_a_name_is_changed_at_the_front_door(new_page: NewPage) -> None:
    page = new_page()
    page.goto("/")
    open_you(page)
    expect(page.locator("dialog[open]")).to_contain_text("A casa ainda não guarda nada sobre você.")
    for name in ("Ana", "Ana Clara"):
        page.get_by_label("Seu nome").fill(name)
        page.get_by_role("button", name="Salvar").click()
        expect(page.get_by_role("status").filter(has_text="Agora")).to_have_text(f"Agora você se chama {name}.")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Você: Ana Clara")).to_be_focused()
    page.reload()
    expect(page.get_by_role("button", name="Você: Ana Clara")).to_be_visible()


def test_a_link_carries_somebody_to_another_device_once(new_page: NewPage, browser: Browser, house: House) -> None:
    ana, phone = new_page(), new_page(viewport=PHONE)
    be(ana, "Ana")
    match = begin(ana)
    link = device_link(ana)
    phone.goto(link)
    phone.get_by_role("button", name="Usar neste aparelho").wait_for()
    phone.reload()  # to look at it, even twice, does not use it up
    phone.get_by_role("button", name="Usar neste aparelho").click()
    expect(phone.locator("main")).to_contain_text("Aqui você é Ana")
    assert link.rsplit("/", 1)[1] not in phone.url
    phone.get_by_role("link", name="Início", exact=True).click()
    expect(phone.get_by_role("link", name="Voltar")).to_have_attribute("href", f"#/mesa/{match}")
    third = browser.new_context(base_url=house.address, locale="pt-BR")  # its console tells of the refusal
    late = third.new_page()
    late.goto(link)
    late.get_by_role("button", name="Usar neste aparelho").click()
    expect(late.get_by_role("heading", name="Este link não vale mais")).to_be_visible()
    expect(late.get_by_role("alert").filter(has_text="Esse código não vale, já foi usado ou expirou.")).to_be_visible()
    assert late.request.get("/api/me").text() == "null"
    third.close()


def test_an_address_without_its_end_says_what_is_missing(new_page: NewPage) -> None:
    page = new_page()
    be(page, "Bia")
    page.goto("/#/aparelho")
    expect(page.locator("h2")).to_have_text("Falta o código no link")
    page.goto("/#/dia/trincheira")
    expect(page.get_by_role("alert").filter(has_text="Trincheira não tem desafio do dia.")).to_be_visible()


def test_who_is_somebody_already_is_told_that_a_link_replaces_him(new_page: NewPage) -> None:
    ana, bia = new_page(), new_page()
    be(ana, "Ana")
    be(bia, "Bia")
    begin(bia)
    bia.goto(device_link(ana))
    expect(bia.locator("main")).to_contain_text("Este navegador já é de Bia, com 1 partida, e isso será substituído")
    check(bia)
    bia.get_by_role("link", name="Agora não").click()
    expect(bia.get_by_role("button", name="Você: Bia")).to_be_visible()


def test_the_file_of_all_that_is_kept_has_the_name_and_the_matches(new_page: NewPage) -> None:
    page = new_page()
    be(page, "Ana")
    matches = [begin(page), begin(page, "neon-one", places=[{"kind": "me"}, {"kind": "bot"}], options={"players": 2})]
    page.goto("/")
    open_you(page)
    with page.expect_download() as got:
        page.get_by_role("button", name="Baixar tudo o que a casa guarda sobre mim").click()
    assert got.value.suggested_filename == "carteado-me.json"
    kept = json.loads(Path(got.value.path()).read_text())
    assert kept["name"] == "Ana"
    assert {one["match"] for one in kept["seats"]} == set(matches)


def test_who_deletes_everything_is_a_newcomer(new_page: NewPage) -> None:
    page = new_page()
    be(page, "Ana")
    page.goto(f"/#/mesa/{begin(page)}")
    page.get_by_role("button", name="Agora não").click()  # no tour: the browser remembers that
    page.goto("/")
    page.get_by_role("link", name="Voltar").wait_for()
    open_you(page)
    page.get_by_role("button", name="Apagar tudo").click()
    page.get_by_role("button", name="Não apagar").click()
    page.get_by_role("button", name="Apagar tudo").click()
    expect(page.locator("dialog[open]")).to_contain_text("fica um lugar sem nome. Não há volta.")
    page.get_by_role("button", name="Apagar mesmo").click()
    page.get_by_role("button", name="Você", exact=True).wait_for()
    wait_for_lists(page)
    expect(page.get_by_text("Suas partidas")).to_have_count(0)
    assert page.request.get("/api/me").text() == "null"
    assert page.context.cookies() == []
    assert page.evaluate("localStorage.getItem('carteado.tours')") is None
    page.locator('[data-play="repeat-poker"]').click()
    expect(page.get_by_role("link", name="Aprender jogando")).to_be_visible()


def delete_elsewhere(page: Page) -> None:
    """On another device: this one still has its cookie. It should ask nothing in that moment."""
    cookies = page.context.cookies()
    assert page.request.delete("/api/me").ok
    page.context.add_cookies(cookies)  # type: ignore[arg-type]


def test_who_deletes_everything_elsewhere_is_a_newcomer_here_without_a_reload(new_page: NewPage) -> None:
    page = new_page()
    be(page, "Ana")
    begin(page)
    page.goto("/")
    page.get_by_role("link", name="Voltar").wait_for()
    wait_for_lists(page)
    delete_elsewhere(page)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.get_by_role("button", name="Você", exact=True)).to_be_visible()
    expect(page.get_by_text("Suas partidas")).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)


def test_who_deletes_everything_elsewhere_plays_on_here_as_a_guest(new_page: NewPage) -> None:
    page = new_page()
    be(page, "Ana")
    page.goto("/")
    page.get_by_role("button", name="Você: Ana").wait_for()
    for game in ("repeat-poker", "trincheira"):
        wait_for_lists(page)
        delete_elsewhere(page)
        page.locator(f'[data-play="{game}"]').click()
        wait_for_move(page)
        page.get_by_role("link", name="carteado").click()
        page.get_by_role("button", name="Você: Visitante").wait_for()


def test_who_deletes_everything_elsewhere_is_told_so_at_his_table(new_page: NewPage) -> None:
    page = new_page()
    be(page, "Ana")
    page.goto(f"/#/mesa/{begin(page)}")
    wait_for_move(page)
    delete_elsewhere(page)
    expect(page.get_by_text("Essa partida não existe, ou não está aberta para você.")).to_be_visible()
    expect(page.get_by_text("Sem conexão")).to_have_count(0)
    expect(page.get_by_text("preparando a mesa…")).to_have_count(0)
    expect(page.get_by_text("Aprender jogando")).to_have_count(0)
    expect(page).to_have_title("Repeat Poker")


def test_the_sheet_is_for_everybody_with_its_link_and_its_last_question(new_page: NewPage) -> None:
    page = new_page()
    be(page, "Ana")
    device_link(page)
    page.get_by_role("button", name="Apagar tudo").click()
    check(page)


def test_the_front_door_fits_a_phone_in_english_too(new_page: NewPage) -> None:
    page = new_page(locale="en-US")
    be(page, "W" * 24)
    begin(page)
    page.goto("/")
    page.get_by_role("link", name="Resume").wait_for()
    check(page)
    page.get_by_role("button", name="You:").click()
    page.get_by_role("button", name="Delete everything").click()
    check(page)


NOWHERE = ["mesa/%E0%A4%A", "mesa", "mesa/nada", "replay/nada", "dia/repeat-poker/amanha", "dia/x/2026-13-45"]


@pytest.mark.parametrize("end", NOWHERE)
def test_an_address_that_leads_nowhere_leads_home(new_page: NewPage, end: str) -> None:
    page = new_page()
    page.goto(f"/#/{end}")
    expect(page.locator("[data-play]").first).to_be_visible()
