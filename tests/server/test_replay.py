"""A finished match step by step: each seat's own sight of it, and nothing before the end."""

import asyncio
import dataclasses
import gzip
import json
import random
import threading
from pathlib import Path
from typing import Any

import pytest
from server.people import Person, open_match, person
from server.visitors import Browser, tell_with_browser

from carteado.rules import GAMES
from carteado.rules.match import Match
from carteado.server import replay
from carteado.server.client import Refused
from carteado.server.house import House
from carteado.server.life import Life
from carteado.server.lists import Aside
from carteado.server.log import Chair, Event, Head
from carteado.server.record import verify
from carteado.text import happened
from carteado.wire import NewMatch, Place

SECRET = "ab" * 32
SHORT_WINDOWS = {"window_people": 0.02, "window_bot": 0.01}


def head_of(game: str, players: int) -> Head:
    rules = GAMES[game]
    options = rules.checked_options({"players": players})
    full = rules.full_options(options)
    return Head("match-0001", 1, game, rules.version, full, SECRET, "", [Chair() for _ in range(players)])


def finished(head: Head, seed: int = 1) -> list[Event]:
    """A whole match of random moves, with a seat that a bot takes over for a while."""
    life, choose, events = Life(head), random.Random(seed), []

    def add(kind: Any, seat: int, data: str = "") -> None:
        events.append(Event(life.events + 1, 5, kind, seat, data))
        life.apply(events[-1])

    for seat in range(life.seats):
        add("sit", seat)
    add("deal", -1)
    while life.to_move is not None:
        assert life.match is not None
        if life.ply in (3, 5):
            add("takeover" if life.ply == 3 else "return", 0)
        add("move", life.to_move, choose.choice(life.match.legal()))
    return events


@pytest.mark.parametrize("lang", ["pt", "en"])
@pytest.mark.parametrize("game", GAMES)
def test_every_frame_is_what_that_seat_was_shown_then(game: str, lang: str) -> None:
    players = min(3, GAMES[game].players.values[-1])
    head = head_of(game, players)
    events = finished(head)
    called = dict(enumerate(("Rui", "Eva", "Ivo")[:players]))
    for seat in (-2, -1, *range(players)):
        found = replay.replay_of(head, events, called, seat, seat, lang)
        life = Life(head)
        frames = iter(found.frames)
        for event in events:
            life.apply(event)
            if life.match is None:
                continue
            frame = next(frames)
            table = life.match.table() if seat == -2 else life.match.shown(seat)
            assert (frame.event, frame.ply, frame.kind, frame.table) == (event.n, life.ply, event.kind, table)
            assert frame.mover == (None if event.kind == "deal" else event.seat)
            if event.kind == "deal":
                assert frame.line == frame.move == ""
            elif event.kind == "move":
                seen = event.data if seat == -2 else life.match.moves_seen(seat)[-1][1]
                names = [("Você" if lang == "pt" else "You") if n == seat else called[n] for n in called]
                told = happened(life.match, seat, names, lang)
                assert (frame.move, frame.line) == (seen, told)
            else:
                assert frame.line
        assert next(frames, None) is None
        assert found.names == list(called.values()) and found.over and found.left_out == 0
        assert (found.winners, found.scores) == (life.winners, life.scores)


@pytest.mark.parametrize("game", [game for game in GAMES if GAMES[game].players.values[-1] > 1])
def test_g5_where_somebody_gave_up_the_last_frame_of_every_seat_is_open(game: str) -> None:
    head = head_of(game, 2)
    events = finished(head)[:8]
    events.append(Event(9, 5, "resign", 1))
    whole = replay.replay_of(head, events, {}, -2, -2, "en").frames
    for seat in (-1, 0, 1):
        frames = replay.replay_of(head, events, {}, seat, seat, "en").frames
        assert frames[-1].table == whole[-1].table
        assert frames[-2].table != whole[-2].table


def test_of_a_very_long_match_the_deal_and_the_last_of_it_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    head = head_of("neon-one", 2)
    events = finished(head)
    whole = replay.replay_of(head, events, {}, -1, -1, "en")
    monkeypatch.setattr(replay, "MOST_FRAMES", 10)
    short = replay.replay_of(head, events, {}, -1, -1, "en")
    assert short.frames == [whole.frames[0], *whole.frames[-9:]]
    assert short.left_out == len(whole.frames) - 10


async def play_out(people: list[Person], match: str) -> None:
    choose = random.Random(3)
    while not people[0].last.get("over"):
        for one in people:
            last = one.last
            if last.get("legal") and not last.get("over"):
                await one.say("play", match=match, ply=last["ply"], move=choose.choice(last["legal"])["move"])
        await asyncio.sleep(0)


def test_nothing_is_replayed_before_the_end_and_everything_after_it_to_anybody(tmp_path: Path) -> None:
    async def story(house: House, browser: Browser) -> None:
        people = [await person(house, name) for name in ("Rui", "Eva")]
        match = await open_match(house, people, "trincheira")
        address = f"/api/matches/{match}/replay"
        for seat in (-2, -1, 0, 1):
            early = await browser.get(address, params={"seat": seat})
            assert early.status_code == 409 and set(early.json()) == {"code", "words"}
        record = f"/api/matches/{match}/record"
        assert (await browser.get(record)).status_code == 409
        await play_out(people, match)
        assert verify((await browser.get(record)).content)
        for seat in (-2, -1, 0, 1):
            answer = await browser.get(address, params={"seat": seat, "lang": "en"})
            found = answer.json()
            assert answer.status_code == 200 and answer.headers["content-encoding"] == "gzip"
            assert (found["seat"], found["over"], found["names"]) == (seat, True, ["Rui", "Eva"])
            assert found["winners"] == people[0].last["winners"] and found["scores"] == people[0].last["scores"]
        last = (await browser.get(address, params={"seat": 0})).json()["frames"][-1]
        assert last["table"] == people[0].last["table"]
        plain = await browser.get(address, headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers and plain.json()["seat"] == -1

    tell_with_browser(tmp_path, story, **SHORT_WINDOWS)


def test_of_a_match_that_was_closed_before_the_deal_there_is_neither_record_nor_replay(tmp_path: Path) -> None:
    async def story(house: House, browser: Browser) -> None:
        rui = await person(house, "Rui")
        match = (await house.open(rui.player, NewMatch("trincheira"))).match
        await house.tables[match].stand(rui.player)
        assert await house.store.status(match) == "over"
        for what in ("record", "replay"):
            answer = await browser.get(f"/api/matches/{match}/{what}")
            assert (answer.status_code, answer.json()["code"]) == (409, "not over")

    tell_with_browser(tmp_path, story)


def test_what_a_replay_is_asked_for_wrongly_is_refused(tmp_path: Path) -> None:
    async def story(house: House, browser: Browser) -> None:
        people = [await person(house, name) for name in ("Rui", "Eva")]
        match = await open_match(house, people, "neon-one")
        await people[0].say("resign", match=match)
        address = f"/api/matches/{match}/replay"
        found = (await browser.get(address, params={"seat": -2})).json()
        assert found["resigned"] == [0] and found["winners"] == [1] and found["scores"] == []
        assert found["frames"][-1]["kind"] == "resign" and found["frames"][-1]["mover"] == 0
        for wrong in ({"seat": 2}, {"seat": -3}, {"seat": "x"}, {"lang": "fr"}):
            assert (await browser.get(address, params=wrong)).status_code == 400
        assert (await browser.get("/api/matches/nothing-here/replay")).status_code == 404
        await browser.named("Ana")
        closed = (await browser.post("/api/matches", json={"game": "neon-one", "options": {"players": 2}})).json()
        await browser.post(f"/api/matches/{closed['match']}/leave")
        assert (await browser.get(f"/api/matches/{closed['match']}/replay")).status_code == 409

    tell_with_browser(tmp_path, story, **SHORT_WINDOWS)


def test_no_more_replays_are_made_at_once_than_the_house_can_bear(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(house: House, browser: Browser) -> None:
        people = [await person(house, name) for name in ("Rui", "Eva")]
        match = await open_match(house, people, "neon-one")
        await people[0].say("resign", match=match)
        address, gate = f"/api/matches/{match}/replay", threading.Event()
        monkeypatch.setattr(replay, "written", lambda *_: gzip.compress(b"{}") if gate.wait(30) else b"")
        first = [asyncio.ensure_future(browser.get(address, params={"seat": seat})) for seat in (-1, -1, 0, 0, 1, 1)]
        while len(house.lists.replays._making) < 3:
            await asyncio.sleep(0.005)
        late = await browser.get(address, params={"seat": -2})
        assert late.status_code == 503 and late.json()["code"] == "busy"
        record = await browser.get(
            f"/api/matches/{match}/record"
        )  # by which the deal is proved: it waits for no replay
        assert record.status_code == 200
        gate.set()
        assert [(await answer).status_code for answer in first] == [200] * 6
        assert (await browser.get(address)).status_code == 200

    tell_with_browser(tmp_path, story, most_replays=3, **SHORT_WINDOWS)


def test_what_several_ask_for_at_once_is_made_once() -> None:
    async def story() -> None:
        aside, gate, times = Aside(at_once=1, most=1), threading.Event(), list[bool]()

        def make() -> int:
            times.append(gate.wait(30))
            return len(times)

        asked = [asyncio.ensure_future(aside.make("this", make)) for _ in range(5)]
        await asyncio.sleep(0)
        asked[0].cancel()  # who goes away takes it from nobody
        with pytest.raises(Refused, match="busy"):
            await aside.make("that", make)
        gate.set()
        assert await asyncio.gather(*asked[1:]) == [1] * 4
        assert await aside.make("that", make) == 2 and await aside.make("this", make) == 3

    asyncio.run(story())


def test_a_try_of_the_day_and_the_houses_game_are_shown_when_the_day_is_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(house: House, browser: Browser) -> None:
        one, game = await person(house, "Rui"), house.days.game("repeat-poker")
        info = await house.days.give_try(one.player, game.name)
        await one.say("open", match=info.match)
        await one.say("contribute", match=info.match, bytes="ab" * 16)
        await one.table()
        await play_out([one], info.match)
        today = house.today()
        paths = [f"/api/matches/{info.match}/replay", f"/api/days/{game.name}/{today}/replay"]
        assert [(await browser.get(path)).status_code for path in paths] == [409, 409]
        monkeypatch.setattr(house, "today", lambda: "9999-01-01")
        tried, houses = [(await browser.get(path, params={"lang": "en"})).json() for path in paths]
        assert tried["frames"][0]["table"]["card"] == houses["frames"][0]["table"]["card"]  # the same deck
        kept = await house.store.house(game.name, today)
        assert kept is not None and kept.moves is not None
        assert [frame["move"] for frame in houses["frames"][1:]] == kept.moves
        assert houses["scores"] == [kept.score] and houses["over"]
        assert houses["names"] == ["Master"] and "Master" in houses["frames"][1]["line"]

    tell_with_browser(tmp_path, story, **SHORT_WINDOWS)


def test_the_houses_game_of_a_day_whose_moves_were_not_kept_is_said_to_be_missing(tmp_path: Path) -> None:
    async def story(house: House, browser: Browser) -> None:
        await house.store.save_house("repeat-poker", "2026-01-02", 400, [])
        house.store._writing.execute("UPDATE houses SET moves = NULL")  # type: ignore[attr-defined]
        answer = await browser.get("/api/days/repeat-poker/2026-01-02/replay")
        assert answer.status_code == 404 and answer.json()["code"] == "not kept"
        assert (await browser.get("/api/days/neon-one/2026-01-02/replay")).status_code == 404

    tell_with_browser(tmp_path, story, **SHORT_WINDOWS)


def test_it_is_packed_as_json() -> None:
    head = head_of("menor-soma", 2)
    events = finished(head)
    plain = replay.written(head, events, {}, -1, -1, "pt", False)
    assert gzip.decompress(replay.written(head, events, {}, -1, -1, "pt", True)) == plain
    assert json.loads(plain)["frames"][0]["table"] == Match(GAMES["menor-soma"], head.options, seed(head)).shown(-1)


def seed(head: Head) -> bytes:
    return Life(head).seed()


def test_of_a_match_with_older_rules_there_is_neither_record_nor_replay_but_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story(house: House, browser: Browser) -> None:
        people = [await person(house, name) for name in ("Rui", "Eva")]
        match = await open_match(house, people, "neon-one", listed=True)
        waiting = await house.open(
            people[0].player, NewMatch("neon-one", places=[Place("me"), Place("person")], listed=True)
        )
        await people[0].say("resign", match=match)
        assert [one.match for one in (await house.lists.lobby()).waiting] == [waiting.match]
        game = GAMES["neon-one"]
        monkeypatch.setitem(GAMES, game.name, dataclasses.replace(game, version=game.version + 1))
        for what in ("record", "replay"):
            answer = await browser.get(f"/api/matches/{match}/{what}")
            assert answer.status_code == 409 and answer.json()["code"] == "other rules"
        assert not (await house.lists.lobby()).waiting

    tell_with_browser(tmp_path, story, **SHORT_WINDOWS)


def test_who_looks_with_the_eyes_of_another_is_not_called_you(tmp_path: Path) -> None:
    async def story(house: House, browser: Browser) -> None:
        people = [await person(house, name) for name in ("Rui", "Eva")]
        match = await open_match(house, people, "neon-one")
        await people[0].say("play", match=match, ply=0, move=people[0].last["legal"][0]["move"])
        await people[0].say("resign", match=match)
        for one, called in ((people[0].player, "You "), (people[1].player, "Rui "), (None, "Rui ")):
            found = json.loads(await house.lists.replay(match, 0, one, "en", False))
            assert all(frame["line"].startswith(called) for frame in found["frames"][1:])
            assert found["frames"][0]["table"]["hands"][0][0] != "?"

    tell_with_browser(tmp_path, story, **SHORT_WINDOWS)
