"""What a screen saw of a match and sent for it is held against the record, whatever the house says last."""

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, WebSocketRoute, expect
from web.conftest import NewPage
from web.visit import GAMES, play_some, resign, sit_down, wait_for_move

from carteado.server.deal import Chain, commitment, seed_of
from carteado.server.log import Event
from carteado.server.record import Unproven, verify

Change = Callable[[dict[str, Any]], None]
OTHER = "ab" * 16


def begin(page: Page, cells: tuple[str, ...] = ("a1", "b2", "c3")) -> None:
    sit_down(page, "repeat-poker")
    for cell in cells:
        page.locator(f'[data-drop="{cell}"]').click()
        expect(page.locator(f'[data-drop="{cell}"]')).to_have_count(0)
        wait_for_move(page)


def lines(page: Page) -> Locator:
    """What is said of each check."""
    page.get_by_role("button", name="Conferir").click()
    found = page.locator(".proof li")
    expect(found).to_have_count(7)
    return found


def between(page: Page, to_house: Change, to_page: Change) -> None:
    """A house that hears and says other things than it should."""

    def route(client: WebSocketRoute) -> None:
        server = client.connect_to_server()

        def passes(change: Change, send: Callable[[str], None]) -> Callable[[str | bytes], None]:
            def pass_on(message: str | bytes) -> None:
                data = json.loads(message)
                change(data)
                send(json.dumps(data))

            return pass_on

        client.on_message(passes(to_house, server.send))
        server.on_message(passes(to_page, client.send))

    page.route_web_socket(re.compile("/ws$"), route)


def as_it_is(message: dict[str, Any]) -> None:
    pass


def test_a_match_seen_from_the_first_to_the_last_holds_in_all_points_also_after_a_reload(new_page: NewPage) -> None:
    page = new_page()
    begin(page)
    page.reload()
    wait_for_move(page)
    resign(page)
    expect(lines(page).filter(has_text="✓")).to_have_count(7)
    expect(page.locator(".proof")).to_contain_text("tudo o que esta tela viu, jogadas e resultado: 5 de 5 momentos")
    expect(page.locator(".proof")).to_contain_text("Tudo o que o navegador pode conferir está certo.")
    page.get_by_role("link", name="Rever").click()
    expect(lines(page).filter(has_text="✓")).to_have_count(7)


def other_bytes(message: dict[str, Any]) -> None:
    if message["type"] == "contribute":
        message["bytes"] = OTHER


def other_commitment(message: dict[str, Any]) -> None:
    if message["type"] == "room" and message["info"]["status"] == "waiting":
        message["info"]["commitment"] = commitment(bytes(32))


def other_link(message: dict[str, Any]) -> None:
    if message["type"] == "table" and message["ply"] == 2:
        message["link"] = message["link"][::-1]


@pytest.mark.parametrize(
    ("to_house", "to_page", "said"),
    [
        (other_bytes, as_it_is, "não são os que esta tela mandou"),
        (as_it_is, other_commitment, "Não é o compromisso que esta tela mostrou primeiro"),
        (as_it_is, other_link, "No evento 5 o registro não é o que esta tela viu"),
    ],
    ids=["bytes", "commitment", "link"],
)
def test_a_house_that_cheats_is_found_though_its_record_is_sound(
    new_page: NewPage, to_house: Change, to_page: Change, said: str
) -> None:
    page = new_page()
    between(page, to_house, to_page)
    begin(page)
    resign(page)
    expect(lines(page).filter(has_text="✓")).to_have_count(6)
    expect(page.locator(".proof .bad")).to_have_count(1)
    expect(page.locator(".proof .bad")).to_contain_text(said)
    expect(page.locator(".proof")).to_contain_text("Algo não confere.")


def forged(record: dict[str, Any], secret: bytes, **data: str) -> dict[str, Any]:
    """The record with another secret or with other data of some kinds of events, and all that follows from it."""
    name = record["match"]
    link = Chain(secret).first(name, record["options"], record["start"])
    for event in record["events"]:
        event["data"] = data.get(event["kind"], event.get("data", ""))
        link = Chain(secret).next(link, Event(event["n"], 0, event["kind"], event.get("seat", -1), event["data"]))
    added = [event["data"] for event in record["events"] if event["kind"] == "contribute"]
    seed = seed_of(secret, [bytes.fromhex(one) for one in added], name)
    made = {"secret": secret.hex(), "commitment": commitment(secret), "contributions": added, "seed": seed.hex()}
    return {**record, **made, "link": link.hex()}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"contribute": OTHER}, ["bytes do seu lugar não são", "No evento 3 "]),
        ({"secret": bytes(32)}, ["Não é o compromisso", "No evento 3 "]),
        ({"move": "e5"}, ["No evento 4 "]),
    ],
    ids=["bytes", "secret", "move"],
)
def test_a_record_that_was_made_anew_does_not_agree_with_what_the_screen_saw(
    new_page: NewPage, changes: dict[str, Any], said: list[str]
) -> None:
    page = new_page()

    def answer(route: Route) -> None:
        response = route.fetch()
        record = response.json()
        route.fulfill(response=response, json=forged(record, **{"secret": bytes.fromhex(record["secret"]), **changes}))

    page.route(re.compile("/record$"), answer)
    begin(page, ("a1",))
    resign(page)
    lines(page)
    bad = page.locator(".proof .bad")
    expect(bad).to_have_count(len(said))
    for n, words in enumerate(said):
        expect(bad.nth(n)).to_contain_text(words)


def test_who_comes_late_is_told_what_could_not_be_compared(new_page: NewPage) -> None:
    page, other = new_page(), new_page()
    begin(page)
    resign(page)
    other.goto(page.url.replace("/mesa/", "/replay/"))
    expect(lines(other).filter(has_text="–")).to_have_count(4)
    expect(other.locator(".proof .bad")).to_have_count(0)
    expect(other.locator(".proof")).to_contain_text("o que tem um traço, ela não viu")


def saved(page: Page, folder: Path) -> bytes:
    with page.expect_download() as found:
        page.get_by_role("button", name="Baixar o registro").click()
    found.value.save_as(folder / "record.json")
    return (folder / "record.json").read_bytes()


@pytest.mark.parametrize("game", GAMES)
def test_the_file_that_the_page_saves_has_what_it_saw_and_all_of_it_is_held_against_the_cards(
    new_page: NewPage, tmp_path: Path, game: str
) -> None:
    page = new_page()
    if play_some(page, game, random.Random(1), 6):
        resign(page)
    page.locator("dialog[open] .acts").wait_for()
    data = saved(page, tmp_path)
    key, parts = verify(data)[-1]
    assert key == "screen holds" and parts["n"] == len(json.loads(data)["seen"]["moments"]) > 3


def other_cards(message: dict[str, Any]) -> None:
    if message["type"] == "table" and message["ply"] == 2:
        message["table"]["deck"].pop()


def test_cards_of_another_deck_are_found_by_the_file_though_all_else_is_of_the_record(
    new_page: NewPage, tmp_path: Path
) -> None:
    page = new_page()
    between(page, as_it_is, other_cards)
    begin(page)
    resign(page)
    with pytest.raises(Unproven) as caught:
        verify(saved(page, tmp_path))
    assert (caught.value.key, caught.value.parts) == ("screen event", {"n": 5})
