"""The search: a template for one information-set Monte Carlo tree search, bound to each game by `search.py`.

Each simulation imagines a world that fits the view (`guess`), walks down the one tree by what is legal in that world,
adds one node, plays on by `rollout` (the other seats by `reply`), and tells every decision on the way what it was worth
to the seat that made it. A move that exists only in some worlds is judged by how often it was there to be chosen, not
by how often its node was passed.

Beside the rules it calls `rollout`, `reply`, `evaluate`, `weigh`, `is_settled` and `is_blind` (see skill.py).
"""
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

import math
from typing import Any

import numpy as np

from carteado.rules.compiled import give_way, rule

Array = Any

NODE = np.dtype(
    [
        ("child", "i4"),  # the first of its children, 0 for none
        ("sibling", "i4"),  # the next child of its parent
        ("parent", "i4"),
        ("move", "i4"),  # that leads here
        ("mover", "i4"),
        ("visits", "i4"),
        ("chances", "i4"),  # how often the move was there to be chosen
        ("value", "f8"),  # sum of what its mover got
        ("weight", "f8"),
    ],
    align=True,
)

MOST_AT_ONCE = 16  # simulations, before others go first: a fraction of a millisecond


@rule
def slot_of(slots: Array, stamp: int, move: int) -> int:
    """Where the move stands in this list of legal moves, or the free place where it would: a hash table that is emptied
    by a new stamp. slots[:, 0] are stamps, 1 moves, 2 places in the list."""
    size = len(slots)
    at = (move * 40503) & (size - 1)
    while slots[at, 0] == stamp and slots[at, 1] != move:
        at = (at + 1) & (size - 1)
    return at


@rule
def child_to_try(
    nodes: Array, node: int, moves: Array, n: int, slots: Array, stamp: int, exploration: float, bias: float, room: int
) -> int:
    """The known child to go to, or 0 if an untried move should be: those are then left in slots with a place >= 0."""
    for i in range(n):
        at = slot_of(slots, stamp, moves[i])
        slots[at, 0], slots[at, 1], slots[at, 2] = stamp, moves[i], i
    untried, best, best_urgency = n, 0, -1e30
    child = nodes[node].child
    while child:
        t = nodes[child]
        at = slot_of(slots, stamp, t.move)
        if slots[at, 0] == stamp:
            slots[at, 2] = -1
            untried -= 1
            t.chances += 1
            urgency = t.value / t.visits + exploration * math.sqrt(math.log(t.chances) / t.visits)
            urgency += bias * t.weight / (1 + t.visits)
            if urgency > best_urgency:
                best, best_urgency = child, urgency
        child = t.sibling
    if untried == 0 or (best and n - untried >= room):
        return best
    return 0


@rule
def untried_move(
    state: Array, moves: Array, n: int, slots: Array, stamp: int, weights: Array, bias: float, widen: float, rng: Array
) -> tuple[int, float]:
    """An untried move and its weight: the weightiest, or any, where moves are not weighed."""
    if bias > 0 or widen > 0:
        weigh(state, moves, n, weights)
        best = -1
        for i in range(n):
            if slots[slot_of(slots, stamp, moves[i]), 2] >= 0 and (best < 0 or weights[i] > weights[best]):
                best = i
        return moves[best], weights[best]
    best, seen = 0, 0
    for i in range(n):
        if slots[slot_of(slots, stamp, moves[i]), 2] >= 0:
            seen += 1
            if seen == 1 or below(rng, seen) == 0:
                best = i
    return moves[best], 0.0


@rule
def add_child(nodes: Array, node: int, child: int, move: int, mover: int, weight: float) -> None:
    t = nodes[child]
    t.child, t.visits, t.chances = 0, 0, 1
    t.sibling, t.parent, t.move, t.mover = nodes[node].child, node, move, mover
    t.value, t.weight = 0.0, weight
    nodes[node].child = child


def search(
    views: Array,
    seat: int,
    rngs: Array,
    budget: int,
    nodes: Array,
    worlds: Array,
    moves: Array,
    slots: Array,
    weights: Array,
    worth: Array,
    depth: int,
    exploration: float,
    bias: float,
    widen: float,
) -> int:
    """Fills nodes with a tree of that many simulations; how many of them it used. The answer is the root's children."""
    rng = rngs[0]
    state = worlds[0]
    used, stamp = 1, 0
    for n_done in range(1, budget + 1):
        worlds[0] = views[0]
        guess(state, seat, rng)
        node, fresh = 0, False
        while not fresh:
            mover = to_move(state)
            if mover < 0 or (node and (is_settled(state) or is_blind(state))):
                break
            n: Any = np.int64(legal(state, moves))  # a game may count in another kind of number
            stamp += 1
            room = n
            if widen > 0:
                room = math.ceil(widen * math.sqrt(nodes[node].visits + 1))
            child = child_to_try(nodes, node, moves, n, slots, stamp, exploration, bias, room)
            if child == 0:
                move, weight = untried_move(state, moves, n, slots, stamp, weights, bias, widen, rng)
                child = used
                used += 1
                add_child(nodes, node, child, move, mover, weight)
                fresh = True
            node = child
            play(state, nodes[node].move, rng)
        plies = 0
        while plies < depth and to_move(state) >= 0 and not (node and is_settled(state)):
            move = rollout(state, moves, rng) if to_move(state) == seat else reply(state, moves, rng)
            play(state, move, rng)
            plies += 1
        if to_move(state) < 0:
            utility(state, worth)
        else:
            evaluate(state, worth)
        while node:
            t = nodes[node]
            t.visits += 1
            t.value += worth[t.mover]
            node = t.parent
        nodes[0].visits += 1
        if n_done % MOST_AT_ONCE == 0:
            give_way()
    return used
