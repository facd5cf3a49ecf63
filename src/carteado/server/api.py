"""The HTTP side, for Litestar: each handler asks the house and answers with a message of `wire`."""

from typing import Annotated, Any
from unicodedata import category, normalize

from litestar import Request, Response, delete, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody, PathParameter, QueryParameter
from msgspec import ValidationError, convert

from carteado.rules import GAMES
from carteado.server.client import Refused
from carteado.server.days import is_daily
from carteado.server.deal import commitment
from carteado.server.house import BOUNDS, House
from carteado.server.identity import COOKIE, LINK_SECONDS, YEAR, hashed, new_player_id, player_of, token
from carteado.server.log import new_key, now
from carteado.server.opening import Unfit
from carteado.server.page import unzips
from carteado.server.record import Record
from carteado.server.seen import BLANKS
from carteado.server.store import Player
from carteado.wire import (
    END,
    Day,
    DeviceLink,
    Fill,
    GameInfo,
    History,
    Join,
    Kept,
    Lang,
    Lobby,
    MatchInfo,
    Me,
    NewMatch,
    NewMe,
    OptionInfo,
    Problem,
    Replay,
    Score,
    SeatKept,
    UseLink,
    socket_schema,
)

MOST_PAST = 200
MOST_BEST = 20
JOINERS = "\u200c\u200d"
YOU = "voce", "you"  # as everybody reads of himself

Req = Request[Any, Any, Any]
TheHouse = NamedDependency[House]
MatchPath = Annotated[str, PathParameter(min_length=8, max_length=32, pattern=r"^[A-Za-z0-9_-]+" + END)]
GamePath = Annotated[str, PathParameter(max_length=32, pattern=r"^[a-z0-9-]+" + END)]
KeyQuery = Annotated[str, QueryParameter(max_length=64)]
SeatQuery = Annotated[int, QueryParameter(ge=-2, le=15)]
LangQuery = Annotated[Lang, QueryParameter()]
DayPath = Annotated[str, PathParameter(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}" + END)]

PROBLEMS = {
    code: ResponseSpec(Problem, generate_examples=False, description=text)
    for code, text in {
        400: "not understood",
        401: "no identity",
        403: "not from here",
        404: "no such thing",
        409: "not now",
        410: "closed",
        413: "too big",
        429: "too much",
        503: "try again later",
    }.items()
}


async def known(request: Req, house: House) -> Player | None:
    id = player_of(house.key, request.headers.get("cookie", ""))
    return None if id is None else await house.store.player(id)


async def must_know(request: Req, house: House) -> Player:
    player = await known(request, house)
    if player is None:
        raise Refused("no identity")
    return player


def with_cookie(house: House, player: Player) -> Response[Any]:
    cookie = Cookie(
        key=COOKIE,
        value=token(house.key, player.id),
        max_age=YEAR,
        httponly=True,
        samesite="lax",
        secure=house.settings.secure_cookie,
    )
    return Response(Me(player.id, player.name, player.lang), cookies=[cookie], status_code=200)


def checked_name(text: str) -> str:
    """Without the spaces around it. There must be something to see in it, and nothing that hides or turns text around;
    only joiners, of which emoji and some scripts are made."""
    name = normalize("NFC", text.strip())
    kinds = {category(sign) for sign in name if sign not in JOINERS + BLANKS}
    if kinds & {"Cc", "Cf", "Zl", "Zp"} or not any(kind[0] in "LNPS" for kind in kinds):
        raise Refused("bad name")
    if letters(name) in YOU:
        raise Refused("bad name")
    try:
        convert({"name": name}, NewMe)  # NFC makes some letters two
    except ValidationError as error:
        raise Unfit("bad message", str(error)) from None
    return name


def letters(name: str) -> str:
    """What one reads in it: without marks, joiners and blanks, whatever the style and size of its letters."""
    signs = (sign for sign in normalize("NFKD", name) if category(sign)[0] in "LNPS" and sign not in BLANKS)
    return "".join(signs).casefold()


@get("/api/games", responses=PROBLEMS)
async def list_games() -> list[GameInfo]:
    """The games and their options."""
    return [
        GameInfo(
            name=game.name,
            title=game.title,
            rules=game.version,
            options=[
                OptionInfo(o.name, type(o.values[0])(o.default), list(o.values)) for o in (game.players, *game.options)
            ],
            daily=is_daily(game),
            aid=game.aid,
        )
        for game in GAMES.values()
    ]


@post("/api/me", responses=PROBLEMS, status_code=200)
async def be(request: Req, house: TheHouse, data: JSONBody[NewMe]) -> Response[Me]:
    """Say who you are; who is new gets an identity."""
    old, name = await known(request, house), checked_name(data.name)
    lang = data.lang or (old.lang if old else "pt")
    player = Player(old.id if old else new_player_id(), name, lang, old.made if old else now())
    if old is None:
        await house.store.add_player(player)
    elif not await house.rename(player):  # deleted in this instant
        raise Refused("no identity")
    return with_cookie(house, player)


@get("/api/me", responses=PROBLEMS)
async def who_am_i(request: Req, house: TheHouse) -> Response[Me | None]:
    """Who you are, and a cookie that lasts from now on; null if the house does not know you."""
    player = await known(request, house)
    return Response(None) if player is None else with_cookie(house, player)


@get("/api/me/export", responses=PROBLEMS)
async def export(request: Req, house: TheHouse) -> Kept:
    """All that is kept about you. What you did in a match is in its record, at its own address, once it is over: before
    that would tell what you have to remember for yourself."""
    player = await must_know(request, house)
    seats = [
        SeatKept(past.head.id, past.seat, past.head.game, past.head.made)
        for past in await house.store.history(player.id, 1_000_000)
    ]
    tries = await house.store.tries_of(player.id)
    days = [{"game": game, "day": day, "match": match, "score": score} for game, day, match, score in tries]
    return Kept(player.id, player.name, player.lang, player.made, seats, days, await house.store.link_of(player.id))


@delete("/api/me", responses=PROBLEMS, response_cookies=[Cookie(key=COOKIE, value="", max_age=0)])
async def forget_me(request: Req, house: TheHouse) -> None:
    """Deletes all that is kept about you. Seats at matches that wait are given back; others stay, anonymous."""
    player = await must_know(request, house)
    await house.forget(player)
    house.note("forgot somebody")


@post("/api/me/link", responses=PROBLEMS, status_code=200)
async def make_link(request: Req, house: TheHouse) -> DeviceLink:
    """A code that carries your identity to another device, once, within ten minutes."""
    player = await must_know(request, house)
    code = new_key()
    await house.store.add_link(hashed(code), player.id, now() + 1000 * LINK_SECONDS)
    return DeviceLink(code, LINK_SECONDS)


@post("/api/link", responses=PROBLEMS, status_code=200)
async def use_link(house: TheHouse, data: JSONBody[UseLink]) -> Response[Me]:
    id = await house.store.use_link(hashed(data.code), now())
    player = None if id is None else await house.store.player(id)
    if player is None:
        raise Refused("no link")
    return with_cookie(house, player)


@get("/api/matches", responses=PROBLEMS)
async def lobby(house: TheHouse) -> Lobby:
    """The listed matches that wait for players, and those being played."""
    return await house.lists.lobby()


@post("/api/matches", responses=PROBLEMS)
async def open_match(request: Req, house: TheHouse, data: JSONBody[NewMatch]) -> MatchInfo:
    return await house.open(await must_know(request, house), data)


@get("/api/matches/{match:str}", responses=PROBLEMS)
async def see_match(request: Req, house: TheHouse, match: MatchPath, key: KeyQuery = "") -> MatchInfo:
    player = await known(request, house)
    asker = player.id if player else ""
    return (await house.seen_by(asker, match, key)).info(asker)


@post("/api/matches/{match:str}/join", responses=PROBLEMS, status_code=200)
async def join_match(request: Req, house: TheHouse, match: MatchPath, data: JSONBody[Join]) -> MatchInfo:
    """Take a seat: the one named, or one that the house draws."""
    return await house.join(await must_know(request, house), match, data.key, data.seat)


@post("/api/matches/{match:str}/fill", responses=PROBLEMS, status_code=200)
async def fill_match(request: Req, house: TheHouse, match: MatchPath, data: JSONBody[Fill]) -> MatchInfo:
    """Wait for nobody else: those who came go on to a match with bots in the free seats, and this one is closed."""
    return await house.fill(await must_know(request, house), match, data.level)


@post("/api/matches/{match:str}/leave", responses=PROBLEMS, status_code=200)
async def leave_match(request: Req, house: TheHouse, match: MatchPath) -> MatchInfo:
    """Give a seat back before the deal."""
    player = await must_know(request, house)
    table = await house.seen_by(player.id, match)
    await table.stand(player)
    return table.info(player.id)


@get("/api/matches/{match:str}/record", responses=PROBLEMS)
async def record(house: TheHouse, match: MatchPath) -> Record:
    """Everything by which a finished match can be checked and replayed, for anybody."""
    return await house.lists.record(match)


def zips(request: Req) -> bool:
    return unzips(request.headers.get("accept-encoding", ""))


def as_written(data: bytes, is_zipped: bool) -> Response[Any]:
    """What a thread has made ready."""
    headers = {"vary": "accept-encoding"} | ({"content-encoding": "gzip"} if is_zipped else {})
    return Response(data, media_type="application/json", headers=headers)


@get("/api/matches/{match:str}/replay", responses=PROBLEMS)
async def replay(
    request: Req, house: TheHouse, match: MatchPath, seat: SeatQuery = -1, lang: LangQuery = "pt"
) -> Response[Replay]:
    """A finished match, step by step, as a seat was shown it; -1 is a watcher, -2 all cards. Anyone may see it."""
    is_zipped, player = zips(request), await known(request, house)
    return as_written(await house.lists.replay(match, seat, player, lang, is_zipped), is_zipped)


@get("/api/history", responses=PROBLEMS)
async def history(request: Req, house: TheHouse) -> History:
    """Your matches: those that go on, then the others, the newest first."""
    player = await must_know(request, house)
    return History(await house.lists.history(player, MOST_PAST))


@get("/api/days/{game:str}/{day:str}", responses=PROBLEMS)
async def see_day(request: Req, house: TheHouse, game: GamePath, day: DayPath) -> Day:
    """The deal of a day: its hash from the day before, its secret from the day after."""
    found, date = house.days.game(game), house.days.checked(day)
    secret, player = house.days.secret(found, date), await known(request, house)
    best = await house.store.tries(found.name, date, MOST_BEST)
    mine = await house.store.try_of(found.name, date, player.id) if player else None
    score, place = (mine and player and await house.store.ranked(found.name, date, player.id)) or (None, None)
    return Day(
        date=date,
        game=found.name,
        commitment=commitment(secret),
        secret=secret.hex() if date < house.today() else "",
        best=[Score(one.name, one.score, one.match) for one in best],
        house=await house.days.score(found, date),
        mine=mine or "",
        score=score,
        place=place,
    )


@get("/api/days/{game:str}/{day:str}/replay", responses=PROBLEMS)
async def replay_day(
    request: Req, house: TheHouse, game: GamePath, day: DayPath, lang: LangQuery = "pt"
) -> Response[Replay]:
    """How the house's best bot played the deal of a day that is over."""
    found, date, is_zipped = house.days.game(game), house.days.checked(day), zips(request)
    return as_written(await house.days.replay(found, date, lang, is_zipped), is_zipped)


@post("/api/days/{game:str}", responses=PROBLEMS)
async def try_day(request: Req, house: TheHouse, game: GamePath) -> MatchInfo:
    """Your one ranked try of today."""
    return await house.days.give_try(await must_know(request, house), game)


@get("/api/socket.json", responses=PROBLEMS)
async def socket_messages() -> dict[str, Any]:
    """JSON Schema of what the socket at /ws carries."""
    return socket_schema()


@get("/healthz", responses=PROBLEMS)
async def health(house: TheHouse) -> Response[dict[str, str]]:
    is_well = await house.is_well()
    return Response({"status": "well" if is_well else "unwell"}, status_code=200 if is_well else 503)


@get("/metrics", media_type="text/plain; version=0.0.4", responses=PROBLEMS)
async def metrics(house: TheHouse) -> str:
    """For Prometheus."""
    counts = house.counts
    lines = [
        "# TYPE carteado_tables gauge",
        f"carteado_tables {len(house.tables)}",
        "# TYPE carteado_sockets gauge",
        f"carteado_sockets {len(house.clients)}",
        "# TYPE carteado_bots_waiting gauge",
        f"carteado_bots_waiting {house.thinkers.waiting}",
    ]
    for name in ("moves", "messages", "refused", "store_errors", "crashes"):
        lines += [f"# TYPE carteado_{name}_total counter", f"carteado_{name}_total {counts[name]}"]
    thoughts, faults = house.thinkers.thoughts, house.thinkers.faults
    lines += ["# TYPE carteado_thoughts_total counter", f"carteado_thoughts_total {thoughts}"]
    lines += ["# TYPE carteado_bot_faults_total counter", f"carteado_bot_faults_total {faults}"]
    lines += ["# TYPE carteado_move_seconds histogram"]
    below = 0
    for bound, count in zip([*map(str, BOUNDS), "+Inf"], house.latencies, strict=True):
        below += count
        lines.append(f'carteado_move_seconds_bucket{{le="{bound}"}} {below}')
    lines += [f"carteado_move_seconds_sum {house.seconds:.6f}", f"carteado_move_seconds_count {below}"]
    return "\n".join(lines) + "\n"


HANDLERS = [
    list_games, be, who_am_i, export, forget_me, make_link, use_link, lobby, open_match, see_match, join_match,
    fill_match, leave_match, record, replay, history, see_day, replay_day, try_day, socket_messages, health, metrics,
]  # fmt: skip
