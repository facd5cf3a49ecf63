"""What a page does when something does not come: a part of it, the house, or the clipboard."""

import json
import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from web.conftest import PATIENCE, NewPage
from web.house import House
from web.matches import open_match
from web.visit import PHONE, invite, open_moves, play, resign, sit_down, wait_for_move

Careless = Callable[..., Page]


@pytest.fixture
def careless_page(browser: Browser, house: House) -> Iterator[Careless]:
    """A page without a service worker, which may complain of the network."""
    contexts = []

    def made(**options: object) -> Page:
        context = browser.new_context(base_url=house.address, locale="pt-BR", service_workers="block", **options)
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        return context.new_page()

    yield made
    for context in contexts:
        context.close()


def renew(page: Page, folder: Path, part: str, for_ever: bool = False) -> list[str]:
    """The page comes as it was before the house was renewed: a part of it is there no more.

    In the list is what it was asked for as. Whoever asks again gets the new one, unless that is kept from him.
    """
    html = (folder / "index.html").read_text()
    found = re.search(r'src="/assets/(index-[^"]+\.js)"', html)
    assert found is not None
    name, entry = found[1], (folder / "assets" / found[1]).read_text()
    asked: list[str] = []

    def door(route: Route) -> None:
        asked.append(route.request.resource_type)
        if asked[-1] == "document" and (len(asked) == 1 or for_ever):
            route.fulfill(content_type="text/html", body=html.replace(name, "index-old.js"))
        else:
            route.continue_()

    old = re.sub(rf"\b{part}-[\w-]+\.js", f"{part}-old.js", entry)
    page.route(re.compile(r"^\w+://[^/]+/$"), door)
    page.route("**/assets/index-old.js", lambda route: route.fulfill(content_type="text/javascript", body=old))
    return asked


def test_a_page_that_is_older_than_the_house_begins_anew(careless_page: Careless, page_folder: Path) -> None:
    page = careless_page()
    asked = renew(page, page_folder, "Table")
    page.goto("/")
    page.locator('[data-play="repeat-poker"]').click()
    expect(page.locator("[data-drop]").first).to_be_visible()
    assert asked == ["document", "fetch", "document"]


def test_it_does_so_once_and_then_says_what_is_missing(careless_page: Careless, page_folder: Path) -> None:
    page = careless_page()
    asked = renew(page, page_folder, "Table", for_ever=True)
    page.goto("/")
    with page.expect_event("domcontentloaded"):
        page.locator('[data-play="repeat-poker"]').click()
    expect(page.get_by_role("alert").filter(has_text="Uma parte da página não chegou")).to_be_visible()
    assert asked == ["document", "fetch", "document"]


def test_a_table_that_does_not_come_is_no_empty_page(careless_page: Careless, page_folder: Path) -> None:
    page = careless_page()
    chunks = json.loads((page_folder / ".vite" / "manifest.json").read_text())
    table = f"**/{chunks['src/games/repeat-poker.svelte']['file']}"
    page.route(table, lambda route: route.abort())
    page.goto("/")
    page.locator('[data-play="repeat-poker"]').click()
    expect(page.get_by_role("alert").filter(has_text="Uma parte da página não chegou")).to_be_visible()
    page.unroute(table)
    page.get_by_role("button", name="Recarregar").click()
    expect(page.locator("[data-drop]").first).to_be_visible()


@pytest.mark.parametrize("away", [None, 502])
def test_a_table_waits_for_a_house_that_is_away(careless_page: Careless, away: int | None) -> None:
    page = careless_page()
    page.goto("/")
    page.locator('[data-play="repeat-poker"]').click()
    page.locator("[data-drop]").first.wait_for()
    page.route("**/api/**", lambda route: route.fulfill(status=away, body="Bad Gateway") if away else route.abort())
    page.reload()
    expect(page.get_by_role("status").filter(has_text="Sem contato com a casa. Tentando de novo…")).to_be_visible()
    page.unroute("**/api/**")
    expect(page.locator("[data-drop]").first).to_be_visible()


def test_what_the_house_refuses_is_not_asked_again(careless_page: Careless) -> None:
    page = careless_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "nothing-here" in request.url else None)
    page.goto("/#/mesa/nothing-here")
    expect(page.get_by_role("alert")).to_be_visible()
    page.wait_for_timeout(1500)  # a house that is away is tried again after 0.3 s, and 0.8 s after that
    assert len(asked) == 1


def test_what_is_refused_at_the_end_of_the_front_door_is_said_in_sight_on_a_phone(careless_page: Careless) -> None:
    page = careless_page(viewport=PHONE)
    page.goto("/")
    button = page.locator('[data-play="repeat-poker"]')
    button.scroll_into_view_if_needed()
    page.context.set_offline(True)
    button.click()
    expect(page.get_by_role("alert")).to_be_in_viewport()
    expect(page.get_by_role("alert")).to_have_text("Sem contato com a casa. Confira a conexão e tente de novo.")


REFUSE_TO_KEEP = """for (const place of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, place, {get() { throw new DOMException("no", "SecurityError"); }})"""


def test_where_a_browser_refuses_to_keep_anything_one_plays_all_the_same(new_page: NewPage) -> None:
    page = new_page()
    page.add_init_script(REFUSE_TO_KEEP)
    page.goto("/#/aprender/repeat-poker")
    wait_for_move(page)
    open_moves(page)
    play(page, lambda moves: moves[0])
    sit_down(page, "repeat-poker")
    wait_for_move(page)
    open_moves(page)
    play(page, lambda moves: moves[0])
    expect(page.locator("[data-drop]")).to_have_count(24)
    page.get_by_role("button", name="Menu").click()
    page.get_by_label("Sons").check()
    page.goto("/")
    page.get_by_role("button", name="Você:").click()
    page.get_by_role("button", name="Apagar tudo").click()
    page.get_by_role("button", name="Apagar mesmo").click()
    expect(page.get_by_role("button", name="Você", exact=True)).to_be_visible()


def test_a_browser_that_keeps_no_cookie_is_told_that_it_has_to(careless_page: Careless) -> None:
    page, answer = careless_page(), {"player": "nobody", "name": "Visitante", "lang": "pt"}
    page.route("**/api/me", lambda route: route.fulfill(json=answer) if route.request.post_data else route.continue_())
    page.goto("/")
    page.locator('[data-play="repeat-poker"]').click()
    expect(page.get_by_role("alert").filter(has_text="Permita os cookies")).to_be_visible()


def test_a_table_that_is_refused_has_no_button_that_does_nothing(careless_page: Careless) -> None:
    page = careless_page()
    page.goto("/#/mesa/nothing-here")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_role("button")).to_have_count(1)  # of the language


REFUSE = "Object.defineProperty(navigator, 'clipboard', {value: {writeText: () => Promise.reject(new Error())}})"


@pytest.mark.parametrize("is_old_way", [True, False])
def test_a_link_that_may_not_be_copied_is_copied_the_old_way_or_said_to_be_selected(
    new_page: NewPage, is_old_way: bool
) -> None:
    page = new_page()
    page.add_init_script(f"{REFUSE}; document.execCommand = () => {str(is_old_way).lower()}")
    link = invite(page, "menor-soma", "Bia")
    page.get_by_role("button", name="Compartilhar o link").click()
    if is_old_way:
        expect(page.get_by_role("button", name="Link copiado")).to_be_visible()
    else:
        expect(page.get_by_role("status").filter(has_text="copie-o do campo")).to_be_visible()
        assert page.evaluate("getSelection().toString()") == link


def test_a_table_goes_back_with_a_house_to_which_an_older_copy_is_put_back(
    browser: Browser, page_folder: Path, tmp_path: Path
) -> None:
    """The last word of the house counts, whatever the page has seen and sent since."""
    house = House(tmp_path, page_folder)
    house.start()
    page = browser.new_page(base_url=house.address, locale="pt-BR")

    def put(*cells: str) -> None:
        for cell in cells:
            page.locator(f'[data-drop="{cell}"]').click()
            expect(page.locator(f'[data-move="{cell}"]')).to_have_count(0)
            wait_for_move(page)

    def restart(change: Callable[[], object]) -> None:
        house.stop()
        expect(page.get_by_text("sem conexão")).to_be_visible()
        change()
        house.start()
        expect(page.get_by_text("sem conexão")).to_have_count(0)

    def keep() -> None:
        for file in tmp_path.glob("db*"):
            shutil.copy(file, tmp_path / f"old-{file.name}")

    def put_back() -> None:
        for file in tmp_path.glob("db*"):
            file.unlink()
        for file in tmp_path.glob("old-*"):
            file.rename(tmp_path / file.name.removeprefix("old-"))
        page.locator('[data-drop="e5"]').click()  # a move of a table that will never have been

    try:
        sit_down(page, "repeat-poker")
        put("a1")
        restart(keep)
        put("b2", "c3")
        restart(put_back)
        expect(
            page.get_by_role("alert").filter(has_text="A casa voltou a um momento anterior da partida.")
        ).to_be_visible()
        expect(page.locator("[data-drop]")).to_have_count(24)
        expect(page.locator(".log li")).to_have_count(2)
        put("b2")
        expect(page.locator(".log li")).to_have_count(3)
    finally:
        page.close()
        house.stop()


@pytest.mark.parametrize("is_asked", [False, True])
def test_the_front_door_opens_when_the_house_is_there_again_by_itself_or_at_a_touch(
    careless_page: Careless, is_asked: bool
) -> None:
    page = careless_page()
    if is_asked:
        page.clock.install()
        page.clock.pause_at(time.time() + 5)  # so it will not try by itself
    page.route("**/api/**", lambda route: route.abort())
    page.goto("/")
    expect(page.get_by_role("alert").filter(has_text="Sem contato com a casa. Tentando de novo…")).to_be_visible()
    page.unroute("**/api/**")
    if is_asked:
        page.get_by_role("button", name="Tentar de novo").click()
    expect(page.locator('[data-play="repeat-poker"]')).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_what_came_at_last_in_a_replay_is_not_said_to_be_missing(careless_page: Careless) -> None:
    page, said = careless_page(), "Sem contato com a casa"
    sit_down(page, "trincheira")
    resign(page)
    page.route("**/replay?**", lambda route: route.abort())
    page.goto(f"/#/replay/{page.url.rpartition('/')[2]}")
    again = page.get_by_role("button", name="Tentar de novo")
    again.wait_for()
    page.unroute("**/replay?**")
    again.click()
    page.locator(".reel").wait_for()
    expect(again).to_have_count(0)
    page.route("**/replay?**", lambda route: route.abort())
    page.get_by_label("Visto por").select_option("0")
    expect(page.get_by_role("alert").filter(has_text=said)).to_be_visible()
    page.unroute("**/replay?**")
    page.get_by_label("Visto por").select_option("1")
    expect(page.get_by_role("alert").filter(has_text=said)).to_have_count(0)
    expect(page.locator(".reel")).to_be_visible()


def test_who_sat_down_at_last_is_not_told_that_the_house_is_away(careless_page: Careless) -> None:
    bia, caio = careless_page(), careless_page()
    match = open_match(bia, "Bia", game="menor-soma", options={"players": 3})
    caio.goto(f"/#/mesa/{match['match']}/{match['key']}")
    caio.route("**/join", lambda route: route.abort())
    caio.get_by_role("button", name="Sentar").click()
    expect(caio.get_by_role("alert").filter(has_text="Sem contato com a casa")).to_be_visible()
    caio.unroute("**/join")
    caio.get_by_role("button", name="Sentar").click()
    expect(caio.get_by_label("Link do convite")).to_be_visible()
    expect(caio.get_by_role("alert")).to_have_count(0)
