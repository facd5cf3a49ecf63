"""Whoever sends what cannot be read is told which part of it, and what was expected there."""

import asyncio
import json
from pathlib import Path

import pytest
from server.people import new_house, person
from server.test_fuzz import Wire
from server.visitors import Browser

from carteado.server.app import App
from carteado.server.socket import Sockets

PLAY = '{"type": "play", "match": "abcdefgh", "ply": %s, "move": "7s"%s}'


@pytest.mark.parametrize(
    ("message", "why"),
    [
        (PLAY % ('"x"', ""), "Expected `int`, got `str` - at `$.ply`"),
        (PLAY % ("-1", ""), "Expected `int` >= 0 - at `$.ply`"),
        (PLAY % ("1", ', "colour": 1'), "Object contains unknown field `colour`"),
        ('{"type": "play"}', "Object missing required field `match`"),
        ('{"match": "abcdefgh"}', "Object missing required field `type`"),
        ('{"type": "speak", "lang": "de"}', "Invalid enum value 'de' - at `$.lang`; expected one of en, pt"),
        ("[]", "Expected `object`, got `array`"),
        ("{", "Input data was truncated"),
    ],
)
def test_over_the_socket(tmp_path: Path, message: str, why: str) -> None:
    async def story() -> None:
        async with new_house(tmp_path) as house:
            wire = Wire(Sockets(house), await person(house, "Ana"))
            await wire.send(message)
            await wire.settled()
            told = json.loads(wire.got[-1]["text"])
            assert (told["type"], told["code"]) == ("wrong", "bad message")
            assert told["words"].startswith("I did not understand that message: ") and why in told["words"]
            await wire.leave()

    asyncio.run(story())


def test_of_a_kind_of_message_that_there_is_not_those_that_there_are_are_listed(tmp_path: Path) -> None:
    async def story() -> None:
        async with new_house(tmp_path) as house:
            wire = Wire(Sockets(house), await person(house, "Ana"))
            await wire.send('{"type": "sing"}')
            await wire.settled()
            words = json.loads(wire.got[-1]["text"])["words"]
            assert "'sing' - at `$.type`; expected one of speak, open, close," in words
            await wire.leave()

    asyncio.run(story())


MATCH = '{"game": "neon-one", "places": [{"kind": "me"}, %s]}'


@pytest.mark.parametrize(
    ("method", "path", "body", "why"),
    [
        ("POST", "/api/me", '{"name": 5}', "Expected `str`, got `int` - at `$.name`"),
        ("POST", "/api/me", '{"name": "Ana", "age": 5}', "Object contains unknown field `age`"),
        ("POST", "/api/me", '{"name": "%s"}' % ("x" * 99), "Expected `str` of length <= 24 - at `$.name`"),
        ("POST", "/api/me", '{"name"', "Input data was truncated"),
        ("POST", "/api/matches", '{"game": "neon-one", "listed": 1}', "Expected `bool`, got `int` - at `$.listed`"),
        ("POST", "/api/matches", '{"game": "neon-one", "window": "1"}', "got `str` - at `$.window`"),
        (
            "POST",
            "/api/matches",
            '{"game": "neon-one", "options": {"players": "2"}}',
            "got `str` - at `$.options[...]`",
        ),
        ("POST", "/api/matches", '{"game": "neon-one", "window": 1e999}', "out of range - at `$.window`"),
        ("POST", "/api/me", "", "it has no body"),
        ("POST", "/api/me", "[" * 3000, "Expected `object`, got `array`"),
        ("POST", "/api/matches", '{"game": "neon-one", "start": {"x": %s' % ("[" * 3000), "nested too deeply"),
        ("POST", "/api/matches", MATCH % '{"kind": "dog"}', "at `$.places[1].kind`; expected one of bot, me, person"),
        ("POST", "/api/matches", MATCH % '{"kind": "bot", "level": 3}', "got `int` - at `$.places[1].level`"),
        ("GET", "/api/matches/abcdefgh/replay?seat=x&lang=pt", "", "Expected `int`, got `str` - at `$.seat`"),
        ("GET", "/api/matches/abcdefgh/replay?seat=0&lang=de", "", "at `$.lang`; expected one of en, pt"),
    ],
)
def test_over_http(tmp_path: Path, method: str, path: str, body: str, why: str) -> None:
    async def story() -> None:
        async with new_house(tmp_path) as house, Browser(App(house)) as browser:
            await browser.post("/api/me", json={"name": "Ana", "lang": "pt"})
            headers = {"content-type": "application/json"} if method == "POST" else {}
            answer = await browser.request(method, path, content=body, headers=headers)
            told = answer.json()
            assert (answer.status_code, told["code"]) == (400, "bad message")
            assert told["words"].startswith("Não entendi essa mensagem: ") and why in told["words"]

    asyncio.run(story())


@pytest.mark.parametrize(
    ("wanted", "why"),
    [
        ('{"game": "menor-soma", "options": {"limit": 9}}', "limit: expected "),
        ('{"game": "menor-soma", "options": {"memory_aid": 2}}', "memory_aid: expected "),
        ('{"game": "trincheira", "options": {"jokers": %s}}' % 10**30, "jokers: expected a whole number from 0 to 4"),
        ('{"game": "trincheira", "options": {"colour": 1}}', "colour: trincheira has only players, jokers"),
        ('{"game": "trincheira", "places": [{"kind": "me"}]}', "players: expected 2, got 1"),
    ],
)
def test_of_options_that_a_game_has_not_it_is_told_which_and_what_there_is(
    tmp_path: Path, wanted: str, why: str
) -> None:
    async def story() -> None:
        async with new_house(tmp_path) as house, Browser(App(house)) as browser:
            await browser.named("Ana")
            headers = {"content-type": "application/json", "accept-language": "en"}
            told = (await browser.post("/api/matches", content=wanted, headers=headers)).json()
            assert told["code"] == "bad option" and f"with that value: {why}" in told["words"]

    asyncio.run(story())


def test_what_is_long_is_told_in_brief(tmp_path: Path) -> None:
    async def story() -> None:
        async with new_house(tmp_path) as house, Browser(App(house)) as browser:
            answer = await browser.post("/api/me", json={"name": "Ana", "x" * 5000: 1})
            assert answer.status_code == 400 and 200 < len(answer.json()["words"]) < 300

    asyncio.run(story())
