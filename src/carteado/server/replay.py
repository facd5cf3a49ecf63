"""A finished match, step by step: how it stood after each event and what happened, as one seat was shown it."""

import gzip
from typing import Any

from carteado.rules.loops import EVERYTHING
from carteado.server import seen
from carteado.server.life import Life
from carteado.server.log import Event, Head
from carteado.server.seen import Named
from carteado.text import Voice, unquoted
from carteado.wire import Frame, Replay, write

MOST_FRAMES = 2000  # matches have a few hundred; people who dally could make endless ones
ZIPPED = 6  # how hard


def table_of(life: Life, seat: int) -> dict[str, Any]:
    """The last one is open, as it was to all (G5)."""
    assert life.match is not None
    return life.match.table() if seat == EVERYTHING or life.is_open else life.match.shown(seat)


def frame_of(life: Life, event: Event, voice: Voice, seat: int, you: int, names: Named, lang: str) -> Frame:
    """After an event that was applied."""
    mover, move, line, table = None if event.kind == "deal" else event.seat, "", b"", table_of(life, seat)
    if event.kind == "move":
        _, move = life.last_seen(event.seat if seat == EVERYTHING else seat)
        line = seen.happened(life, voice, seat, you, names, lang)
    elif event.kind != "deal":
        line = seen.line(life, event, voice, you, names, lang)
    return Frame(event.n, life.ply, event.kind, mover, move, unquoted(line), table)  # type: ignore[arg-type]


def replay_of(head: Head, events: list[Event], called: dict[int, str], seat: int, you: int, lang: str) -> Replay:
    """All of a match that is over; of a very long one the deal and the last of it. `you` is the seat of the one who
    looks, or -1: who looks with the eyes of another is not called so."""
    life, frames = Life(head), []
    deal = next(event.n for event in events if event.kind == "deal")
    steps = [event.n for event in events[deal - 1 :] if event.kind != "answer"]
    wanted = {deal, *steps[1 - MOST_FRAMES :]}  # what stands between them is left out
    names, voice = seen.names_for(head, called, you, lang), Voice(life.game)
    for event in events:
        life.apply(event)
        if event.n in wanted:
            frames.append(frame_of(life, event, voice, seat, you, names, lang))
    return Replay(
        match=head.id,
        game=head.game,
        rules=head.rules,
        options=head.options,
        names=seen.names_for(head, called, -1, lang).plain,
        seat=seat,
        frames=frames,
        over=life.over,
        winners=life.winners,
        scores=life.scores,
        resigned=sorted(life.resigned),
        left_out=len(steps) - len(wanted),
    )


def written(
    head: Head, events: list[Event], called: dict[int, str], seat: int, you: int, lang: str, is_zipped: bool
) -> bytes:
    """Ready to send. It takes tenths of a second: for a thread."""
    data = write(replay_of(head, events, called, seat, you, lang))
    return gzip.compress(data, ZIPPED, mtime=0) if is_zipped else data
