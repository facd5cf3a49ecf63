"""A finished match that anyone can open, its proof and its record; and the deal of the day."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from web.conftest import NewPage
from web.visit import GAMES, open_moves, play, resign, sit_down, wait_for_turn

from carteado.rules import GAMES as RULES
from carteado.rules.match import Match
from carteado.server.record import verify


def finish(page: Page, game: str, moves: int = 6) -> str:
    """Plays a little, resigns if it is not over yet, and says which match it was."""
    sit_down(page, game)
    open_moves(page)
    while moves and wait_for_turn(page):
        play(page, lambda legal: next(move for move in legal if move != "stop"))
        moves -= 1
    if wait_for_turn(page):
        resign(page)
    return page.url.rpartition("/")[2]


def at(page: Page) -> int:
    return int(page.locator(".count").inner_text().split(" / ")[0])


def test_anyone_goes_through_a_match_with_buttons_slider_and_keys(new_page: NewPage) -> None:
    match, page = finish(new_page(), "arboretum"), new_page()
    page.goto(f"/#/replay/{match}")
    expect(page.locator(".count")).to_contain_text("0 / ")
    expect(page.locator(".reel .line")).to_have_text("As cartas foram dadas.")
    end = int(page.locator(".count").inner_text().split(" / ")[1])
    for key, where in (("ArrowRight", 1), ("End", end), ("ArrowLeft", end - 1), ("Home", 0)):
        page.keyboard.press(key)
        expect(page.locator(".count")).to_have_text(f"{where} / {end}")
    page.get_by_role("button", name="Próxima jogada").click()
    expect(page.locator(".count")).to_have_text(f"1 / {end}")
    expect(page.locator(".reel .line")).to_contain_text("comprou")
    page.get_by_label("Ir para a jogada").fill("4")
    expect(page.locator(".count")).to_have_text(f"4 / {end}")
    assert page.url.endswith(f"/{match}/4")
    page.locator(".log button").last.click()  # a line of the log leads to its move
    expect(page.locator(".count")).to_have_text(f"1 / {end}")
    page.get_by_role("heading", name="Rever").click()
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pausar")).to_be_visible()
    expect(page.locator(".count")).to_have_text(f"2 / {end}")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Reproduzir")).to_be_visible()
    assert at(page) < end
    expect(page.locator("[data-move]")).to_have_count(0)


@pytest.mark.parametrize("game", GAMES)
def test_it_is_seen_through_any_eyes_and_they_are_shown_what_they_saw(new_page: NewPage, game: str) -> None:
    player, page = new_page(), new_page()
    match = finish(player, game)
    with page.expect_response(lambda answer: "/replay?" in answer.url) as answered:
        page.goto(f"/#/replay/{match}/3")
    record = player.request.get(f"/api/matches/{match}/record").json()
    views = {-2: answered.value.json()}
    page.locator(".reel").wait_for()
    if len(record["names"]) > 1:
        for seat in (0, 1, -1):
            with page.expect_response(lambda answer: "/replay?" in answer.url) as answered:
                page.get_by_label("Visto por").select_option(str(seat))
            views[seat] = answered.value.json()
            expect(page.locator(".count")).to_contain_text("3 / ")
    again = Match(RULES[game], record["options"], bytes.fromhex(record["seed"]))
    for ply, move in enumerate([*(event["data"] for event in record["events"] if event["kind"] == "move"), ""]):
        for seat, replay in views.items():
            shown = next(frame["table"] for frame in replay["frames"] if frame["ply"] == ply)
            if move:  # what is shown at the end is open to all
                assert shown == json.loads(json.dumps(again.table() if seat == -2 else again.shown(seat))), (seat, ply)
        if move:
            again.play(move)


def test_the_end_and_the_front_door_lead_to_it(new_page: NewPage) -> None:
    page = new_page()
    match = finish(page, "trincheira", 2)
    page.get_by_role("link", name="Rever").click()
    expect(page.locator(".count")).to_contain_text("0 / ")
    page.goto("/")
    page.get_by_role("link", name="Rever: Trincheira").click()
    expect(page.locator(".count")).to_contain_text("0 / ")
    assert match in page.url


def test_its_proof_needs_no_crypto_of_the_browser_and_its_record_can_be_verified(
    new_page: NewPage, tmp_path: Path
) -> None:
    match, page = finish(new_page(), "repeat-poker"), new_page()
    page.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', {get: () => undefined})")
    page.goto(f"/#/replay/{match}")
    page.get_by_role("button", name="Conferir").click()
    expect(page.locator(".proof li")).to_have_count(7)
    expect(page.locator(".proof .bad")).to_have_count(0)
    expect(page.locator(".proof")).to_contain_text("O que esta tela pôde conferir está certo")
    assert page.evaluate("crypto.subtle === undefined")
    with page.expect_download() as saved:
        page.locator("dialog[open]").get_by_role("button", name="Baixar o registro").click()
    assert saved.value.suggested_filename == f"carteado-{match}.json"
    saved.value.save_as(tmp_path / "record.json")
    assert verify((tmp_path / "record.json").read_bytes())


def test_the_deal_of_the_day_is_played_and_listed_and_yesterdays_shows_how_the_house_played(new_page: NewPage) -> None:
    page = new_page(timezone_id="America/Sao_Paulo")
    page.goto("/")
    page.get_by_role("button", name="Jogar o desafio").click()
    page.locator("[data-moves]").wait_for(state="attached")
    open_moves(page)
    while wait_for_turn(page):
        play(page, lambda moves: moves[0])
    score = page.locator("dialog[open] h2").inner_text().split()[0]
    end = page.locator("dialog[open]")
    expect(end).to_contain_text("Amanhã dá para rever, conferir e baixar o registro.")
    expect(end.locator(".acts > *")).to_have_text(["Ver a lista", "Início"])  # nothing that leads nowhere until then
    page.goto("/")
    expect(page.locator(".finished").get_by_role("link")).to_have_text(["Ver a lista"])
    page.locator(".finished").get_by_role("link").click()
    mine = page.locator("tr.mine")
    expect(mine).to_contain_text("você")
    expect(mine).to_contain_text(score)
    expect(page.locator("tr.house")).to_contain_text(re.compile(r"mestre da casa\s*\d+"))
    expect(page.get_by_text("O dia vira às 21:00 no seu relógio (meia-noite UTC).")).to_be_visible()
    page.get_by_role("button", name="EN: change to English").click()
    expect(page.locator("h2")).to_have_text(datetime.now(UTC).strftime("Repeat Poker, %B %-d, %Y"))
    page.get_by_role("button", name="PT: mudar para português").click()
    page.get_by_role("link", name="Dia anterior").click()
    yesterday = (datetime.now(UTC) - timedelta(days=1)).strftime("%Y-%m-%d")
    assert page.url.endswith(f"/dia/repeat-poker/{yesterday}")
    page.get_by_role("link", name="Rever a do mestre").click()
    expect(page.locator(".count")).to_contain_text("0 / ")
    page.keyboard.press("End")
    expect(page.locator(".ask")).to_contain_text(re.compile(r"Fim de jogo: \d+ pontos"))


def test_a_day_that_has_not_begun_is_not_said_to_be_over(new_page: NewPage) -> None:
    page, tomorrow = new_page(), datetime.now(UTC) + timedelta(days=1)
    page.goto(f"/#/dia/repeat-poker/{tomorrow:%Y-%m-%d}")
    expect(page.get_by_text("Esse dia ainda não começou.")).to_be_visible()
    expect(page.locator("tbody")).to_have_text("Ninguém jogou ainda.")
    expect(page.get_by_role("navigation").get_by_role("link")).to_have_text(["Dia anterior"])


def show_a_day(page: Page, **own: object) -> list[dict[str, object]]:
    """A day that is over; its tries."""
    best = [("Bia", 30), ("Caio", 21), ("Dora", 21), ("Eva", 9)]
    tries: list[dict[str, object]] = [
        {"name": name, "score": score, "match": f"match{n:04}"} for n, (name, score) in enumerate(best)
    ]
    day = {"date": "2026-01-02", "game": "repeat-poker", "commitment": "", "secret": "aa", "house": 24}
    own = {"mine": "", "score": None, "place": None, **own}
    page.route("**/api/days/**", lambda route: route.fulfill(json={**day, "best": tries, **own}))
    page.goto("/#/dia/repeat-poker/2026-01-02")
    return tries


def test_equal_tries_have_equal_places_and_the_house_stands_where_its_score_belongs(new_page: NewPage) -> None:
    page = new_page()
    tries = show_a_day(page)
    rows = page.locator("tbody tr")
    expect(rows).to_have_text(["1Bia30", "mestre da casa24", "2Caio21", "2Dora21", "4Eva9"])
    expect(rows.nth(1)).to_have_class(re.compile("house"))
    tries.clear()
    page.reload()
    expect(rows).to_have_text(["Ninguém jogou nesse dia.", "mestre da casa24"])


def test_who_is_below_the_best_of_a_day_sees_his_place_and_score(new_page: NewPage) -> None:
    page = new_page()
    page.request.post("/api/me", data={"name": "Ana"})
    show_a_day(page, mine="match0099", score=3, place=41)
    expect(page.locator("tr.mine")).to_have_text("41Anavocê3")
    expect(page.locator("tbody tr").last).to_have_text("41Anavocê3")


def test_a_try_that_did_not_end_on_its_day_is_said_not_to_count_and_can_be_played_on(new_page: NewPage) -> None:
    page = new_page()
    show_a_day(page, mine="match0099")
    expect(
        page.get_by_text("A sua tentativa não está na lista: só conta a que chega ao fim no próprio dia.")
    ).to_be_visible()
    expect(page.get_by_role("link", name="Ver a minha tentativa")).to_have_attribute("href", "#/mesa/match0099")
    expect(page.get_by_role("link", name="Rever a minha")).to_have_count(0)  # there is no replay of it


def test_a_page_that_stays_open_while_the_day_ends_offers_the_new_one(new_page: NewPage) -> None:
    page, today = new_page(), datetime.now(UTC)
    page.clock.set_fixed_time(today)
    page.goto("/")
    shown = page.locator("section.daily").get_by_role("link", name="Ver a lista")
    expect(shown).to_have_attribute("href", f"#/dia/repeat-poker/{today:%Y-%m-%d}")
    page.clock.set_fixed_time(today + timedelta(days=1))
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(shown).to_have_attribute("href", f"#/dia/repeat-poker/{today + timedelta(days=1):%Y-%m-%d}")
    page.clock.set_fixed_time(today)
    page.goto(f"/#/dia/repeat-poker/{today:%Y-%m-%d}")
    begin = page.get_by_role("button", name="Jogar o desafio")
    expect(begin).to_be_visible()
    page.clock.set_fixed_time(today + timedelta(days=1))
    begin.click()
    expect(page.get_by_text("O dia acabou: dá para rever cada tentativa e a partida do mestre.")).to_be_visible()
    expect(begin).to_have_count(0)
