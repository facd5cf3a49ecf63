"""The laws of the house, walked through random games in compiled loops; see `carteado.rules.loops` for how."""
# ruff: noqa: F821, SIM110

import numpy as np

BROKEN = (
    "",
    "the position is flawed",
    "no legal move before the end",
    "more legal moves than most_moves",
    "a legal move is offered twice",
    "a legal move leads to a flawed position",
    "a guessed world is flawed, or `observe` shows what `guess` deals again",
    "a guessed world looks otherwise than the view it was made from",
    "the legal moves of the one who decides depend on what he cannot know",
    "another one decides in a guessed world",
    "the match is longer than most_plies",
    "something is hidden though the match is over",
    "of k winners each gets 2 / k - 1, and everybody else -1; that is not so",
    "what all seats see at the deal a watcher does not: is a hand shown to all of them?",
)


def same(a, b):
    for i in range(len(a)):
        if a[i] != b[i]:
            return False
    return True


def check_moves(states, tries, dice, out):
    """Legal moves: at least one, none twice, and each can be played."""
    state = states[0]
    n = legal(state, out)
    if n < 1:
        return 2
    if n > len(out) - 1:  # the last place is for the seat
        return 3
    ordered = np.sort(out[:n])
    for i in range(1, n):
        if ordered[i] == ordered[i - 1]:
            return 4
    for i in range(min(n, 6)):
        tries[0] = states[0]
        play(tries[0], out[i if n <= 6 else below(dice[0], n)], dice[0])
        if flaw(tries[0]) != 0:
            return 5
    return 0


def check_views(states, views, worlds, again, blanks, view_bytes, again_bytes, dice, out, other):
    """For each seat and a watcher: any world that fits the view gives the same view and the same decision."""
    seat_now = to_move(states[0])
    for seat in range(-1, states[0].players):
        views[0] = blanks[0]
        observe(states[0], seat, views[0])
        worlds[0] = views[0]
        guess(worlds[0], seat, dice[0])
        if flaw(worlds[0]) != 0:
            return 6
        again[0] = blanks[0]
        observe(worlds[0], seat, again[0])
        if not same(view_bytes, again_bytes):
            return 7
        if to_move(worlds[0]) != seat_now:
            return 9
        if seat == seat_now:
            n = legal(states[0], out)
            if legal(worlds[0], other) != n:
                return 8
            for i in range(n):
                if out[i] != other[i]:
                    return 8
    return 0


def check_deal(states, views, blanks, view_bytes, seen):
    """What every seat is shown alike is no secret among them, and so none before a watcher."""
    players = states[0].players
    for seat in range(-1, players):
        views[0] = blanks[0]
        observe(states[0], seat, views[0])
        seen[seat + 1] = view_bytes
    for i in range(len(view_bytes)):
        is_same = True
        for seat in range(1, players):
            is_same = is_same and seen[seat + 1, i] == seen[1, i]
        if is_same and seen[0, i] != seen[1, i]:
            return 13
    return 0


def check_worth(states, worth):
    """Of a match among several."""
    utility(states[0], worth)
    players, winners = states[0].players, 0
    for seat in range(players):
        winners += worth[seat] > -1.0
    if winners == 0:
        return 12
    for seat in range(players):
        if worth[seat] > -1.0 and abs(worth[seat] - (2.0 / winners - 1.0)) > 1e-9:
            return 12
    return 0


def check_end(states, views, blanks, state_bytes, view_bytes):
    for seat in range(-1, states[0].players):
        views[0] = blanks[0]
        observe(states[0], seat, views[0])
        if not same(state_bytes, view_bytes):
            return 11
    return 0


def walk(states, tries, views, worlds, again, blanks, dealt, bytes_of, rngs, dice, out, other, most_plies, positions):
    """Random games until so many positions were checked: (what is broken, at which ply, positions checked)."""
    checked = 0
    players = dealt[0].players
    worth, seen = np.zeros(players), np.zeros((players + 1, len(bytes_of[1])), np.uint8)
    while checked < positions:
        states[0] = dealt[0]
        deal(states[0], rngs[0])
        ply = 0
        if players > 1 and check_deal(states, views, blanks, bytes_of[1], seen) != 0:
            return 13, 0, checked
        while to_move(states[0]) >= 0:
            if flaw(states[0]) != 0:
                return 1, ply, checked
            broken = check_moves(states, tries, dice, out)
            if broken == 0:
                broken = check_views(states, views, worlds, again, blanks, bytes_of[1], bytes_of[2], dice, out, other)
            if broken != 0:
                return broken, ply, checked
            n = legal(states[0], out)
            play(states[0], out[below(rngs[0], n)], rngs[0])
            ply += 1
            checked += 1
            if ply > most_plies:
                return 10, ply, checked
            if checked >= positions:
                return 0, ply, checked
        if flaw(states[0]) != 0:
            return 1, ply, checked
        broken = check_end(states, views, blanks, bytes_of[0], bytes_of[1])
        if broken == 0 and players > 1:
            broken = check_worth(states, worth)
        if broken != 0:
            return broken, ply, checked
    return 0, 0, checked
