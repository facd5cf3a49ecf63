"""The server over HTTP: identities, matches, headers, limits and what is said when something is wrong."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from server.people import new_house, open_match, person
from server.visitors import Browser

from carteado.rules import GAMES
from carteado.server import house
from carteado.server.app import App
from carteado.server.deal import commitment
from carteado.server.house import House
from carteado.server.identity import COOKIE, player_of, signature, token
from carteado.server.life import BadLog
from carteado.server.sqlite import SqliteStore
from carteado.server.store import Damaged, StoreError
from carteado.wire import Contribution, Key, MatchId, Nickname, Past, socket_schema

Story = Callable[[App, Browser], Awaitable[None]]


@asynccontextmanager
async def opened(folder: Path, **settings: Any) -> AsyncIterator[App]:
    async with new_house(folder, **{"requests_at_once": 10_000, **settings}) as house:
        yield App(house)


def tell_with_app(folder: Path, story: Story, **settings: Any) -> None:
    async def whole() -> None:
        async with opened(folder, **settings) as app, Browser(app) as browser:
            await story(app, browser)

    asyncio.run(whole())


def test_the_games_are_told_with_their_options(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        games = (await browser.get("/api/games")).json()
        assert [game["name"] for game in games] == list(GAMES)
        assert all(game["options"][0]["name"] == "players" for game in games)
        assert sum(game["daily"] for game in games) >= 1
        assert [game["aid"] for game in games] == [game.aid for game in GAMES.values()]

    tell_with_app(tmp_path, story)


def test_an_identity_is_a_signed_cookie_that_scripts_cannot_read(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        nobody = await browser.get("/api/me")
        assert nobody.status_code == 200 and nobody.json() is None
        answer = await browser.post("/api/me", json={"name": "Ana", "lang": "pt"})
        cookie = answer.headers["set-cookie"]
        assert "HttpOnly" in cookie and "SameSite=lax" in cookie
        me = (await browser.get("/api/me")).json()
        assert me["name"] == "Ana" and me["player"] == answer.json()["player"]
        renamed = await browser.post("/api/me", json={"name": "Ana Maria", "lang": "en"})
        assert renamed.json() == {"player": me["player"], "name": "Ana Maria", "lang": "en"}
        assert (await browser.post("/api/me", json={"name": "Ana Maria"})).json() == renamed.json()

    tell_with_app(tmp_path, story)


@pytest.mark.parametrize(
    "name",
    [
        *("", " ", "\u3000 ", "\u200b", "\u200d", "\ufe0f", "\u3164", "Ana\n"),
        *("C\u202ea", "C\u200ba", "C\x85a", "C\u2028a", "Você", "you", " VOCE ", "y\u00f6u"),
        *("Vo\u200dcê", "You\u200c", "You\u3164", "You\ufe0f", "Y\u034fou", "Y\u200aou"),
        *("\u2800 you", "𝐘ou", "𝗩𝗼𝗰ê", "ｙｏｕ"),
    ],
)
def test_a_name_that_cannot_be_seen_or_turns_text_around_or_is_everybodys_is_refused(tmp_path: Path, name: str) -> None:
    async def story(app: App, browser: Browser) -> None:
        answer = await browser.post("/api/me", json={"name": name})
        assert answer.status_code == 400 and (await browser.get("/api/me")).json() is None

    tell_with_app(tmp_path, story)


@pytest.mark.parametrize("name", ["Ana", " Ana  Maria ", "Zé", "李", "7", "👩‍🚀", "می‌شود", "Vocês", "Young", "𝐀na"])
def test_a_name_is_kept_without_the_spaces_around_it(tmp_path: Path, name: str) -> None:
    async def story(app: App, browser: Browser) -> None:
        assert (await browser.post("/api/me", json={"name": name})).json()["name"] == name.strip()

    tell_with_app(tmp_path, story)


@pytest.mark.parametrize(
    ("kind", "text"), [(MatchId, "match-0001"), (Key, "key"), (Key, ""), (Nickname, "Caio"), (Contribution, "ab" * 16)]
)
def test_what_comes_in_has_no_newline_at_its_end(kind: Any, text: str) -> None:
    assert msgspec.json.decode(json.dumps(text), type=kind) == text
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(json.dumps(text + "\n"), type=kind)


@pytest.mark.parametrize("forged", ["", "x", "ana.", "ana.x", "ana.ç", ".", "ana." + signature(b"other" * 8, "ana")])
def test_a_token_that_the_house_did_not_sign_is_nobodys(forged: str) -> None:
    key = b"k" * 32
    assert player_of(key, f"{COOKIE}={forged}") is None
    assert player_of(key, f"{COOKIE}={token(key, 'ana')}") == "ana"


def test_a_match_is_opened_joined_by_link_and_found_in_the_history(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        await browser.named("Ana")
        info = (await browser.post("/api/matches", json={"game": "arboretum", "options": {"players": 2}})).json()
        assert info["status"] == "waiting" and info["seat"] in (0, 1) and info["key"]
        async with Browser(app) as other:
            await other.named("Bento")
            address = f"/api/matches/{info['match']}"
            assert (await other.get(address)).status_code == 404
            assert (await other.post(f"{address}/join", json={"key": "guess"})).status_code == 404
            seen = (await other.get(address, params={"key": info["key"]})).json()
            assert seen["seat"] == -1 and seen["key"] == ""
            joined = (await other.post(f"{address}/join", json={"key": info["key"]})).json()
            assert {joined["seat"], info["seat"]} == {0, 1}
            assert joined["commitment"] == info["commitment"]
            assert (await other.get(f"{address}/record")).status_code == 409
            async with Browser(app) as third:
                await third.named("Caio")
                late = await third.post(f"{address}/join", json={"key": info["key"]})
                assert late.status_code == 409 and late.json()["code"] == "no seat"
        past = (await browser.get("/api/history")).json()["matches"]
        assert [one["match"] for one in past] == [info["match"]]
        assert (await browser.get("/api/matches")).json() == {"waiting": [], "playing": []}

    tell_with_app(tmp_path, story)


def test_the_history_says_whose_turn_it_is_without_waking_a_match(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        house = app.house
        people = [await person(house, "Rui"), await person(house, "Eva")]
        match = await open_match(house, people, "neon-one")

        async def past(seat: int) -> Past:
            [found] = await house.lists.history(people[seat].player, 9)
            return found

        for is_asleep in (False, True):
            if is_asleep:
                for one in people:
                    one.disconnect()
                await house.sweep()
                assert house.tables == {}
            mine, other = await past(0), await past(1)
            assert (mine.turn, other.turn, mine.ply, mine.over) == (True, False, 0, False)
            assert mine.players == ["Rui", "Eva"] and (mine.seat, other.seat) == (0, 1)
            assert bool(house.tables) == (not is_asleep)
        people[0].connect()
        await people[0].say("open", match=match)
        await people[0].say("resign", match=match)
        people[0].disconnect()
        await house.sweep()
        mine = await past(0)
        assert (mine.status, mine.over, mine.turn, mine.winners) == ("over", True, False, [1])
        assert house.tables == {}

    tell_with_app(tmp_path, story)


def test_the_history_tells_from_which_matches_one_has_resigned(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        house = app.house
        people = [await person(house, name) for name in ("Rui", "Eva", "Ida")]
        match = await open_match(house, people, "neon-one")
        await people[0].say("resign", match=match)
        for is_asleep in (False, True):
            if is_asleep:
                for one in people:
                    one.disconnect()
                while house.tables:  # a bot may be thinking there
                    await house.sweep()
                    await asyncio.sleep(0.01)
            found = [(await house.lists.history(one.player, 9))[0] for one in people]
            assert [past.resigned for past in found] == [True, False, False]
            assert {past.status for past in found} == {"playing"} and bool(house.tables) == (not is_asleep)

        async def unreadable(_: str) -> None:
            raise StoreError("damaged")

        house.store.load = unreadable  # type: ignore[method-assign]
        for is_remembered in (True, False):
            assert [past.resigned for past in await house.lists.history(people[0].player, 9)] == [is_remembered]
            house._on_change("", 0)  # a backup was put back

    tell_with_app(tmp_path, story)


def test_of_a_match_that_is_damaged_it_is_not_said_that_one_should_try_again(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        await browser.named("Ana")
        match = (await browser.post("/api/matches", json={"game": "neon-one", "options": {"players": 2}})).json()[
            "match"
        ]
        await app.house.sweep()

        async def unreadable(_: str) -> None:
            raise Damaged("incorrect header check")

        app.house.store.load = unreadable  # type: ignore[method-assign]
        for path in (match, f"{match}/record", f"{match}/replay"):
            answer = await browser.get(f"/api/matches/{path}")
            assert (answer.status_code, answer.json()["code"]) == (409, "other rules")
            assert "danificado" in answer.json()["words"]
        assert (await browser.delete("/api/me")).status_code == 204

    tell_with_app(tmp_path, story)


def test_an_address_ends_where_its_pattern_ends(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        for path in ("matches/abcdefgh%0A", "days/repeat-poker/2026-01-01%0A", "days/repeat-poker%0A/2026-01-01"):
            answer = await browser.get(f"/api/{path}")
            assert (answer.status_code, answer.json()["code"]) == (400, "bad message"), path

    tell_with_app(tmp_path, story)


def test_a_new_name_is_seen_at_the_table_at_once(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        await browser.named("Ana")
        wanted = {"game": "neon-one", "options": {"players": 2}}
        info = (await browser.post("/api/matches", json=wanted)).json()
        await browser.named("Ana Maria")
        seats = (await browser.get(f"/api/matches/{info['match']}")).json()["seats"]
        assert "Ana Maria" in [seat["name"] for seat in seats]

    tell_with_app(tmp_path, story)


def test_nobody_holds_more_bots_than_the_house_lets_him(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        await browser.named("Ana")
        wanted = {"game": "neon-one", "places": [{"kind": "me"}, {"kind": "bot"}, {"kind": "bot"}]}
        answers = [await browser.post("/api/matches", json=wanted) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [201, 201, 429]
        assert answers[2].json()["code"] == "too many bots"
        people = {"game": "neon-one", "options": {"players": 2}}
        assert (await browser.post("/api/matches", json=people)).status_code == 201

    tell_with_app(tmp_path, story, most_bots_each=5)


def test_the_lobby_shows_listed_matches_and_no_key_or_secret(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        await browser.named("Ana")
        wanted = {"game": "neon-one", "places": [{"kind": "me"}, {"kind": "person"}, {"kind": "bot"}], "listed": True}
        info = (await browser.post("/api/matches", json=wanted)).json()
        house = app.house
        for _ in range(2):  # awake, then asleep
            lobby = await browser.get("/api/matches")
            [waiting] = lobby.json()["waiting"]
            assert sorted(seat["kind"] for seat in waiting["seats"]) == ["bot", "free", "person"]
            head = (await house.load(info["match"])).head
            assert head.secret not in lobby.text and head.key not in lobby.text
            assert waiting["commitment"] == commitment(bytes.fromhex(head.secret))
            await house.sweep()
            assert house.tables == {}
        left = await browser.post(f"/api/matches/{info['match']}/leave")
        assert left.status_code == 200
        assert (await browser.get("/api/matches")).json()["waiting"] == []

    tell_with_app(tmp_path, story)


@pytest.mark.parametrize(
    ("wanted", "status"),
    [
        ({}, 400),
        ({"game": "chess"}, 404),
        ({"game": 7}, 400),
        ({"game": "neon-one", "options": {"players": 99}}, 400),
        ({"game": "neon-one", "options": {"colour": 1}}, 400),
        ({"game": "neon-one", "options": {"players": True}}, 400),
        ({"game": "neon-one", "places": [{"kind": "me"}] * 2}, 400),
        ({"game": "neon-one", "places": [{"kind": "bot"}] * 2, "listed": True}, 400),
        ({"game": "neon-one", "places": [{"kind": "person"}] * 2}, 400),
        ({"game": "neon-one", "places": [{"kind": "bot", "level": "god"}] * 2}, 400),
        ({"game": "neon-one", "unknown": 1}, 400),
        ({"game": "neon-one", "clock": {"kind": "move", "seconds": 0}}, 400),
        ({"game": "neon-one", "window": 1e9}, 400),
    ],
)
def test_a_match_that_cannot_be_is_refused_in_words(tmp_path: Path, wanted: object, status: int) -> None:
    async def story(app: App, browser: Browser) -> None:
        await browser.named("Ana")
        answer = await browser.post("/api/matches", json=wanted, headers={"accept-language": "en"})
        assert answer.status_code == status and set(answer.json()) == {"code", "words"}
        assert app.house.tables == {}

    tell_with_app(tmp_path, story)


def test_a_link_carries_the_identity_to_another_device_once(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        await browser.named("Ana")
        code = (await browser.post("/api/me/link")).json()["code"]
        files = [file.read_bytes() for file in tmp_path.iterdir()]
        assert any(b"Ana" in file for file in files) and not any(code.encode() in file for file in files)
        async with Browser(app) as phone:
            assert (await phone.post("/api/link", json={"code": code})).json()["name"] == "Ana"
            assert (await phone.get("/api/me")).json() == (await browser.get("/api/me")).json()
            assert (await phone.post("/api/link", json={"code": code})).status_code == 404

    tell_with_app(tmp_path, story)


def test_all_that_is_kept_can_be_taken_away_and_deleted(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        await browser.named("Ana")
        info = (await browser.post("/api/matches", json={"game": "neon-one", "options": {"players": 2}})).json()
        await browser.post("/api/days/repeat-poker")
        kept = (await browser.get("/api/me/export")).json()
        assert kept["name"] == "Ana" and info["match"] in [seat["match"] for seat in kept["seats"]]
        assert len(kept["days"]) == 1 and kept["link"] is None
        await browser.post("/api/me/link")
        assert (await browser.get("/api/me/export")).json()["link"] > kept["made"]
        token_of_ana = browser.cookies[COOKIE]
        assert (await browser.delete("/api/me")).status_code == 204
        browser.cookies.set(COOKIE, token_of_ana, domain="house")
        assert (await browser.get("/api/me")).json() is None
        answer = await browser.get(f"/api/matches/{info['match']}", params={"key": info["key"]})
        assert answer.status_code == 410 and "Ana" not in answer.text
        assert "Ana" not in json.dumps(msgspec.to_builtins((await app.house.table(info["match"])).info()))

    tell_with_app(tmp_path, story)


@pytest.mark.parametrize("is_asleep", [False, True])
def test_who_is_deleted_gives_his_seat_at_a_waiting_match_back(tmp_path: Path, is_asleep: bool) -> None:
    async def story(app: App, browser: Browser) -> None:
        async def sleep() -> None:
            if is_asleep:
                await app.house.sweep()
                assert app.house.tables == {}

        async def listed() -> list[list[str]]:
            await sleep()
            lobby = (await browser.get("/api/matches")).json()
            return [sorted(seat["kind"] + seat["name"] for seat in one["seats"]) for one in lobby["waiting"]]

        async with Browser(app) as other:
            await browser.named("Ana")
            await other.named("Bento")
            wanted = {"game": "neon-one", "options": {"players": 3}, "listed": True}
            matches = [(await browser.post("/api/matches", json=wanted)).json()["match"] for _ in range(2)]
            await other.post(f"/api/matches/{matches[0]}/join", json={})
            assert len(await listed()) == 2
            assert (await browser.delete("/api/me")).status_code == 204
            assert await listed() == [["free", "free", "personBento"]]
            assert (await other.delete("/api/me")).status_code == 204
            assert await listed() == []

    tell_with_app(tmp_path, story)


def test_who_is_deleted_need_not_wait_for_a_match_of_other_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(app: App, browser: Browser) -> None:
        await browser.named("Ana")
        await browser.post("/api/matches", json={"game": "neon-one", "options": {"players": 2}, "listed": True})
        await app.house.sweep()

        def refuse(*_: object) -> None:
            raise BadLog("other rules")

        monkeypatch.setattr(house, "Table", refuse)
        assert (await browser.delete("/api/me")).status_code == 204
        assert (await browser.get("/api/matches")).json()["waiting"] == []

    tell_with_app(tmp_path, story)


def test_the_hash_of_a_day_comes_before_it_and_the_secret_after(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        house, days = app.house, {}
        game = house.days.game("repeat-poker")
        today = house.today()
        morrow, later = (str(date.fromisoformat(today) + timedelta(days=n)) for n in (1, 2))
        for shift, day in {"before": "2026-01-01", "today": today, "tomorrow": morrow}.items():
            days[shift] = (await browser.get(f"/api/days/{game.name}/{day}")).json()
        assert len({day["commitment"] for day in days.values()}) == 3
        assert days["tomorrow"]["secret"] == "" and len(days["tomorrow"]["commitment"]) == 64
        assert days["tomorrow"]["commitment"] == commitment(house.days.secret(game, morrow))
        assert (await browser.get(f"/api/days/{game.name}/{later}")).status_code == 404
        assert days["today"]["secret"] == "" and len(days["today"]["commitment"]) == 64
        assert commitment(bytes.fromhex(days["before"]["secret"])) == days["before"]["commitment"]
        for never in ("2999-01-01", "2019-12-31", "2026-02-30"):
            assert (await browser.get(f"/api/days/{game.name}/{never}")).status_code == 404
        assert (await browser.get("/api/days/neon-one/2026-01-01")).status_code == 404
        await browser.named("Ana")
        first = (await browser.post(f"/api/days/{game.name}")).json()
        assert (await browser.post(f"/api/days/{game.name}")).json()["match"] == first["match"]
        assert first["commitment"] == days["today"]["commitment"]
        for _ in range(600):
            if (score := (await browser.get(f"/api/days/{game.name}/{today}")).json()["house"]) is not None:
                break
            await asyncio.sleep(0.01)
        assert isinstance(score, int)

    tell_with_app(tmp_path, story)


def test_another_site_may_not_speak_for_somebody(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        evil = await browser.post("/api/me", json={"name": "x"}, headers={"origin": "https://evil.example"})
        assert evil.status_code == 403 and evil.json()["code"] == "bad origin"
        for good in ("http://localhost", "https://play.example"):
            assert (await browser.post("/api/me", json={"name": "x"}, headers={"origin": good})).status_code == 200
        for odd in ("null", "http://[::1", "ftp://localhost"):
            answer = await browser.post("/api/me", json={"name": "x"}, headers={"origin": odd})
            assert answer.status_code == 403 and answer.json()["code"] == "bad origin"

    tell_with_app(tmp_path, story, origins=("https://play.example",))


@pytest.mark.parametrize(
    ("host", "settings", "status"),
    [
        *((host, {}, 200) for host in ("LOCALHOST", "localhost:8000", "127.0.0.1:8000", "[::1]:8000", "10.0.0.7", "")),
        *((host, {}, 403) for host in ("evil.example", "evil.example:8000", "localhost.evil.example", "[::1", "x@y")),
        ("cards.lan:8000", {"origins": ("http://cards.lan:8000",)}, 200),
        ("cards.lan", {"origins": ("http://cards.lan:8000",)}, 403),
        ("cards.example", {"secure_cookie": True}, 200),
    ],
)
def test_on_ones_own_machine_the_house_answers_to_no_name_that_somebody_else_could_have_lead_there(
    tmp_path: Path, host: str, settings: dict[str, Any], status: int
) -> None:
    async def story(app: App, browser: Browser) -> None:
        for path in ("/api/games", "/metrics", "/"):
            answer = await browser.get(path, headers={"host": host})
            assert answer.status_code == (404 if status == 200 and path == "/" else status)
            assert status == 200 or answer.json()["code"] == "bad host"

    tell_with_app(tmp_path, story, **settings)


def test_where_no_host_is_named_no_page_is_from_there(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        assert app.is_home({"origin": "http://localhost", "host": "localhost"})
        assert not app.is_home({"origin": "http://", "host": ""}) and not app.is_home({"origin": "http://"})

    tell_with_app(tmp_path, story)


def test_in_public_the_page_itself_has_to_come_by_tls(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        for origin, status in (("http://localhost", 403), ("https://localhost", 200)):
            answer = await browser.post("/api/me", json={"name": "x"}, headers={"origin": origin})
            assert answer.status_code == status

    tell_with_app(tmp_path, story, secure_cookie=True)


@pytest.mark.parametrize("path", ["/api/games", "/nothing", "/api/me", "/healthz"])
def test_every_answer_has_the_guarding_headers(tmp_path: Path, path: str) -> None:
    async def story(app: App, browser: Browser) -> None:
        headers = (await browser.get(path)).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff" and headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "same-origin"

    tell_with_app(tmp_path, story)


def test_who_asks_for_the_methods_of_an_address_is_told_all_of_them(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        for path, methods in (("/api/me", "DELETE GET OPTIONS POST"), ("/api/games", "GET OPTIONS")):
            answer = await browser.options(path, headers={"origin": "https://evil.example"})
            assert (answer.status_code, answer.content) == (204, b"") and "content-length" not in answer.headers
            assert sorted(answer.headers["allow"].split(", ")) == methods.split()
            assert (await browser.request("TRACE", path)).status_code == 405
        assert (await browser.options("/api/nothing")).json()["code"] == "not found"

    tell_with_app(tmp_path, story)


def test_who_asks_too_fast_is_told_so(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        codes = [(await browser.get("/api/games")).status_code for _ in range(8)]
        assert codes == [200] * 5 + [429] * 3

    tell_with_app(tmp_path, story, requests_at_once=5, requests_a_second=0.001)


def test_a_body_that_is_not_in_utf_8_is_refused(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        headers = {"content-type": "application/json"}
        answer = await browser.post("/api/me", content=b'{"name": "Jos\xe9"}', headers=headers)
        assert answer.status_code == 400 and answer.json()["code"] == "bad message"
        assert app.house.counts["crashes"] == 0

    tell_with_app(tmp_path, story)


def test_too_large_a_body_is_refused(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        answer = await browser.post("/api/me", content=b'{"name": "' + b"x" * 100_000 + b'"}')
        assert answer.status_code == 413 and answer.json()["code"] == "too big"

    tell_with_app(tmp_path, story)


def test_too_many_unfinished_matches_are_refused(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        await browser.named("Ana")
        wanted = {"game": "neon-one", "options": {"players": 2}}
        codes = [(await browser.post("/api/matches", json=wanted)).status_code for _ in range(4)]
        assert codes == [201, 201, 201, 429]

    tell_with_app(tmp_path, story, most_matches_each=3)


def test_what_fails_over_http_is_counted(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        await browser.named("Ana")
        for error in (StoreError("away"), RuntimeError("a fault of ours")):

            async def broken(*_: object, why: Exception = error) -> None:
                raise why

            app.house.store.history = broken  # type: ignore[assignment,method-assign]
            answer = await browser.get("/api/history")
            assert answer.status_code in (500, 503) and str(error) not in answer.text
        told = (await browser.get("/metrics")).text
        assert "carteado_store_errors_total 1\n" in told and "carteado_crashes_total 1\n" in told

    tell_with_app(tmp_path, story)


def test_who_asks_too_often_is_known_by_his_own_address_behind_a_proxy_alone(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        asked = [
            (await browser.get("/api/games", headers={"x-forwarded-for": f"10.0.0.9, 10.0.0.{n}"})).status_code
            for n in (1, 1, 1, 2)
        ]
        is_believed = app.house.settings.proxies == ("127.0.0.0/8",)
        assert asked == ([200, 200, 429, 200] if is_believed else [200, 200, 429, 429])
        numbers = await browser.get("/metrics", headers={"x-forwarded-for": "127.0.0.1"})
        assert numbers.status_code == (429 if not is_believed else 200)

    for proxies in ("127.0.0.0/8",), ("10.0.0.0/8",), ():
        tell_with_app(tmp_path, story, proxies=proxies, requests_at_once=2, requests_a_second=0.001)


@pytest.mark.parametrize(
    ("peers", "answers"),
    [
        (("10.0.0.7", "10.0.0.8"), [200, 200]),
        (("2001:db8::1", "2001:db8::ffff:2", "2001:db8:0:0:9::"), [200, 429, 429]),
        (("2001:db8::1", "2001:db8:0:1::1"), [200, 200]),
        (("::ffff:10.0.0.7", "10.0.0.7", "::ffff:10.0.0.8"), [200, 429, 200]),
    ],
)
def test_who_has_many_addresses_of_one_household_is_one(
    tmp_path: Path, peers: tuple[str, ...], answers: list[int]
) -> None:
    async def story(app: App, _: Browser) -> None:
        found = []
        for peer in peers:
            transport = httpx.ASGITransport(app=app, client=(peer, 1))  # type: ignore[arg-type]
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as one:
                found.append((await one.get("/api/games")).status_code)
        assert found == answers

    tell_with_app(tmp_path, story, requests_at_once=1, requests_a_second=0.001)


def test_a_proxy_and_the_machine_itself_are_known_in_the_clothes_of_ipv6_too(tmp_path: Path) -> None:
    async def story(app: App, _: Browser) -> None:
        def seen(peer: str, said: str) -> str:
            return app.address({"client": (peer, 1)}, {"x-forwarded-for": said} if said else {})

        assert seen("::ffff:127.0.0.1", "10.0.0.9, 10.0.0.7") == "10.0.0.7"
        assert seen("::ffff:127.0.0.1", "") == "127.0.0.1"
        assert seen("::ffff:10.0.0.8", "10.0.0.7") == "10.0.0.8"

    tell_with_app(tmp_path, story, proxies=("127.0.0.1",))


def test_numbers_of_the_house_are_for_the_machine_that_it_runs_on(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        far = httpx.ASGITransport(app=app, client=("10.0.0.7", 1))  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=far, base_url="http://localhost") as stranger:
            for path in ("/metrics", "/metrics/", "//metrics", "/metrics//", "/metrics%2f"):
                assert (await stranger.get(f"http://localhost{path}")).status_code == 404, path
            assert (await stranger.get("/healthz")).status_code == 200
        assert (await browser.get("/metrics")).status_code == 200

    tell_with_app(tmp_path, story)


def test_however_many_days_are_asked_for_the_house_plays_one_at_a_time(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        for n in range(1, 29):
            assert (await browser.get(f"/api/days/repeat-poker/2025-02-{n:02}")).status_code == 200
        assert len(app.house.days._playing) <= 5 and app.house.thinkers.waiting <= 1

    tell_with_app(tmp_path, story)


def test_health_and_metrics_say_how_the_house_is(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        assert (await browser.get("/healthz")).json() == {"status": "well"}
        assert "carteado_move_seconds_count 0" in (await browser.get("/metrics")).text

        async def broken() -> bool:
            raise StoreError("away")

        app.house.store.is_well = broken  # type: ignore[method-assign]
        assert (await browser.get("/healthz")).status_code == 503

    tell_with_app(tmp_path, story)


def test_a_house_that_cannot_open_says_why_in_a_sentence(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        second, told = App(House(SqliteStore(tmp_path / "carteado.db"), b"k" * 32, app.house.settings)), []

        async def receive() -> dict[str, str]:
            return {"type": "lifespan.startup"}

        async def send(message: Any) -> None:
            told.append(message)

        with pytest.raises((StoreError, ExceptionGroup)):
            await second({"type": "lifespan", "state": {}}, receive, send)
        assert [message["type"] for message in told] == ["lifespan.startup.failed"]
        why = f"{tmp_path / 'carteado.db'}: another server has it open"
        assert json.loads(told[0]["message"]) == {"event": "cannot open", "why": why}
        second.house.thinkers.close()

    tell_with_app(tmp_path, story)


def test_a_database_that_is_away_is_said_without_saying_how(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        await browser.named("Ana")

        async def broken(*_: object) -> None:
            raise StoreError("/secret/path: disk full")

        app.house.store.add_match = broken  # type: ignore[method-assign]
        answer = await browser.post("/api/matches", json={"game": "neon-one"})
        assert answer.status_code == 503 and "secret" not in answer.text

    tell_with_app(tmp_path, story)


def test_the_documents_of_the_messages(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        openapi = (await browser.get("/schema/openapi.json")).json()
        assert openapi["openapi"].startswith("3.1") and "/api/matches" in openapi["paths"]
        join = openapi["components"]["schemas"]["Join"]  # with all that is refused
        assert join["additionalProperties"] is False
        assert join["properties"]["seat"]["anyOf"][0] == {"type": "integer", "minimum": 0, "maximum": 15}
        assert (await browser.get("/api/socket.json")).json() == socket_schema()
        for name in GAMES:
            assert name not in json.dumps(socket_schema())

    tell_with_app(tmp_path, story)


def test_the_page_is_served_from_its_folder(tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "index.html").write_text("<h1>Carteado</h1>")

    async def story(app: App, browser: Browser) -> None:
        assert "Carteado" in (await browser.get("/")).text
        assert (await browser.get("/api/games")).status_code == 200
        assert (await browser.get("/../carteado.db")).status_code == 404

    tell_with_app(tmp_path, story, web=tmp_path / "web")


def test_nobody_is_seated_twice(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        await browser.named("Ana")
        info = (await browser.post("/api/matches", json={"game": "neon-one", "options": {"players": 3}})).json()
        again = (await browser.post(f"/api/matches/{info['match']}/join", json={})).json()
        assert again["seat"] == info["seat"]
        assert sum(seat["kind"] == "person" for seat in again["seats"]) == 1

    tell_with_app(tmp_path, story)


def test_whoever_comes_back_is_known_for_another_year(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        assert "set-cookie" not in (await browser.get("/api/me")).headers
        given = (await browser.post("/api/me", json={"name": "Ana"})).headers["set-cookie"]
        assert "Max-Age=31536000" in given
        assert (await browser.get("/api/me")).headers["set-cookie"] == given

    tell_with_app(tmp_path, story)


def test_a_name_is_no_longer_than_it_may_be_however_its_letters_are_written(tmp_path: Path) -> None:
    async def story(app: App, browser: Browser) -> None:
        long = await browser.post("/api/me", json={"name": "x" * 25})
        grown = await browser.post("/api/me", json={"name": "\u0958" * 24})  # of each NFC makes two
        assert long.status_code == 400 and (grown.status_code, grown.json()) == (400, long.json())
        kept = (await browser.post("/api/me", json={"name": "\u0958" * 12})).json()["name"]
        assert len(kept) == 24 and (await browser.post("/api/me", json={"name": kept})).json()["name"] == kept

    tell_with_app(tmp_path, story)
