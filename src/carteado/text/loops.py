"""The compiled loop that speaks, for any game. What is said (`called`, `told`) and the rules come by `Game.bind`."""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from typing import Any

from carteado.rules.loops import EVERYTHING
from carteado.rules.written import key, put
from carteado.text.spoken import BEGIN

Array = Any

AFTER, BEFORE, BLANK = range(3)  # records of the room that it works in


def speak(
    states: Array,
    eyes: int,
    is_person: bool,
    is_open: bool,
    is_shown: bool,
    move: int,
    listener: int,
    winners: int,
    moves: Array,
    lang: int,
    names: Array,
    room: Array,
    out: Array,
) -> tuple[int, int, int]:
    """What `eyes` see, if it is to be shown: the table and its account, as JSON text. Then what the last move did (none
    if it is negative), told to a listener. Then these moves, which he may make, and what each is called, as JSON text.
    Where the first, the second and the third end."""
    is_over = to_move(states[0]) < 0
    for k in range(2 if move >= 0 else 1):  # now, and before the move
        if eyes == EVERYTHING or (is_open and k == AFTER):
            room[k] = states[k]
        else:
            room[k] = room[BLANK]
            observe(states[k], eyes, room[k])
            if is_person and not (is_over and k == AFTER):
                forget(room[k], eyes)
    n = BEGIN
    if is_shown:
        n = table(room[AFTER], out, put(out, n, b"{"))
        n = account(room[AFTER], out, key(out, n, b"account"))
        n = put(out, n, b"}")
    shown = n
    if move >= 0:
        mover = int(to_move(states[1]))
        seen = move if is_over or is_open or eyes == EVERYTHING or eyes == mover else hidden(move)
        n = told(room[BEFORE], seen, mover, room[AFTER], listener, winners, lang, names, out, n)
    said = n
    for i in range(len(moves)):
        n = put(out, n, b',{"move":"') if i else put(out, n, b'[{"move":"')
        n = put(out, move_name(states[0], int(moves[i]), out, n), b'","words":"')
        n = put(out, called(room[AFTER], int(moves[i]), lang, names, out, n), b'"}')
    return shown, said, put(out, n, b"]") if len(moves) else n
