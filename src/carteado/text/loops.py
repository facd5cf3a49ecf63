"""The compiled loop that speaks, for any game. What is said (`called`, `told`) and the rules come by `Game.bind`."""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from typing import Any

from carteado.rules.loops import EVERYTHING
from carteado.rules.written import key, put
from carteado.text.spoken import BEGIN

Array = Any

AFTER, BEFORE, BLANK = range(3)  # records of the room that it works in
EYES, LISTENER, LANG = range(3)  # of each who is told
SHOWN, LISTED, SAID = range(3)  # where what he is shown, what he may do and what happened end
NOBODY = -3  # in place of a seat
LEGAL, LINES, END = b',"legal":', b',"lines":["', b'"]'


def speak(
    states: Array,
    ears: Array,
    names: Array,
    is_person: bool,
    is_open: bool,
    is_shown: bool,
    move: int,
    winners: int,
    asked: int,
    moves: Array,
    room: Array,
    out: Array,
    ends: Array,
) -> None:
    """To each one, one after the other, as they stand in a JSON object: what his eyes see, if it is to be shown, the
    table and its account; then, to the one who is asked, these moves, which he may make, and what each is called; then
    what the last move did (none if it is negative), if there is something to say of it. Where these end is counted from
    the beginning of the text."""
    is_over = to_move(states[0]) < 0
    mover = int(to_move(states[1])) if move >= 0 else NOBODY
    n = BEGIN
    for ear in range(len(ears)):
        eyes, listener, lang = int(ears[ear, EYES]), int(ears[ear, LISTENER]), int(ears[ear, LANG])
        called_by = names[ear]
        for k in range(2 if move >= 0 else 1):  # now, and before the move
            if eyes == EVERYTHING or (is_open and k == AFTER):
                room[k] = states[k]
            else:
                room[k] = room[BLANK]
                observe(states[k], eyes, room[k])
                if is_person and not (is_over and k == AFTER):
                    forget(room[k], eyes)
        if is_shown:
            n = table(room[AFTER], out, put(out, n, b"{"))
            n = account(room[AFTER], out, key(out, n, b"account"))
            n = put(out, n, b"}")
        ends[ear, SHOWN] = n - BEGIN
        if eyes == asked and len(moves):
            n = put(out, n, LEGAL)
            for i in range(len(moves)):
                n = put(out, n, b',{"move":"') if i else put(out, n, b'[{"move":"')
                n = put(out, move_name(states[0], int(moves[i]), out, n), b'","words":"')
                n = put(out, called(room[AFTER], int(moves[i]), lang, called_by, out, n), b'"}')
            n = put(out, n, b"]")
        ends[ear, LISTED] = n - BEGIN
        if move >= 0:
            seen = move if is_over or is_open or eyes == EVERYTHING or eyes == mover else hidden(move)
            n = put(out, n, LINES)
            begin = n
            n = told(room[BEFORE], seen, mover, room[AFTER], listener, winners, lang, called_by, out, n)
            n = put(out, n, END) if n > begin else begin - len(LINES)
        ends[ear, SAID] = n - BEGIN
