"""Thousands of moves with everything that every client got: nothing in it is more than that seat may know."""

import asyncio
import json
import random
from copy import copy
from pathlib import Path
from typing import Any

import pytest
from server.people import Message, Person, new_house, open_match, person

from carteado.rules import GAMES
from carteado.rules.match import Match
from carteado.server.client import Refused
from carteado.server.house import House
from carteado.server.log import Event
from carteado.server.words import say
from carteado.text import LANGUAGES, happened, moves, seat_names

MOVES = 400  # of each game, with two people, two watchers and a bot where there is room


def expected(match: Match, seat: int) -> Any:
    return json.loads(json.dumps(match.shown(seat)))


class Witness:
    """Plays the log again and says what each seat may know after each event."""

    def __init__(self, house: House, match: str) -> None:
        life = house.tables[match].life
        assert life.match is not None
        self.game, self.head = life.game, house.tables[match].head
        self.seed, self.options = life.match.seed, life.match.options
        self.tables: dict[tuple[int, int], Any] = {}
        self.lasts: dict[tuple[int, int], Any] = {}  # the last move as each seat saw it
        self.undos: dict[tuple[int, int], bool] = {}  # whether it may be taken back
        self.legal: dict[int, tuple[int, list[str]]] = {}  # who decides, and his moves
        self.matches: dict[int, Match] = {}
        self.secret = self.head.secret

    def look(self, events: list[Event]) -> None:
        match = Match(self.game, self.options, self.seed)
        is_dealt = False
        for event in events:
            is_dealt = is_dealt or event.kind == "deal"
            if event.kind == "move":
                match.play(event.data, event.seat)
            if is_dealt:
                self.matches[event.n] = copy(match)
                if match.to_move is not None:
                    self.legal[event.n] = match.to_move, match.legal()
                for seat in range(-1, match.players):
                    self.tables[event.n, seat] = expected(match, seat)
                    seen = match.moves_seen(seat)
                    self.lasts[event.n, seat] = {"mover": seen[-1][0], "move": seen[-1][1]} if seen else None
                    self.undos[event.n, seat] = match.can_undo(seat)
        self.events = {event.n: event for event in events}

    def check(self, message: Message, seat: int, lang: str) -> None:
        """One message to a client on that seat."""
        text = json.dumps(message)
        assert self.secret not in text and self.seed.hex() not in text  # type: ignore[union-attr]
        if message["type"] != "table":
            assert "table" not in message and message["type"] in ("room", "noted", "wrong")
            return
        assert message["seat"] == seat
        assert message["table"] == self.tables[message["event"], seat]
        legal = [(one["move"], one["words"]) for one in message.get("legal", [])]
        assert legal == self.offered(message["event"], seat, lang)
        assert "scores" not in message or message["over"]
        unknown = set(message) - {
            "type", "match", "event", "ply", "seat", "to_move", "table", "link", "legal", "lines", "window", "over",
            "winners", "scores", "last", "may_undo", "may_hint",
        }  # fmt: skip
        assert not unknown
        assert message.get("last") == self.lasts[message["event"], seat]
        assert not message.get("may_undo") or self.undos[message["event"], seat]
        assert not message.get("may_hint") or message["to_move"] == seat

    def offered(self, event: int, seat: int, lang: str) -> list[tuple[str, str]]:
        """To whoever decides, his moves, with the words that they have of what he is shown alone."""
        decides, legal = self.legal.get(event, (None, []))
        if decides != seat:
            return []
        return list(zip(legal, moves(self.matches[event], self.called(seat, lang), lang), strict=True))

    def check_lines(self, messages: list[Message], seat: int, lang: str) -> None:
        """Whoever has seen the table is told of every later move, once, in the words that it has of what he saw before
        and after it and of the move as he sees it."""
        last = None
        for message in [message for message in messages if message["type"] == "table"]:
            n, lines = message["event"], message.get("lines", [])
            if last is None:
                assert lines == [] or (lines == [say(lang, "dealt")] and self.events[n].kind == "deal")
            elif n == last:
                assert lines == []
            else:
                assert all(self.events[missed].kind == "answer" for missed in range(last + 1, n))
                assert lines == [self.told(n, seat, lang)] != [""]
            last = n

    def told(self, n: int, seat: int, lang: str) -> str:
        return happened(self.matches[n], seat, self.called(seat, lang), lang)

    def called(self, seat: int, lang: str) -> list[str]:
        names = seat_names(len(self.head.chairs), seat, lang)
        for n, name in enumerate(("Ana", "Bento")):
            if n != seat and n < len(names) and not self.head.chairs[n].is_bot:
                names[n] = name
        return names


async def play(people: list[Person], match: str, choose: random.Random, most: int) -> None:
    """Random moves; each acts as soon as he is offered something."""
    while not people[0].last.get("over") and people[0].last["ply"] < most:
        for one in people:
            last = one.last
            if last.get("legal") and not last.get("over"):
                move = choose.choice(last["legal"])["move"]
                await one.say("play", match=match, ply=last["ply"], move=move)
        await asyncio.sleep(0)


async def refused(house: House, match: str) -> None:
    """While it is played nothing of it is published to anybody."""
    for seat in range(-2, len(house.tables[match].head.chairs)):
        with pytest.raises(Refused, match="not over"):
            await house.lists.replay(match, seat, None, "en", False)
    with pytest.raises(Refused, match="not over"):
        await house.lists.record(match)


@pytest.mark.parametrize("name", GAMES)
def test_no_client_is_ever_sent_what_its_seat_may_not_know(
    tmp_path: Path, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    game = GAMES[name]
    people_n = min(2, game.players.values[-1])
    bots = 1 if game.players.values[-1] > 2 else 0

    async def story() -> None:
        async with new_house(tmp_path, window_people=0.02, window_bot=0.01) as house:
            played, wanted = 0, min(MOVES, 10 * game.most_plies)  # in so many matches also of a short game
            for number in range(20):
                if played >= wanted:
                    break
                people = [await person(house, n, LANGUAGES[number % 2]) for n in ("Ana", "Bento")[:people_n]]
                watchers = [await person(house, n, lang) for n, lang in (("Caio", "pt"), ("Dora", "en"))]
                match = await open_match(house, people, name, bots, listed=True, undo=True, hints=True)
                for watcher in watchers:
                    await watcher.say("open", match=match)
                await refused(house, match)
                await play(people, match, random.Random(number), MOVES)
                kept = await house.load(match)
                await asyncio.sleep(0.01)
                kept = await house.load(match)
                witness = Witness(house, match)
                witness.look(kept.events)
                for seat, one in [*enumerate(people), (-1, watchers[0]), (-1, watchers[1])]:
                    for message in one.got:
                        witness.check(message, seat, one.client.lang)
                    witness.check_lines(one.got, seat, one.client.lang)
                    assert one.last["event"] == people[0].last["event"]
                assert witness.secret not in caplog.text and house.tables[match].head.key not in caplog.text
                played += sum(event.kind == "move" for event in kept.events)
                for one in (*people, *watchers):
                    one.disconnect()
                await house.sweep()
            assert played >= wanted

    asyncio.run(story())
