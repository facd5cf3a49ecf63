"""The rules of Arboretum, in notation."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations, permutations
from typing import Any

import pytest
from rich.text import Text
from scipy.stats import chisquare

import carteado
from carteado.rules import GAMES
from carteado.rules.arboretum import CARD_NAMES
from carteado.rules.loops import DEAL
from carteado.rules.random import seeded
from carteado.text import happened, moves, seat_names, words

NAME = "arboretum"
SPECIES = ["ipe", "jac", "ara", "pau", "fla", "qua", "pai", "man", "jeq", "sib"]
IN_HAND = {"first": 7, "second": 8, "plant": 9, "discard": 8, "over": 7}

Table = dict[str, Any]


# Positions from a few words


def garden(picture: str) -> list[Table]:
    """A garden drawn in lines, `.` where nothing lies; the first card of the last line is at 0,0."""
    rows = [line.split() for line in reversed(picture.strip().splitlines())]
    start = next(x for x, name in enumerate(rows[0]) if name != ".")
    cards = {(x - start, y): name for y, row in enumerate(rows) for x, name in enumerate(row) if name != "."}
    planted: dict[tuple[int, int], str] = {}
    reached = [(0, 0)] if cards else []
    for x, y in reached:
        if (x, y) in cards and (x, y) not in planted:
            planted[x, y] = cards[x, y]
            reached += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    assert len(planted) == len(cards), "in one piece"
    return [{"card": name, "x": x, "y": y} for (x, y), name in planted.items()]


def weeds(n: int, unused: list[str]) -> list[Table]:
    """A row of n cards of one number, so without a path."""
    for number in "54637281":
        cards = [name for name in unused if name[3] == number][:n]
        if len(cards) == n:
            return [{"card": name, "x": x, "y": 0} for x, name in enumerate(cards)]
    raise AssertionError("too many weeds")


def position(phase: str = "first", **given: Any) -> Table:
    """A whole table. What hands lack comes from the last species; gardens that are not given are weeds, as many as the
    first one has; the other cards are in the deck under `top`, or in the piles if only so many are `left` there."""
    players = given.get("players", 2)
    species = given.get("species", SPECIES[: 2 * players + 2])
    gardens = [garden(picture) for picture in given.get("gardens", [])]
    hands = [hand.split() for hand in given.get("hands", [])]
    hands += [[] for _ in range(players - len(hands))]
    piles = [pile.split() for pile in given.get("piles", [""] * players)]
    top = given.get("top", "").split()
    used = {one["card"] for planted in gardens for one in planted} | {*chain(*hands, *piles), *top}
    unused = [f"{name}{number}" for name in species for number in range(1, 9) if f"{name}{number}" not in used]
    n = len(gardens[0]) if gardens else 0
    for _ in range(players - len(gardens)):
        gardens.append(weeds(n, unused))
        unused = [name for name in unused if name not in [one["card"] for one in gardens[-1]]]
    turns = sum(len(planted) for planted in gardens)
    mover = (turns - (phase in ("discard", "over"))) % players
    for seat, hand in enumerate(hands):
        hand.sort(key=lambda name: (SPECIES.index(name[:3]), name))
        size = IN_HAND[phase] if seat == mover else 7
        hand += sorted((unused.pop() for _ in range(size - len(hand))), key=lambda c: (SPECIES.index(c[:3]), c))
        known = given.get("known", [0] * players)[seat]
        hand[known:] = sorted(hand[known:], key=lambda c: (SPECIES.index(c[:3]), c))
    if "left" in given:
        under = len(unused) + len(top) - given["left"]
        for seat, pile in enumerate(piles):
            room = len(gardens[seat]) - len(pile) - (phase == "discard" and seat == mover)
            pile[:0] = [unused.pop(0) for _ in range(min(room, under))]
            under -= min(room, under)
    return {
        "game": NAME,
        "players": players,
        "phase": phase,
        "to_move": None if phase == "over" else mover,
        "species": species,
        "hands": hands,
        "known": given.get("known", [0] * players),
        "gardens": gardens,
        "piles": piles,
        "deck": unused + top[::-1],
    }


def begin(phase: str = "first", **given: Any) -> carteado.Match:
    return carteado.setup(NAME, position(phase, **given), seed="chance")


def line(match: carteado.Match, seat: int, species: str) -> Table:
    """What the account says of a player and a species."""
    one: Table = match.table()["account"]["players"][seat]["species"][species]
    return one


def path_points(picture: str, species: str = "ipe", players: int = 2) -> int:
    points: int = line(begin(gardens=[picture], players=players), 0, species)["points"]
    return points


def cards_of(path: list[Table]) -> str:
    return " ".join(one["card"] for one in path)


def played(match: carteado.Match, *moves: str) -> carteado.Match:
    for move in moves:
        match.play(move)
    return match


# A1: the deck


@pytest.mark.parametrize(("players", "species", "deck"), [(2, 6, 34), (3, 8, 43), (4, 10, 52)])
def test_two_players_use_six_species_three_eight_and_four_all_ten(players, species, deck):
    """A1: and seven cards each."""
    table = carteado.new(NAME, players=players, seed="a").table()
    assert len(table["species"]) == species
    assert [len(hand) for hand in table["hands"]] == [7] * players
    assert len(table["deck"]) == deck
    cards = sorted(chain(*table["hands"], table["deck"]))
    assert cards == sorted(f"{name}{number}" for name in table["species"] for number in range(1, 9))


def test_which_species_leave_is_drawn_by_chance_and_everyone_is_told():
    """A1: each of the 210 choices of six is as likely as another."""
    game, drawn = GAMES[NAME], Counter[int]()
    rngs, out = seeded("species"), game.new_moves()
    for _ in range(4200):
        states = game.new_states()
        states[0].players = 2
        game.run.step(states, rngs, DEAL, out)
        drawn[int(states[0].species)] += 1
    assert len(drawn) == 210
    assert chisquare(list(drawn.values())).pvalue > 0.001
    match = carteado.new(NAME, seed="a")
    assert match.view(-1)["species"] == match.table()["species"]


def test_the_cards_are_dealt_one_by_one_from_the_top_and_seat_0_begins():
    """A1, G1, G2: the deck in its fixed order, shuffled after the species; the hands are then put in order."""
    from support.plain_random import seeded_words, shuffled

    stream = seeded_words("G2")
    kept = sorted(shuffled(range(10), stream)[:6])
    deck = shuffled([f"{SPECIES[name]}{number}" for name in kept for number in range(1, 9)], stream)
    table = carteado.new(NAME, seed="G2").table()
    assert table["species"] == [SPECIES[name] for name in kept]
    assert [set(hand) for hand in table["hands"]] == [set(deck[::-1][seat:14:2]) for seat in (0, 1)]
    assert table["deck"] == deck[:-14]
    assert table["to_move"] == 0


# A2: the turn


def test_a_turn_is_two_draws_a_planting_and_a_discard():
    """A2: seven in hand at the end."""
    match = begin(top="ipe1 ipe2")
    phases = []
    for move in ("deck", "deck", "plant ipe1 0,0", "discard ipe2"):
        phases.append((match.to_move, match.table()["phase"], len(match.table()["hands"][0])))
        match.play(move, seat=0)
    assert phases == [(0, "first", 7), (0, "second", 8), (0, "plant", 9), (0, "discard", 8)]
    assert match.to_move == 1
    assert len(match.table()["hands"][0]) == 7
    assert match.table()["piles"] == [["ipe2"], []]


def test_each_card_is_drawn_from_the_deck_or_from_the_top_of_anyones_pile():
    """A2: and the card beneath may be the second one."""
    match = begin(gardens=["ipe1 jac1 ara1"], piles=["ipe2 ipe3", "jac7"], top="ara8")
    assert match.legal() == ["deck", "pile 0", "pile 1"]
    played(match, "pile 0")
    assert match.legal() == ["deck", "pile 0", "pile 1"]
    played(match, "pile 0")
    assert match.table()["piles"] == [[], ["jac7"]]
    assert {"ipe2", "ipe3"} < set(match.table()["hands"][0])


def test_the_first_card_is_seen_before_the_second_is_chosen():
    """A2."""
    match = begin(gardens=["ipe1"], piles=["", "jac7"], top="ara8")
    played(match, "deck")
    assert "ara8" in match.view(0)["hands"][0]
    assert match.legal() == ["deck", "pile 1"]


def test_both_draws_are_compulsory_and_asked_even_when_only_the_deck_is_there():
    """A2, G4: nothing else is legal before them."""
    match = begin()
    for phase in ("first", "second"):
        assert (match.table()["phase"], match.legal()) == (phase, ["deck"])
        match.play("deck")
    assert all(move.startswith("plant ") for move in match.legal())


def test_an_empty_pile_cannot_be_drawn_from():
    """A2."""
    match = begin(gardens=["ipe1"], piles=["", "jac7"])
    with pytest.raises(carteado.IllegalMove, match="pile 0"):
        match.play("pile 0")


def test_a_card_just_taken_may_be_planted_or_discarded_at_once():
    """A2."""
    match = played(begin(gardens=["ipe1"], piles=["", "jac7"]), "pile 1", "deck", "plant jac7 1,0")
    assert match.table()["gardens"][0][-1] == {"card": "jac7", "x": 1, "y": 0}
    match = played(begin(gardens=["ipe1"], piles=["", "jac7"], top="ara1"), "pile 1", "deck", "plant ara1 0,1")
    assert match.table()["piles"][1] == []
    match.play("discard jac7")
    assert match.table()["piles"] == [["jac7"], []]


def test_only_a_card_in_hand_is_planted_or_discarded_and_only_to_ones_own_pile():
    """A2."""
    match = begin("plant", hands=["ipe1 ipe2"])
    assert {move.split()[1] for move in match.legal()} == set(match.table()["hands"][0])
    match.play("plant ipe1 0,0")
    assert [move.split()[1] for move in match.legal()] == match.table()["hands"][0]
    match.play("discard ipe2")
    assert match.table()["piles"] == [["ipe2"], []]


# A3: the garden


def test_the_first_card_of_a_garden_lies_at_the_origin():
    """A3."""
    match = begin("plant")
    assert {move.split()[2] for move in match.legal()} == {"0,0"}
    assert len(match.legal()) == 9


def test_later_cards_go_orthogonally_next_to_a_planted_one():
    """A3: every card in hand on every free place, never on a diagonal or a taken one."""
    match = begin("plant", gardens=["ipe8 .    .\nipe1 jac1 ara1"])
    assert {move.split()[2] for move in match.legal()} == {
        "0,2", "-1,1", "1,1", "2,1", "-1,0", "3,0", "0,-1", "1,-1", "2,-1",
    }  # fmt: skip
    assert len(match.legal()) == 9 * 9


def test_a_hole_inside_a_garden_may_be_filled():
    """A3."""
    match = begin("plant", gardens=["ipe8 jac8 ara8\nipe7 .    ara7\nipe1 jac1 ara1"], players=4)
    assert "1,1" in {move.split()[2] for move in match.legal()}


def test_a_planted_card_never_moves_and_is_never_covered():
    """A3."""
    match = carteado.new(NAME, players=3, seed="roots")
    dice, before = random.Random(1), match.table()["gardens"]
    while not match.over:
        match.play(dice.choice(match.legal()))
        now = match.table()["gardens"]
        assert [planted[: len(old)] for planted, old in zip(now, before, strict=True)] == before
        assert all(len({(one["x"], one["y"]) for one in planted}) == len(planted) for planted in now)
        before = now


def test_a_garden_may_run_sixteen_places_far():
    """A3: with two players who draw from piles whenever they can, seat 0 plants 17 cards."""
    match = carteado.new(NAME, seed="far")
    while not match.over:
        plants = [move for move in match.legal() if move.startswith("plant")]
        match.play(max(plants, key=lambda m: int(m.split()[2].split(",")[0])) if plants else match.legal()[-1])
    assert [len(planted) for planted in match.table()["gardens"]] == [17, 16]
    assert max(one["x"] for one in match.table()["gardens"][0]) == 16
    assert match.ply == 132


# A4: the end

NEAR_END = ["ara1 pau1 fla1 qua1 ipe1 jac1 ipe2 jac2 ara2", "ara3 pau3 fla3 qua3 ipe3 jac3 ipe4 jac4 ara4"]


def test_who_draws_the_last_card_finishes_the_turn_and_the_game_is_over():
    """A4: as the first card of the turn; the second comes from a pile."""
    match = begin(gardens=NEAR_END, left=1)
    played(match, "deck")
    assert match.table()["deck"] == []
    assert match.legal() == ["pile 0", "pile 1"]
    played(match, "pile 1")
    match.play(next(move for move in match.legal()))
    assert not match.over
    match.play(match.legal()[0])
    assert match.over and match.to_move is None and match.legal() == []
    assert [len(hand) for hand in match.table()["hands"]] == [7, 7]


def test_the_last_card_may_be_the_second_draw_too():
    """A4."""
    match = played(begin(gardens=NEAR_END, left=1), "pile 0", "deck")
    assert match.table()["phase"] == "plant"
    played(match, match.legal()[0])
    played(match, match.legal()[0])
    assert match.over


def test_the_game_goes_on_while_one_card_is_in_the_deck():
    """A4: even if all draws come from piles."""
    match = played(begin(gardens=NEAR_END, left=1), "pile 0", "pile 0")
    played(match, match.legal()[0])
    played(match, match.legal()[0])
    assert (match.to_move, match.table()["phase"]) == (1, "first")


def test_with_nothing_left_to_draw_the_second_draw_is_skipped():
    """A4: only a position that is set up has no pile to draw from."""
    match = begin(
        gardens=[
            "ipe1 ipe2 ipe3 ipe4 ipe5 ipe6 ipe7 ipe8 jac8 jac7 jac6 jac5 jac4 jac3 jac2 jac1 ara1",
            "ara2 ara3 ara4 ara5 ara6 ara7 ara8 pau8 pau7 pau6 pau5 pau4 pau3 pau2 pau1 fla1",
        ]
    )
    assert len(match.table()["deck"]) == 1
    match.play("deck", seat=1)
    assert match.table()["phase"] == "plant"
    assert len(match.table()["hands"][1]) == 8
    played(match, "plant fla2 16,0")
    match.play(match.legal()[0])
    assert match.over
    assert [len(hand) for hand in match.table()["hands"]] == [7, 6]


@pytest.mark.parametrize(("players", "turns"), [(2, 33), (3, 42), (4, 51)])
def test_no_game_is_longer_than_one_in_which_everyone_draws_from_piles(players, turns):
    """A4: each turn takes one card more out of deck and piles than it gives back."""
    match = carteado.new(NAME, players=players, seed="long")
    while not match.over:
        match.play(match.legal()[-1])
    assert match.ply == 4 * turns <= GAMES[NAME].most_plies


# A5: paths


@pytest.mark.parametrize(
    ("picture", "points", "why"),
    [
        ("ipe2 ipe3", 2, "two cards are a path"),
        ("ipe3 ipe2", 2, "in any direction"),
        ("ipe2", 0, "one card is not"),
        ("ipe2 jac3", 0, "it ends with the species"),
        ("jac2 ipe3", 0, "it starts with the species"),
        ("ipe2 jac3 ipe7", 3, "anything may lie between, and numbers may be left out"),
        ("ipe2 jac2 ipe7", 0, "but they must rise"),
        ("ipe2 jac7 ipe7", 0, "strictly"),
        ("ipe2 jac8 ipe7", 0, "all the way"),
        ("ipe2 .\nipe3 ara3", 2, "steps go up and down too"),
        (".    ipe3\nipe2 ara2", 0, "diagonals are no steps"),
        ("ipe1 ipe3", 3, "+1 for starting with a 1"),
        ("ipe3 ipe8", 4, "+2 for ending with an 8"),
        ("ipe1 ipe8", 5, "both"),
        ("ipe2 ipe3 ipe4", 3, "three of the species are not yet clean"),
        ("ipe2 ipe3 ipe4 ipe6", 8, "four are: 2 a card"),
        ("ipe2 ipe3 jac4 ipe6", 4, "one of another species, and it is not clean"),
        ("ipe1 ipe3 ipe4 ipe6", 9, "the 1 is not doubled"),
        ("ipe2 ipe3 ipe4 ipe8", 10, "nor is the 8"),
        ("ipe1 ipe2 ipe3 ipe4 ipe5 ipe6 ipe7 ipe8", 19, "the best there is"),
    ],
)
def test_what_a_path_is_worth(picture, points, why):
    """A5."""
    assert path_points(picture, players=4 if picture.count(" ") > 5 else 2) == points, why


def test_a_shorter_clean_path_may_beat_a_longer_mixed_one():
    """A5: 4 of the species make 8, the 5 cards of the detour 5."""
    match = begin(gardens=["ipe2 ipe3 ipe4 ipe5\n.    jac1 ara4 ."], players=4)
    assert (line(match, 0, "ipe")["points"], cards_of(line(match, 0, "ipe")["path"])) == (8, "ipe2 ipe3 ipe4 ipe5")


def test_a_longer_mixed_path_may_beat_a_shorter_clean_one():
    """A5: 1 to 8 with two strangers makes 8 + 1 + 2; clean 3 to 6 would make 8."""
    match = begin(gardens=["ipe3 ipe4 ipe5 ipe6\njac2 .    .    jac7\nipe1 .    .    ipe8"], players=4)
    assert (line(match, 0, "ipe")["points"], cards_of(line(match, 0, "ipe")["path"])) == (
        11,
        "ipe1 jac2 ipe3 ipe4 ipe5 ipe6 jac7 ipe8",
    )


def test_of_two_ends_the_8_may_be_worth_the_shorter_path():
    """A5: up to 7 it is three cards, up to 8 two and two more."""
    match = begin(gardens=["ipe8 .    .\nipe2 ipe4 ipe7"])
    assert (line(match, 0, "ipe")["points"], cards_of(line(match, 0, "ipe")["path"])) == (4, "ipe2 ipe8")


def test_a_card_may_serve_paths_of_several_species():
    """A5: but each species scores only its best path."""
    match = begin(gardens=["ipe1 jac2 ipe3 jac4\n.    .    ipe6 ."])
    assert cards_of(line(match, 0, "ipe")["path"]) == "ipe1 jac2 ipe3 ipe6"
    assert cards_of(line(match, 0, "jac")["path"]) == "jac2 ipe3 jac4"
    assert match.scores()[0] == 5 + 3


def test_the_example_in_the_rules():
    """A5, A6."""
    picture = "ara6 ipe7 ipe8\nipe1 ipe3 jac5\n.    jac2 ."
    match = begin(gardens=[picture], hands=["ipe4"], players=3)
    assert [line(match, 0, name)["points"] for name in ("ipe", "jac", "ara")] == [11, 3, 0]
    assert cards_of(line(match, 0, "ipe")["path"]) == "ipe1 ipe3 ipe7 ipe8"
    assert cards_of(line(match, 0, "jac")["path"]) == "jac2 ipe3 jac5"


def every_path(cards: dict[tuple[int, int], str]) -> Iterator[list[str]]:
    """All rising paths of a garden, by trying each."""
    todo = [[at] for at in cards]
    while todo:
        path = todo.pop()
        yield [cards[at] for at in path]
        x, y = path[-1]
        for step in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if step in cards and cards[step][3] > cards[path[-1]][3]:
                todo.append([*path, step])


def worth(path: list[str], species: str) -> int:
    if len(path) < 2 or path[0][:3] != species or path[-1][:3] != species:
        return 0
    is_clean = len(path) >= 4 and all(name[:3] == species for name in path)
    return len(path) * (1 + is_clean) + (path[0][3] == "1") + 2 * (path[-1][3] == "8")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_best_path_is_the_best_of_all_paths_one_by_one(players):
    """A5: in dense random gardens, where there are many."""
    dice, richest = random.Random(players), 0
    for n in range(60):
        match = carteado.new(NAME, players=players, seed=f"paths {n}")
        while not match.over:
            moves = match.legal()
            near = min(abs(x) + abs(y) for x, y in places(moves)) if moves[0].startswith("plant") else 0
            match.play(dice.choice([move for move in moves if not near or sum(map(abs, place(move))) == near]))
        table = match.table()
        for seat, planted in enumerate(table["gardens"]):
            cards = {(one["x"], one["y"]): one["card"] for one in planted}
            paths = list(every_path(cards))
            for species, told in table["account"]["players"][seat]["species"].items():
                assert told["points"] == max(worth(path, species) for path in paths)
                assert told["points"] == worth(cards_of(told["path"]).split(), species)
                assert not told["path"] or [one["card"] for one in told["path"]] in paths
                richest = max(richest, told["points"])
    assert richest >= 7


def place(move: str) -> tuple[int, int]:
    x, y = move.split()[2].split(",")
    return int(x), int(y)


def places(moves: list[str]) -> list[tuple[int, int]]:
    return [place(move) for move in moves]


# A6: the right to score


@pytest.mark.parametrize(
    ("hands", "rights", "why"),
    [
        (["ipe7", "ipe3 ipe4"], (True, True), "the same sum: both"),
        (["ipe7", "ipe3"], (True, False), "the higher sum"),
        (["ipe3", "ipe4"], (False, True), "the higher sum, without a path too"),
        (["", "ipe4"], (False, True), "whoever holds any, if the other holds none"),
        (["", ""], (True, True), "nobody holds any: both"),
        (["ipe8", "ipe4"], (True, False), "the 8 counts 8"),
        (["ipe8", "ipe1"], (False, True), "and 0 if another holds the 1, which counts 1"),
        (["ipe8 ipe3", "ipe1"], (True, False), "the others still count"),
        (["ipe8 ipe1", "ipe7"], (True, False), "one's own 1 does no harm"),
        (["ipe8 ipe3", "ipe1 ipe2"], (True, True), "a tie at 3"),
    ],
)
def test_who_has_the_right_to_score(hands, rights, why):
    """A6."""
    match = begin(gardens=["ipe5 ipe6"], hands=hands)
    assert tuple(line(match, seat, "ipe")["right"] for seat in (0, 1)) == rights, why
    assert match.scores() == [2 * rights[0], 0], why


def test_the_sums_in_hand_are_told_as_they_count():
    """A6."""
    match = begin(gardens=["ipe5 ipe6"], hands=["ipe8 ipe3", "ipe1"])
    assert [line(match, seat, "ipe")["sum"] for seat in (0, 1)] == [3, 1]


def test_a_player_without_a_path_denies_it_to_the_others():
    """A6: seat 2 holds the most and has no path; nobody scores."""
    match = begin(gardens=["ipe5 ipe6", "ipe2 ipe3"], players=3, hands=["ipe1", "", "ipe4"])
    assert [line(match, seat, "ipe")["right"] for seat in (0, 1, 2)] == [False, False, True]
    assert [line(match, seat, "ipe")["points"] for seat in (0, 1, 2)] == [2, 2, 0]
    assert match.scores() == [0, 0, 0]


def test_all_who_tie_at_the_top_score_and_the_others_do_not():
    """A6."""
    match = begin(gardens=["ipe5 ipe6", "jac2 jac3", "jac6 jac8"], players=3, hands=["jac4", "jac5", "jac1"])
    assert [line(match, seat, "jac")["right"] for seat in (0, 1, 2)] == [False, True, False]
    match = begin(gardens=["ipe5 ipe6", "jac2 jac3", "jac6 jac8"], players=3, hands=["", "jac5", "jac1 jac4"])
    assert [line(match, seat, "jac")["right"] for seat in (0, 1, 2)] == [False, True, True]
    assert match.scores() == [2, 2, 4]


# A7: the winner

FIRST = "ipe1 ipe2 ara2 pau2 ara1 pau1 ara3 pau3"
SECOND = "jac1 jac2 fla2 qua2 fla1 qua1 fla3 qua3"


def ended(first: str, second: str, *hands: str) -> carteado.Match:
    return begin("over", gardens=[first, second], hands=hands, left=0)


def test_the_highest_total_wins():
    """A7: equal paths, but seat 1 holds the right to both."""
    match = ended(f"{FIRST} ara4", SECOND, "", "ipe3")
    assert match.scores() == [0, 3]
    assert match.winners == (1,)


def test_a_tie_is_won_by_the_most_distinct_species_planted():
    """A7."""
    match = ended(f"{FIRST} fla4", SECOND)
    assert match.scores() == [3, 3]
    assert [row["planted"] for row in match.table()["account"]["players"]] == [4, 3]
    assert match.winners == (0,)


def test_a_tie_in_points_and_species_is_shared():
    """A7."""
    match = ended(f"{FIRST} ara4", SECOND)
    assert match.scores() == [3, 3]
    assert match.winners == (0, 1)


def test_more_points_beat_more_species():
    """A7."""
    match = ended(f"{FIRST} fla4", SECOND, "", "ipe3")
    assert match.winners == (1,)


# A8: what is hidden


def test_hands_and_deck_are_hidden_and_all_else_is_open():
    """A8, G5."""
    match = begin(gardens=["ipe1 ipe2"], piles=["jac1", "jac2 jac3"])
    truth = match.table()
    for seat in (0, 1, -1):
        view = match.view(seat)
        for other in (0, 1):
            assert view["hands"][other] == (truth["hands"][other] if other == seat else ["?"] * 7)
        assert view["deck"] == ["?"] * len(truth["deck"])
        assert all(view[key] == truth[key] for key in ("gardens", "piles", "species", "known"))


def test_a_card_taken_from_a_pile_is_known_until_it_leaves_the_hand():
    """A8: what comes from the deck is not."""
    match = begin(gardens=["ipe1 ipe2"], piles=["jac1", "jac2 jac3"], top="ara1")
    played(match, "pile 1", "deck")
    for seat in (1, -1):
        assert match.view(seat)["hands"][0] == ["jac3", *["?"] * 8]
    played(match, "plant ara1 2,0")
    assert match.view(1)["hands"][0] == ["jac3", *["?"] * 7]
    played(match, "discard jac3")
    assert match.view(1)["hands"][0] == ["?"] * 7
    assert match.table()["known"] == [0, 0]


def test_where_a_known_card_stands_tells_nothing_of_the_hidden_ones():
    """A8: known cards stand first, in order, whatever the others are."""
    match = played(begin(gardens=["ipe1 ipe2"], piles=["jac1", "jac2 pau8"], hands=["ara1 qua8"]), "pile 1", "pile 0")
    assert match.view(1)["hands"][0] == ["jac1", "pau8", *["?"] * 7]
    assert match.view(0)["hands"][0][2:] == sorted(match.view(0)["hands"][0][2:], key=lambda c: SPECIES.index(c[:3]))


def test_a_known_card_is_forgotten_by_nobody_over_many_turns():
    """A8."""
    match = begin(gardens=["ipe1 ipe2"], piles=["jac1", "jac2 jac8"])
    played(match, "pile 1", "pile 0")
    dice = random.Random(1)
    while not match.over:
        assert match.view(1)["hands"][0][0] == "jac1" or match.over
        moves = [move for move in match.legal() if "jac1" not in move.split()]
        match.play(dice.choice(moves))


def test_moves_are_seen_by_all_but_a_card_from_the_deck_is_not_named():
    """A8, G5."""
    match = played(begin(top="ipe1 ipe2"), "deck", "deck", "plant ipe1 0,0", "discard ipe2")
    seen = [(0, "deck"), (0, "deck"), (0, "plant ipe1 0,0"), (0, "discard ipe2")]
    assert all(match.moves_seen(seat) == seen for seat in (0, 1, -1))


def test_everything_is_open_when_the_game_is_over():
    """A8, G5."""
    match = ended(f"{FIRST} ara4", SECOND)
    assert all(match.view(seat) == match.table() for seat in (0, 1, -1))


def test_a_card_from_the_deck_cannot_be_given_back_and_one_from_a_pile_can():
    """A8: who draws from the deck has seen something."""
    match = played(begin(gardens=["ipe1"], piles=["", "jac1"]), "pile 1")
    match.undo(0)
    assert match.table()["piles"][1] == ["jac1"]
    played(match, "deck")
    assert not match.can_undo(0)
    played(match, "pile 1", "plant jac1 1,0")
    assert match.can_undo(0)


@pytest.mark.parametrize(("players", "shows"), [(2, False), (3, True)])
def test_the_last_discard_shows_something_only_where_several_hands_are_hidden(players, shows):
    """A8: with the deck empty, the cards that one player alone hides are all those that are missing."""
    match = carteado.new(NAME, players=players, seed="end")
    while match.table()["deck"] or match.table()["phase"] != "discard":
        match.play(match.legal()[0])
    for move in match.listed:
        assert GAMES[NAME].reveals(match.state, int(move)) == shows


# Guesses


def worlds(view: Table, seat: int) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Every way to fill the hidden hands and the deck of a view, in order."""
    shown = {*chain(*view["hands"], *view["piles"])} | {one["card"] for planted in view["gardens"] for one in planted}
    unseen = [f"{name}{n}" for name in view["species"] for n in range(1, 9) if f"{name}{n}" not in shown]

    def fill(hidden: list[int], left: list[str]) -> Iterator[tuple[tuple[str, ...], ...]]:
        if not hidden:
            yield from ((deck,) for deck in permutations(left))
            return
        for cards in combinations(left, hidden[0]):
            for rest in fill(hidden[1:], [card for card in left if card not in cards]):
                yield (cards, *rest)

    return fill([hand.count("?") for hand in view["hands"] if "?" in hand], unseen)


@pytest.mark.parametrize(("players", "seat", "left"), [(2, 0, 2), (2, 1, 3), (3, 2, 2), (2, -1, 2)])
def test_every_world_that_fits_a_view_is_guessed_equally_often(players, seat, left):
    """G6, A8."""
    game, match = GAMES[NAME], late_match(players, seat, left)
    view = game.new_states()
    game.run.look(match._states, seat, view)
    seen = match.view(seat)
    hidden = [n for n, hand in enumerate(seen["hands"]) if "?" in hand]
    known = seen["known"]
    expected = list(worlds(seen, seat))
    assert 5 <= len(expected) <= 1000
    counts, rngs = Counter[Any](), seeded("worlds")
    for _ in range(12 * len(expected) + 2000):
        world = view.copy()
        game.run.imagine(world, seat, rngs)
        table = json.loads(game.written(world))
        counts[(*(tuple(table["hands"][n][known[n] :]) for n in hidden), tuple(table["deck"]))] += 1
    assert set(counts) <= set(expected)
    assert chisquare([counts[world] for world in expected]).pvalue > 0.001


def late_match(players: int, seat: int, left: int) -> carteado.Match:
    """A match with so many cards in the deck and few worlds: everyone takes from piles and keeps what all know."""
    for n in range(50):
        match, dice = carteado.new(NAME, players=players, seed=f"late {n}"), random.Random(n)
        while match.state.deck_n > left:
            moves, mover = match.legal(), match.to_move
            hand = [CARD_NAMES[card] for card in match.state.hands[mover] if card]
            known = int(match.state.known[mover])
            if moves[0] == "deck":
                moves = moves[1:] if len(moves) > 1 and dice.random() < 0.8 else moves[:1]
            elif known < len(hand):
                moves = [move for move in moves if move.split()[1] in hand[known:]]
            match.play(dice.choice(moves))
        if 5 <= sum(1 for _, _ in zip(worlds(match.view(seat), seat), range(1001), strict=False)) <= 1000:
            return match
    raise AssertionError("no such match")


# Account


def test_a_view_tells_the_right_where_no_hidden_card_can_change_it():
    """A6, A8: the viewer holds 21 of the species, all others together 3 of what is not shown."""
    match = begin(gardens=["ipe2 ipe3"], hands=["ipe6 ipe7 ipe8"], top="ipe1")
    species = match.view(0)["account"]["players"][0]["species"]["ipe"]
    assert species["points"] == 2
    assert species["right"] is True
    assert species["sum"] is None, "another may hold the 1, and the 8 would count 0"


def test_a_view_leaves_open_what_hidden_cards_decide():
    """A6, A8."""
    match = begin(gardens=["ipe2 ipe3"], hands=["ipe4", "ipe6"])
    row = match.view(0)["account"]["players"][0]
    assert (row["species"]["ipe"]["right"], row["species"]["ipe"]["sum"], row["total"]) == (None, 4, None)
    assert match.view(0)["account"]["players"][1]["species"]["ipe"]["sum"] is None
    whole = match.table()["account"]["players"]
    assert (whole[0]["species"]["ipe"]["right"], whole[0]["total"]) == (False, 0)


def test_what_a_view_tells_is_true_in_the_whole():
    """A6: through random games, for every seat and a watcher; and what is told of the whole is the score."""
    dice = random.Random(5)
    for players in (2, 3, 4):
        match = carteado.new(NAME, players=players, seed="told")
        while not match.over:
            truth = match.table()["account"]["players"]
            assert [row["total"] for row in truth] == match.scores()
            for seat in range(-1, players) if match.ply % 5 == 0 else ():
                for told, true in zip(match.view(seat)["account"]["players"], truth, strict=True):
                    assert told["total"] in (None, true["total"])
                    for name, one in told["species"].items():
                        assert all(one[key] in (None, true["species"][name][key]) for key in ("sum", "right"))
                        assert one["path"] == true["species"][name]["path"]
            match.play(dice.choice(match.legal()))


# Positions that are refused


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"phase": "second"}, "hands: 7 cards each"),
        ({"phase": "over", "to_move": None}, "deck: must have"),
        ({"to_move": None}, "to_move: nobody when"),
        ({"to_move": 1}, "gardens: everyone plants one a turn"),
        ({"species": [*SPECIES[:5], "sib"]}, "cards: every card of the species in play"),
        ({"species": [*SPECIES[:5], "ipe"]}, "species: must be 6 different"),
        ({"species": ["jac", "ipe", *SPECIES[2:6]]}, "species: expected"),
        ({"species": [*SPECIES[:5], "oak"]}, r"species\[5\]: expected one of ipe"),
        ({"known": [1, 2]}, "known: at most .* taken from piles"),
        ({"known": [0, 10]}, r"known\[1\]: expected a whole number from 0 to 9"),
        ({"deck": []}, "cards: every card"),
        ({"gardens": [[], []]}, "cards: every card"),
    ],
)
def test_impossible_positions_are_refused_with_the_reason(change, reason):
    table = {**position(gardens=["ipe1 ipe2"], piles=["jac1", "jac2"]), **change}
    with pytest.raises(carteado.BadPosition, match=reason):
        carteado.setup(NAME, table)


@pytest.mark.parametrize(
    ("planted", "reason"),
    [
        ([("ipe1", 1, 0), ("ipe2", 2, 0)], r"gardens\[0\]\[0\]: expected a free place"),
        ([("ipe1", 0, 0), ("ipe2", 1, 1)], r"gardens\[0\]\[1\]: expected a free place.*got 1,1"),
        ([("ipe1", 0, 0), ("ipe2", 0, 0)], r"gardens\[0\]\[1\]: expected a free place"),
        ([("ipe1", 0, 0), ("ipe2", 17, 0)], r"gardens\[0\]\[1\].x: expected a whole number from -16 to 16"),
        ([("ipe1", 0, 0), ("ipe9", 1, 0)], r"gardens\[0\]\[1\].card: expected a card"),
    ],
)
def test_gardens_that_cannot_grow_are_refused_and_the_card_is_named(planted, reason):
    """A3."""
    table = position(gardens=["ipe1 ipe2"])
    table["gardens"][0] = [{"card": card, "x": x, "y": y} for card, x, y in planted]
    with pytest.raises(carteado.BadPosition, match=reason):
        carteado.setup(NAME, table)


def test_a_hand_out_of_order_is_refused_with_the_order():
    table = position(hands=["ipe1 ipe2"])
    table["hands"][0][:2] = ["ipe2", "ipe1"]
    with pytest.raises(carteado.BadPosition, match=r'hands: expected \[\["ipe1", "ipe2"'):
        carteado.setup(NAME, table)


def test_more_cards_in_piles_than_were_discarded_are_refused():
    """A2."""
    with pytest.raises(carteado.BadPosition, match="piles: each has at most"):
        begin(gardens=["ipe1"], piles=["jac1 jac2", ""])


def test_the_second_draw_needs_something_to_draw():
    """A4."""
    table = position(
        gardens=[
            "ipe1 ipe2 ipe3 ipe4 ipe5 ipe6 ipe7 ipe8 jac8 jac7 jac6 jac5 jac4 jac3 jac2 jac1 ara1",
            "ara2 ara3 ara4 ara5 ara6 ara7 ara8 pau8 pau7 pau6 pau5 pau4 pau3 pau2 pau1 fla1",
        ]
    )
    table["hands"][1].insert(0, table["deck"].pop())
    with pytest.raises(carteado.BadPosition, match="phase: the second draw"):
        carteado.setup(NAME, {**table, "phase": "second"})


# Words


def told(match: carteado.Match, move: str, seat: int, lang: str) -> str:
    match.play(move)
    return happened(match, seat, seat_names(match.players, seat, lang), lang, is_person=False)


def test_cards_and_moves_have_names_in_both_languages():
    match = begin(gardens=["ipe1 ipe2"], piles=["jac3", "ara8"])
    say = words(NAME)
    assert (say.card("ipe4", "pt"), say.card("ipe4", "en")) == ("ipê-amarelo 4", "golden trumpet 4")
    assert (say.card("?", "pt"), say.card("?", "en")) == ("uma carta", "a card")
    names = seat_names(2, 0, "pt")
    assert moves(match, names, "pt", is_person=False) == [
        "comprar do monte",
        "pegar jacarandá 3 do seu próprio descarte",
        "pegar araucária 8 do descarte de Bento",
    ]
    assert moves(match, names, "en", is_person=False) == [
        "draw from the deck",
        "take jacaranda 3 from your own pile",
        "take araucaria 8 from Bento's pile",
    ]
    match = begin("plant", gardens=["ipe1 ipe2 jac5"], hands=["ipe4"])
    called = dict(zip(match.legal(), moves(match, names, "pt", is_person=False), strict=True))
    assert called["plant ipe4 2,-1"] == "plantar ipê-amarelo 4 em (2, -1)"
    match = begin("discard", gardens=["ipe1 ipe2 jac5", "fla1 fla2"], hands=["ipe4"])
    called = dict(zip(match.legal(), moves(match, names, "pt", is_person=False), strict=True))
    assert called["discard ipe4"] == "descartar ipê-amarelo 4"


@pytest.mark.parametrize(
    ("seat", "lang", "said"),
    [
        (0, "pt", "Você comprou pau-brasil 1 do monte."),
        (1, "pt", "Ana comprou uma carta do monte."),
        (0, "en", "You drew brazilwood 1 from the deck."),
        (-1, "en", "Ana drew a card from the deck."),
    ],
)
def test_a_card_from_the_deck_is_named_only_to_the_one_who_drew_it(seat, lang, said):
    """A8."""
    assert told(begin(top="pau1"), "deck", seat, lang) == said


@pytest.mark.parametrize(
    ("whose", "seat", "lang", "said"),
    [
        (1, 0, "pt", "Você pegou araucária 8 do descarte de Bento."),
        (1, 1, "pt", "Ana pegou de você araucária 8, do descarte."),
        (1, -1, "en", "Ana took araucaria 8 from Bento's pile."),
        (1, 1, "en", "Ana took araucaria 8 from your pile."),
        (0, 0, "pt", "Você pegou jacarandá 3 do seu próprio descarte."),
        (0, 1, "pt", "Ana pegou jacarandá 3 do próprio descarte."),
        (0, 0, "en", "You took jacaranda 3 from your own pile."),
        (0, 1, "en", "Ana took jacaranda 3 from their own pile."),
    ],
)
def test_a_card_from_a_pile_is_named_to_all_and_whose_pile_it_was(whose, seat, lang, said):
    """A8."""
    match = begin(gardens=["ipe1 ipe2"], piles=["jac3", "ara8"])
    assert told(match, f"pile {whose}", seat, lang) == said


def test_a_planting_tells_what_its_paths_are_worth_now():
    match = begin("plant", gardens=["ipe1 ipe2"], hands=["ipe3 jac1"])
    said = told(match, "plant ipe3 2,0", 1, "pt")
    assert said == "Ana plantou ipê-amarelo 3 em (2, 0). Caminho de ipê-amarelo: 4 pontos."
    match = begin("plant", gardens=["ipe1 ipe2"], hands=["ipe3 jac1"])
    assert told(match, "plant jac1 2,0", 0, "en") == "You planted jacaranda 1 at (2, 0)."


def test_the_last_card_of_the_deck_is_announced():
    """A4."""
    match = begin(gardens=NEAR_END, left=1)
    assert told(match, "deck", 1, "pt").endswith("Era a última carta do monte: a partida acaba no fim desta vez.")


@pytest.mark.parametrize(
    ("last", "hands", "said"),
    [
        ("ara4", ("ara4", ""), "Bento: 3 pontos (jacarandá 3). Você e Bento dividiram a vitória!"),
        ("fla4", ("fla4", ""), "Você venceu no desempate, com mais espécies plantadas!"),
        ("ara4", ("ara4", "ipe3"), "Você: 0 pontos. Bento: 3 pontos (jacarandá 3). Bento venceu!"),
    ],
)
def test_the_end_tells_what_everyone_scored_and_who_won(last, hands, said):
    """A7."""
    match = begin("plant", gardens=[FIRST, SECOND], hands=hands, left=0)
    match.play(f"plant {last} 8,0")
    assert told(match, match.legal()[-1], 0, "pt").endswith(said)


def test_a_skipped_draw_is_told():
    """A4."""
    rows = [
        "ipe1 ipe2 ipe3 ipe4 ipe5 ipe6 ipe7 ipe8 jac8 jac7 jac6 jac5 jac4 jac3 jac2 jac1 ara1",
        "ara2 ara3 ara4 ara5 ara6 ara7 ara8 pau8 pau7 pau6 pau5 pau4 pau3 pau2 pau1 fla1",
    ]
    assert told(begin(gardens=rows), "deck", 0, "en").endswith("There was no second card to draw.")


@pytest.mark.parametrize("lang", ["pt", "en"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_boards_fit_the_screen_in_every_position(players, lang):
    """Also in gardens that grow as far as they can; and every other player's hidden cards are drawn as backs."""
    for style in ("near", "east", "north"):
        match, dice = carteado.new(NAME, players=players, seed=style), random.Random(players)
        while not match.over:
            moves = match.legal()
            if moves[0].startswith("plant") and style != "near":
                moves = [max(moves, key=lambda m: place(m)[style == "north"])]
            match.play(dice.choice(moves[-2:] if moves[0] == "deck" else moves))
            for seat in (0, players - 1, -1) if match.ply % 13 == 0 or match.over else ():
                table = match.view(seat)
                lines = words(NAME).board(table, seat, seat_names(players, seat, lang), lang)
                texts = [Text.from_markup(line).plain for line in lines]
                assert max(map(len, texts)) <= 80
                assert sum(text.count("▒") for text in texts) == sum(hand.count("?") for hand in table["hands"])


def test_a_usual_board_is_at_most_twenty_lines_and_shows_what_lies_on_the_table():
    match = begin("plant", gardens=["ipe1 ipe2\njac4 ara5"], piles=["jac3", "ara8"], hands=["fla2"])
    lines = words(NAME).board(match.view(0), 0, seat_names(2, 0, "pt"), "pt")
    text = "\n".join(Text.from_markup(line).plain for line in lines)
    assert len(lines) <= 20
    for name in ("ipe1", "ipe2", "jac4", "ara5", "jac3", "ara8", "fla2", "Bento", "Você", "ipê-amarelo"):
        assert name in text


def test_a_name_with_brackets_is_drawn_as_it_is():
    lines = words(NAME).board(begin().view(0), 0, ["[red]Zé", "Ana"], "pt")
    assert any("[red]Zé" in Text.from_markup(line).plain for line in lines)
