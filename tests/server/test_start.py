"""A match that begins at a position: only alone against bots, kept in the log, and said plainly by verify."""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from server.people import Person, person
from server.visitors import Browser, tell_with_browser

import carteado
from carteado.rules import GAMES
from carteado.server.client import Refused
from carteado.server.house import House
from carteado.server.opening import MOST_POSITION, checked_start
from carteado.server.record import Unproven, verify
from carteado.server.words import WORDS, say
from carteado.wire import NewMatch, Place, write

Story = Callable[[House, Browser], Awaitable[None]]


def tell_with_ana(folder: Path, story: Story) -> None:
    async def named(house: House, browser: Browser) -> None:
        await story(house, await browser.named("Ana"))

    tell_with_browser(folder, named)


def position(game: str, plies: int = 5) -> dict[str, Any]:
    match, choose = carteado.new(game, seed="start", players=min(2, GAMES[game].players.values[-1])), random.Random(1)
    for _ in range(min(plies, GAMES[game].most_plies // 2)):  # before the end, also of a short game
        match.play(choose.choice(match.legal()))
    return dict(json.loads(json.dumps(match.table())))


def wanted(game: str, **more: Any) -> dict[str, Any]:
    start = position(game)
    places = [{"kind": "me"}, *[{"kind": "bot"}] * (start["players"] - 1)]
    return {"game": game, "places": places, "start": start, **more}


async def play_out(one: Person, match: str) -> None:
    choose = random.Random(2)
    while not one.last.get("over"):
        if one.last.get("legal"):
            move = choose.choice(one.last["legal"])["move"]
            await one.say("play", match=match, ply=one.last["ply"], move=move)
        await asyncio.sleep(0.001)


@pytest.mark.parametrize("game", GAMES)
def test_a_match_begins_at_the_position_also_when_it_is_woken_and_is_verified(tmp_path: Path, game: str) -> None:
    async def story(house: House, browser: Browser) -> None:
        info = (await browser.post("/api/matches", json=wanted(game))).json()
        assert info["seat"] == 0 and not info["listed"]  # nothing is drawn where the seats have cards
        player = await house.store.player((await browser.get("/api/me")).json()["player"])
        assert player is not None
        one = Person(house, player)
        await one.say("open", match=info["match"])
        await one.say("contribute", match=info["match"], bytes="ab" * 16)
        await one.table()
        first = next(message for message in one.got if message["type"] == "table")
        assert first["table"] == carteado.setup(game, position(game)).shown(0)
        one.disconnect()
        while house.tables:  # a bot may be thinking
            await asyncio.sleep(0.01)
            await house.sweep()
        one.connect()
        await one.say("open", match=info["match"])
        woken = house.tables[info["match"]].life.match
        assert woken is not None and woken.start is not None
        await play_out(one, info["match"])
        record = await house.lists.record(info["match"])
        told = verify(write(record))
        assert [key for key, _ in told][3:5] == ["set up", "moves from there hold"]
        assert all(say(lang, key, **parts) for lang in WORDS for key, parts in told)
        frames = (await browser.get(f"/api/matches/{info['match']}/replay", params={"seat": -2})).json()["frames"]
        assert frames[0]["table"] == position(game)

    tell_with_ana(tmp_path, story)


def test_a_position_that_was_changed_in_the_record_is_found_out(tmp_path: Path) -> None:
    async def story(house: House, browser: Browser) -> None:
        info = (await browser.post("/api/matches", json=wanted("neon-one"))).json()
        player = await house.store.player((await browser.get("/api/me")).json()["player"])
        assert player is not None
        one = Person(house, player)
        await one.say("open", match=info["match"])
        await one.table()
        await one.say("resign", match=info["match"])
        record = json.loads(write(await house.lists.record(info["match"])))
        assert verify(json.dumps(record).encode())
        hand = record["start"]["hands"][0]
        hand[0], hand[1] = hand[1], hand[0]
        with pytest.raises(Unproven):
            verify(json.dumps(record).encode())
        with pytest.raises(Unproven):
            verify(json.dumps({**record, "start": None}).encode())

    tell_with_ana(tmp_path, story)


def broken(**fields: Any) -> dict[str, Any]:
    return {**position("neon-one"), **fields}


@pytest.mark.parametrize(
    ("start", "why"),
    [
        ({}, "game"),
        ({"game": "trincheira"}, "game"),
        (broken(players=99), "players"),
        (broken(hands=[["R7"], ["R7"]]), ""),
        (broken(hands="x"), "hands"),
        (broken(unknown=1), "unknown"),
        (broken(account={"x": "y" * MOST_POSITION}), "bytes"),
    ],
)
def test_a_wrong_position_is_refused_with_the_reason_of_the_rules(tmp_path: Path, start: Any, why: str) -> None:
    async def story(house: House, browser: Browser) -> None:
        data = {**wanted("neon-one"), "start": start}
        answer = await browser.post("/api/matches", json=data, headers={"accept-language": "en"})
        assert answer.status_code == 400 and answer.json()["code"] == "bad position"
        assert why in answer.json()["words"] and len(answer.json()["words"]) < 400
        assert house.tables == {}

    tell_with_ana(tmp_path, story)


def test_a_position_where_nobody_decides_is_refused(tmp_path: Path) -> None:
    match, choose = carteado.new("repeat-poker", seed="x"), random.Random(1)
    while not match.over:
        match.play(choose.choice(match.legal()))

    async def story(house: House, browser: Browser) -> None:
        answer = await browser.post("/api/matches", json={"game": "repeat-poker", "start": match.table()})
        assert answer.status_code == 400 and answer.json()["code"] == "bad position"

    tell_with_ana(tmp_path, story)


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"places": [{"kind": "me"}, {"kind": "person"}]}, "not alone"),
        ({"places": [{"kind": "bot"}, {"kind": "bot"}]}, "not alone"),
        ({"listed": True}, "not alone"),
        ({"places": [{"kind": "me"}]}, "bad places"),
        ({"options": {"players": 3}}, "bad option"),
    ],
)
def test_a_position_is_for_one_who_plays_alone(tmp_path: Path, more: dict[str, Any], code: str) -> None:
    async def story(house: House, browser: Browser) -> None:
        answer = await browser.post("/api/matches", json=wanted("neon-one", **more))
        assert answer.status_code == 400 and answer.json()["code"] == code

    tell_with_ana(tmp_path, story)


def test_a_position_nested_without_end_is_refused(tmp_path: Path) -> None:
    async def story(house: House, browser: Browser) -> None:
        for depth in (200, 900, 20_000):
            deep = '{"game": "neon-one", "start": {"game": "neon-one", "hands": ' + "[" * depth + "]" * depth + "}}"
            answer = await browser.post("/api/matches", content=deep, headers={"content-type": "application/json"})
            assert answer.status_code == 400, answer.text

    tell_with_ana(tmp_path, story)


def mutated(choose: random.Random, data: Any) -> Any:
    """The same with one thing in it made wrong, or right by chance."""
    data = json.loads(json.dumps(data))
    while isinstance(data, dict | list) and data:
        keys = list(data) if isinstance(data, dict) else list(range(len(data)))
        key = choose.choice(keys)
        if isinstance(data[key], dict | list) and data[key] and choose.random() < 0.7:
            data[key] = mutated(choose, data[key])
            return data
        kind = choose.randrange(4)
        if kind == 0:
            del data[key]
        elif kind == 1:
            data[key] = choose.choice([None, True, -1, 0, 7, 10**30, 2.5, "", "?", "x" * 50, [], {}, [[]], "R7", "9s"])
        elif kind == 2 and isinstance(data, list):
            data.append(choose.choice(data))
        else:
            data[key] = data[choose.choice(keys)]
        return data
    return None


@pytest.mark.parametrize("game", GAMES)
def test_a_position_that_is_wrong_in_any_way_is_refused_or_can_be_played(game: str) -> None:
    choose, good, refused = random.Random(game), position(game, 9), 0
    for _ in range(400):
        start = mutated(choose, good)
        try:
            found, options = checked_start(GAMES[game], NewMatch(game, start=start))
        except Refused as error:
            assert error.code == "bad position"
            refused += 1
            continue
        match = carteado.setup(game, found)
        assert match.legal() and options["players"] == match.players
    assert refused > 100


def test_a_rematch_of_a_position_begins_at_it_again(tmp_path: Path) -> None:
    async def story(house: House, browser: Browser) -> None:
        one = await person(house, "Rui")
        info = await house.open(one.player, NewMatch("neon-one", start=position("neon-one")))
        await one.say("open", match=info.match)
        await one.table()
        await one.say("resign", match=info.match)
        await one.say("rematch", match=info.match)
        again = await one.until(lambda m: m["type"] == "again")
        assert house.tables[again["next"]].head.start == house.tables[info.match].head.start
        assert house.tables[again["next"]].seat_of(one.player.id) == 0

    tell_with_ana(tmp_path, story)


@pytest.mark.parametrize("is_asked", [True, False])
def test_a_position_in_the_midst_of_an_attack_is_played_on_from_there(tmp_path: Path, is_asked: bool) -> None:
    """There is no move before it: nobody asked at a moment from which on a window could run."""
    match, choose = carteado.new("trincheira", seed="start", players=2), random.Random(1)
    while match.to_move is not None and match.states["phase"][0] != match.game.asks:
        moves = match.legal()
        match.play(next((move for move in moves if move.startswith("attack")), choose.choice(moves)))
    asked = match.to_move
    assert asked is not None
    mine = asked if is_asked else 1 - asked
    places = [Place("me" if seat == mine else "bot") for seat in range(2)]

    async def story(house: House, browser: Browser) -> None:
        one = await person(house, "Rui")
        info = await house.open(one.player, NewMatch("trincheira", places=places, start=dict(match.table())))
        await one.say("open", match=info.match)
        await one.table()
        first = next(message for message in one.got if message["type"] == "table")  # a bot may have answered since
        assert first["to_move"] == asked and "window" not in first and bool(first.get("legal")) == is_asked
        await play_out(one, info.match)

    tell_with_ana(tmp_path, story)
