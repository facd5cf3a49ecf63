"""What an operator may set, with defaults that are safe on one's own machine."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

LOOPBACK = "127.0.0.1", "::1"


def data_folder() -> Path:
    """Where a house keeps its things, unless told otherwise."""
    home = os.environ.get("XDG_DATA_HOME") or os.path.join(os.path.expanduser("~"), ".local", "share")
    return Path(home) / "carteado"


@dataclass(frozen=True)
class Settings:
    # Time at the table, in seconds
    window_people: float = 5.0  # to answer where haste would tell (T13)
    window_bot: float = 0.6
    grace: float = 10.0  # for contributions, once all seats are taken
    away: float = 60.0  # a player who is not there, before a bot takes his turn
    overtime: float = 10.0  # a move of one whose time for the match is up and who came back
    idle: float = 30.0  # an empty table, before it is put to sleep
    bot_pause: float = 0.4  # a bot never answers faster, so that its haste tells nothing
    bot_overdue: float = 5.0  # a bot's turn that another node has taken, before this one does not wait any more

    # Bots
    threads: int = max(1, (os.cpu_count() or 2) - 1)
    most_thoughts: int = 1000  # waiting for a thread

    # What one may hold
    most_sockets: int = 20_000
    most_sockets_each: int = 8
    most_sockets_each_address: int = 200  # friends, or pupils, may share one
    most_open_each: int = 16  # matches over one socket
    most_matches_each: int = 50  # unfinished
    most_bots_each: int = 100  # in these
    most_replays: int = 50  # different ones being made or waiting, of everybody; and as many records
    most_tables: int = 50_000  # awake
    messages_a_second: float = 50.0
    messages_at_once: int = 100
    requests_a_second: float = 20.0  # over HTTP, from one address
    requests_at_once: int = 200
    most_unsent: int = 1 << 20  # bytes to one client that does not read

    # Who may come
    origins: tuple[str, ...] = ()  # besides the address that the page itself came from
    secure_cookie: bool = False
    proxies: tuple[str, ...] = ()  # addresses or networks of those whose X-Forwarded-For is believed
    web: Path | None = None  # the folder of the page


TUNED = {name: type(one) for name, one in vars(Settings()).items() if type(one) in (int, float) and name != "threads"}
MOST = 10**9


def tuned(settings: Settings, given: Sequence[str]) -> Settings:
    """With other times and limits, each given as 'name=value'; ValueError says what was expected."""
    changes = {}
    for text in given:
        name, _, value = text.partition("=")
        if name not in TUNED:
            raise ValueError(f"{text}: expected NAME=VALUE with one of {', '.join(TUNED)}")
        kind = TUNED[name]
        try:
            number = kind(value)
        except ValueError:
            number = 0
        if not 0 < number <= MOST:
            raise ValueError(f"{text}: expected a {'whole ' if kind is int else ''}number above 0, up to {MOST}")
        changes[name] = number
    return replace(settings, **changes)
