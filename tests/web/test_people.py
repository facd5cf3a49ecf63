"""Two people at one table, and whoever leaves and comes back."""

from playwright.sync_api import Page, expect
from web.conftest import NewPage
from web.visit import legal, sit_down


def invite(page: Page, game: str, name: str) -> str:
    page.goto("/")
    page.locator(f'[data-friends="{game}"]').click()
    page.get_by_label("Seu nome").fill(name)
    page.get_by_role("button", name="Criar a mesa e convidar").click()
    link = page.get_by_label("Link do convite")
    link.wait_for()
    return link.input_value()


def accept(page: Page, link: str, name: str) -> None:
    page.goto(link)
    page.get_by_label("Seu nome").fill(name)
    page.get_by_role("button", name="Sentar à mesa").click()


def test_two_browsers_play_each_other_by_the_link(new_page: NewPage) -> None:
    bia, caio = new_page(), new_page(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True)
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
    sit_down(page, "repeat-poker")
    page.locator('[data-drop="a1"]').click()
    expect(page.locator('[data-drop="a1"]')).to_have_count(0)
    page.context.set_offline(True)
    expect(page.get_by_role("status")).to_contain_text("sem conexão")
    page.locator('[data-drop="b2"]').click()
    page.context.set_offline(False)
    expect(page.locator('[data-drop="b2"]')).to_have_count(0)
    expect(page.locator("[data-drop]")).to_have_count(23)
    expect(page.locator(".log li")).to_have_count(3)


def test_a_hint_can_be_asked_for_and_played(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "repeat-poker")
    page.get_by_role("button", name="Dica").click()
    page.get_by_role("button", name="Jogar isso").click()
    expect(page.locator("[data-drop]")).to_have_count(24)


def test_where_nothing_is_given_away_a_move_can_be_taken_back(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "menor-soma")
    page.locator(".pile.target").first.click()
    page.locator(".held.mine").wait_for()
    page.locator('[data-drop="discard"].target').click()
    page.get_by_role("button", name="Passar").wait_for()
    page.get_by_role("button", name="Desfazer").click()
    expect(page.locator(".held.mine")).to_be_visible()
    page.get_by_role("button", name="Desfazer").click()
    expect(page.get_by_role("alert")).to_contain_text("Não dá para desfazer")


def test_who_resigns_sees_the_end_and_may_play_again(new_page: NewPage) -> None:
    page = new_page()
    sit_down(page, "trincheira")
    table = page.url
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Desistir").click()
    page.get_by_role("button", name="Desistir mesmo").click()
    page.get_by_role("button", name="Jogar de novo").click()
    page.locator("[data-moves]").wait_for()
    assert page.url != table
