"""What a match may be opened with: options, places, a position to begin at."""

from typing import Any

import msgspec

from carteado.rules import GAMES
from carteado.rules.errors import CarteadoError
from carteado.rules.game import Game
from carteado.rules.match import Match
from carteado.rules.position import said
from carteado.server.client import Refused
from carteado.server.log import Head
from carteado.server.settings import Settings
from carteado.wire import NewMatch, Place

MOST_POSITION = 16 * 1024  # bytes of a position that somebody sets up


class Unfit(Refused):
    """What is wrong is said, too: of options or a position with which no match can begin, or of a name."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(code)
        self.why = why[:300]


def window_between(settings: Settings, head: Head) -> float:
    """Seconds that people have to answer each other where haste would tell; 0 where nothing is asked like that."""
    game = GAMES.get(head.game)
    return 0.0 if game is None or game.asks is None else head.terms.window or settings.window_people


def checked_places(wanted: NewMatch, players: int) -> list[Place]:
    """Without any: oneself, and people for the other seats; or bots, at a position that was set up."""
    other = Place("person") if wanted.start is None else Place("bot")
    places = list(wanted.places) or [Place("me"), *[other] * (players - 1)]
    mine = sum(place.kind == "me" for place in places)
    if len(places) != players or mine > 1:
        raise Refused("bad places")
    is_alone = mine == 1 and all(place.kind != "person" for place in places) and not wanted.listed
    if wanted.start is not None and not is_alone:
        raise Refused("not alone")
    if mine == 0:  # what nobody holds is counted to nobody
        raise Refused("bad places")
    return places


def checked_options(game: Game, wanted: NewMatch) -> dict[str, int | bool]:
    given: dict[str, object] = dict(wanted.options)
    if wanted.places and "players" not in given:
        given["players"] = len(wanted.places)
    try:
        return game.full_options(game.checked_options(given))
    except CarteadoError as error:
        raise Unfit("bad option", str(error)) from None


def checked_start(game: Game, wanted: NewMatch) -> tuple[dict[str, Any], dict[str, int | bool]]:
    """The position at which a match is to begin, and its options."""
    try:
        if len(msgspec.json.encode(wanted.start)) > MOST_POSITION:
            raise Unfit("bad position", f"it has more than {MOST_POSITION} bytes")
        match = Match(game, {}, b"", wanted.start)
    except CarteadoError as error:
        raise Unfit("bad position", str(error)) from None
    except RecursionError:
        raise Unfit("bad position", "it is nested too deeply") from None
    options = game.full_options(match.options)
    if match.over or match.start is None:
        raise Unfit("bad position", "the match is over there")
    for name, value in wanted.options.items():
        if options.get(name) != value:
            raise Unfit("bad option", f"{said(name)}: the position has {options.get(name)}")
    return match.start, options
