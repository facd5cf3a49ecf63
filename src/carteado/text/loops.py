"""The compiled loop that speaks, for any game. What is said (`called`, `told`) and the rules come by `Game.bind`."""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from typing import Any

from carteado.rules.loops import EVERYTHING
from carteado.rules.written import item, key, put
from carteado.text.spoken import BEGIN

Array = Any

BLANK, BEFORE, AFTER = range(3)  # records of the room that it works in


def speak(
    states: Array,
    eyes: int,
    is_person: bool,
    is_open: bool,
    is_shown: bool,
    move: int,
    listener: int,
    winners: int,
    is_asked: bool,
    lang: int,
    names: Array,
    room: Array,
    moves: Array,
    out: Array,
) -> tuple[int, int, int]:
    """What `eyes` see, if it is to be shown: the table and its account, as JSON text. Then what the last
    move did (none if it is negative), told to a listener. Then, if he is asked, the moves that he may make and what
    each is called, as JSON text. Where the first, the second and the third end."""
    is_over = to_move(states[0]) < 0
    if eyes == EVERYTHING or is_open:
        room[AFTER] = states[0]
    else:
        room[AFTER] = room[BLANK]
        observe(states[0], eyes, room[AFTER])
        if is_person and not is_over:
            forget(room[AFTER], eyes)
    n = BEGIN
    if is_shown:
        n = table(room[AFTER], out, put(out, n, b"{"))
        n = account(room[AFTER], out, key(out, n, b"account"))
        n = put(out, n, b"}")
    shown = n
    if move >= 0:
        mover = int(to_move(states[1]))
        if eyes == EVERYTHING:
            room[BEFORE] = states[1]
        else:
            room[BEFORE] = room[BLANK]
            observe(states[1], eyes, room[BEFORE])
            if is_person:
                forget(room[BEFORE], eyes)
        seen = move if is_over or is_open or eyes == EVERYTHING or eyes == mover else hidden(move)
        n = told(room[BEFORE], seen, mover, room[AFTER], listener, winners, lang, names, out, n)
    said = n
    if is_asked:
        n = put(out, n, b"[")
        for i in range(legal(states[0], moves)):
            n = put(out, key(out, put(out, item(out, n), b"{"), b"move"), b'"')
            n = put(out, move_name(states[0], int(moves[i]), out, n), b'","words":"')
            n = put(out, called(room[AFTER], int(moves[i]), lang, names, out, n), b'"}')
        n = put(out, n, b"]")
    return shown, said, n
