"""A deal that can be checked: the seed, the chain, and every tampering found in plain words."""

import hashlib
import hmac
import json
import random
import sys
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

import carteado
from carteado.rules import GAMES
from carteado.rules.match import Match
from carteado.server.deal import SILENT, Chain, commitment, seed_of
from carteado.server.life import BadLog, Life, alive
from carteado.server.log import Chair, Event, Head
from carteado.server.record import Moment, Seen, Unproven, match_of, record_of, verify
from carteado.server.replay import replay_of
from carteado.server.seen import MOST_LINES, Named, last_lines, line
from carteado.server.words import WORDS, say
from carteado.text import Voice, unquoted
from carteado.wire import write

SECRET = bytes(range(32))
ADDED = bytes.fromhex("aa" * 16)
NAMES = ["Ana", "Bento", "Caio"]


def new_head(game: str, day: str = "", **options: int | bool) -> Head:
    checked = GAMES[game].checked_options(dict(options))
    known = GAMES[game].full_options(checked)
    chairs = [Chair() for _ in range(checked["players"])]
    return Head("match-1234", 1, game, GAMES[game].version, known, SECRET.hex(), "key", chairs, day=day)


def three_at(head: Head) -> tuple[Life, list[Event], Callable[..., None]]:
    """Three have sat down and have their cards: the match, its events, and what adds one."""
    life, events = Life(head), list[Event]()

    def add(kind: Any, seat: int, data: str = "") -> None:
        events.append(Event(life.events + 1, 5, kind, seat, data))
        life.apply(events[-1])

    for seat in range(3):
        add("sit", seat)
    add("deal", -1)
    return life, events, add


def played(head: Head, seed: int = 1) -> list[Event]:
    """A whole match of random moves; one has added his bytes, but to a deal of the day nobody does."""
    life, events, choose = Life(head), [], random.Random(seed)

    def add(kind: Any, seat: int, data: str = "") -> None:
        event = Event(life.events + 1, 5, kind, seat, data)
        life.apply(event)
        events.append(event)

    for seat in sorted(life.people):
        add("sit", seat)
    if not head.day:
        add("contribute", 0, ADDED.hex())
    add("deal", -1)
    while life.to_move is not None:
        assert life.match is not None
        add("move", life.to_move, choose.choice(life.match.legal()))
    return events


@pytest.fixture(scope="module")
def record() -> dict[str, Any]:
    head = new_head("neon-one", players=3)
    data: dict[str, Any] = json.loads(write(record_of(head, played(head), ["Ana", "Bento", "Caio"])))
    return data


def refused(record: dict[str, Any]) -> str:
    with pytest.raises(Unproven) as caught:
        verify(json.dumps(record).encode())
    for lang in WORDS:
        assert say(lang, caught.value.key, **caught.value.parts)
    return caught.value.key


def changed(record: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {**json.loads(json.dumps(record)), **fields}


def test_the_seed_is_the_hash_of_secret_contributions_in_seat_order_and_id() -> None:
    expected = hashlib.sha256(SECRET + ADDED + SILENT + b"match-1234").digest()
    assert seed_of(SECRET, [ADDED, SILENT], "match-1234") == expected
    assert commitment(SECRET) == hashlib.sha256(SECRET).hexdigest()


def test_a_link_cannot_be_made_without_the_secret() -> None:
    """Else an opponent could try every card that may lie hidden in a move, and see which one fits the link."""
    event, link = Event(7, 1, "move", 0, "guard 5s 7h"), bytes(32)
    shown = Chain(SECRET).next(link, event)
    assert shown == hmac.new(SECRET, link + b"7 move 0 guard 5s 7h", hashlib.sha256).digest()
    assert shown != Chain(bytes(32)).next(link, event)
    assert shown not in (hashlib.sha256(link + b"7 move 0 guard 5s 7h").digest(), Chain(b"").next(link, event))


@pytest.mark.parametrize("game", GAMES)
def test_a_true_record_of_every_game_is_verified(game: str) -> None:
    head = new_head(game)
    told = verify(write(record_of(head, played(head), ["x"] * len(head.chairs))))
    keys = ["commitment holds", "seed holds", "added", "moves hold", "result holds", "link holds", "no screen"]
    assert [key for key, _ in told] == keys
    for lang in WORDS:
        assert all(say(lang, key, **parts) for key, parts in told)


def test_another_secret_is_caught(record: dict[str, Any]) -> None:
    assert refused(changed(record, secret="00" * 32)) == "commitment"


def test_another_secret_with_its_own_commitment_is_caught_by_the_seed(record: dict[str, Any]) -> None:
    assert refused(changed(record, secret="00" * 32, commitment=commitment(bytes(32)))) == "seed"


def test_another_contribution_is_caught(record: dict[str, Any]) -> None:
    assert refused(changed(record, contributions=["bb" * 16, *record["contributions"][1:]])) == "contributions"
    events = [{**e, "data": "bb" * 16} if e["kind"] == "contribute" else e for e in record["events"]]
    assert refused(changed(record, events=events)) == "contributions"
    added = ["bb" * 16, *record["contributions"][1:]]
    assert refused(changed(record, events=events, contributions=added)) == "seed"


def test_a_secret_of_another_length_is_caught(record: dict[str, Any]) -> None:
    for secret in (b"", SECRET[:31], SECRET + b"x"):
        assert refused(changed(record, secret=secret.hex(), commitment=commitment(secret))) == "commitment"


def test_a_secret_that_is_written_in_another_way_is_caught(record: dict[str, Any]) -> None:
    for secret in (record["secret"].upper(), " " + record["secret"]):
        assert refused(changed(record, secret=secret)) == "commitment"


def test_a_record_of_another_format_is_called_so(record: dict[str, Any]) -> None:
    for found in (record["carteado"] - 1, record["carteado"] + 1):
        assert refused(changed(record, carteado=found)) == "other format"


def test_all_that_a_player_has_to_compare_is_said_and_how_many_seats_were_silent(record: dict[str, Any]) -> None:
    """Who was shown one name and finds another in the record, or other bytes for his seat, has been cheated."""
    told = dict(verify(json.dumps(record).encode()))
    for key in ("commitment", "link"):
        assert told[f"{key} holds"][key] == record[key]
    assert told["seed holds"] == {"people": 3, "silent": 2, "name": "match-1234"}
    assert told["added"] == {"seat": 0, "bytes": ADDED.hex()}
    for lang in WORDS:
        assert "match-1234" in say(lang, "seed holds", **told["seed holds"])


def test_options_in_another_order_begin_the_same_chain() -> None:
    options: dict[str, int | bool] = {"players": 3, "limit": 60}
    assert Chain(SECRET).first("match-1234", options) == Chain(SECRET).first("match-1234", {"limit": 60, "players": 3})
    assert Chain(SECRET).first("match-1234", options) != Chain(SECRET).first("match-1234", {**options, "limit": 61})


def test_another_id_is_caught(record: dict[str, Any]) -> None:
    assert refused(changed(record, match="match-1235")) == "seed"


def test_an_illegal_move_is_caught(record: dict[str, Any]) -> None:
    last = record["events"][-1]
    assert refused(changed(record, events=[*record["events"][:-1], {**last, "data": "teleport"}])) == "event"


def test_a_move_by_another_seat_is_caught(record: dict[str, Any]) -> None:
    last = record["events"][-1]
    other = {**last, "seat": (last["seat"] + 1) % 3}
    assert refused(changed(record, events=[*record["events"][:-1], other])) == "event"


def test_a_legal_move_in_place_of_another_is_caught() -> None:
    head = new_head("repeat-poker")
    events = played(head)
    before = alive(head, events[:-1])
    assert before.match is not None
    other = next(cell for cell in before.match.legal() if cell != events[-1].data)  # the last card, on another cell
    forged = [*events[:-1], Event(events[-1].n, 5, "move", 0, other)]
    data = json.loads(write(record_of(head, forged, ["Ana"])))
    data["link"] = alive(head, events).link.hex()  # that every player was shown
    assert refused(data) == "link"


def test_events_in_another_order_are_caught(record: dict[str, Any]) -> None:
    swapped = [record["events"][1], record["events"][0], *record["events"][2:]]
    assert refused(changed(record, events=swapped)) == "event"
    renumbered = [{**event, "n": n} for n, event in enumerate(swapped, 1)]
    assert refused(changed(record, events=renumbered)) == "link"


def test_a_dropped_end_is_caught(record: dict[str, Any]) -> None:
    assert refused(changed(record, events=record["events"][:-1])) == "link"


@pytest.mark.parametrize("option, value", [("memory_aid", True), ("limit", 101)])
def test_other_options_are_caught_even_where_every_move_fits_them(option: str, value: int | bool) -> None:
    head = new_head("menor-soma", players=2, limit=100, memory_aid=False)
    record = json.loads(write(record_of(head, played(head), ["Ana", "Bento"])))
    verify(json.dumps(record).encode())
    assert refused(changed(record, options={**record["options"], option: value})) == "link"


def test_another_result_is_caught(record: dict[str, Any]) -> None:
    assert refused(changed(record, winners=[0, 1, 2])) == "result"


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"carteado": 1}', b"\xff\xfe", b"[" * 100_000])
def test_what_is_no_record_is_called_so(data: bytes) -> None:
    with pytest.raises(Unproven) as caught:
        verify(data)
    assert caught.value.key == "not a record"


@pytest.mark.parametrize(("left", "right"), [("[", "]"), ('{"a":', "}")])
def test_a_position_that_is_too_deep_is_refused_however_deep(record: dict[str, Any], left: str, right: str) -> None:
    most = sys.getrecursionlimit()
    for depth in (10, *range(most - 200, most + 10)):
        start = '{"a":' + left * depth + "1" + right * depth + "}"
        data = json.dumps(changed(record, start=0)).replace('"start": 0', f'"start": {start}').encode()
        for read in (verify, match_of):
            with pytest.raises(Unproven):
                read(data)


def test_a_match_of_the_terminal_is_said_to_have_no_proof() -> None:
    with pytest.raises(Unproven) as caught:
        verify(json.dumps(carteado.new("neon-one", seed="s").record()).encode())
    assert caught.value.key == "no proof"


def test_a_day_deals_the_same_to_every_match() -> None:
    first, second = new_head("repeat-poker", "2026-01-02"), new_head("repeat-poker", "2026-01-02")
    second = Head(**{**{f: getattr(second, f) for f in second.__struct_fields__}, "id": "match-9999"})
    tables = []
    for head in (first, second):
        life = alive(head, [Event(1, 1, "sit", 0), Event(2, 1, "deal")])
        assert life.match is not None
        tables.append(life.match.table())
    assert tables[0] == tables[1]


def test_of_a_day_it_is_said_that_nothing_binds_the_code_of_the_match() -> None:
    head = new_head("repeat-poker", "2026-01-02")
    record = json.loads(write(record_of(head, played(head), ["x"])))
    for code in ("match-1234", "match-9999"):
        said = ("of a day", {"day": "2026-01-02", "match": code})
        assert said in verify(json.dumps({**record, "match": code}).encode())


@pytest.mark.parametrize("game", ["neon-one", "repeat-poker"])
def test_a_seat_more_than_the_match_is_for_is_caught(game: str) -> None:
    """With bytes for it the house could have tried deals after it knew those of the others."""
    head = new_head(game)
    for more in (Chair("mestre"), Chair()):
        forged = Head(**{**{f: getattr(head, f) for f in head.__struct_fields__}, "chairs": [*head.chairs, more]})
        assert refused(json.loads(write(record_of(forged, played(forged), ["x"])))) == "seats"


@pytest.mark.parametrize("day", ["2026-01-02 b", "2026-1-2", "20260102"])
def test_a_day_that_is_no_date_is_caught(day: str) -> None:
    """With its name the house could have tried deals after it had shown the hash."""
    head = new_head("repeat-poker", day)
    assert refused(json.loads(write(record_of(head, played(head), ["x"])))) == "day"


def test_bytes_added_to_a_deal_of_the_day_are_caught() -> None:
    head = new_head("repeat-poker", "2026-01-02")
    moves = played(head)
    events = [moves[0], Event(2, 5, "contribute", 0, ADDED.hex()), Event(3, 5, "deal")]
    life, choose = alive(head, events), random.Random(1)
    while life.to_move is not None and life.match is not None:
        events.append(Event(life.events + 1, 5, "move", 0, choose.choice(life.match.legal())))
        life.apply(events[-1])
    assert refused(json.loads(write(record_of(head, events, ["x"])))) == "day"


def test_a_day_that_began_at_a_position_is_caught() -> None:
    head = new_head("repeat-poker", "2026-01-02")
    start = Match(GAMES["repeat-poker"], {}, b"", carteado.new("repeat-poker", seed="liked").table()).start
    forged = Head(**{**{f: getattr(head, f) for f in head.__struct_fields__}, "start": start})
    assert refused(json.loads(write(record_of(forged, played(forged), ["x"])))) == "day"


@pytest.mark.parametrize("bots", [0, 1])
def test_only_one_alone_against_bots_begins_at_a_position(bots: int) -> None:
    head = new_head("neon-one")
    start = Match(GAMES["neon-one"], {}, b"", carteado.new("neon-one", seed="liked").table()).start
    chairs = [Chair(), *[Chair("mestre" if bots else "")] * (len(head.chairs) - 1)]
    fields = {f: getattr(head, f) for f in head.__struct_fields__}
    forged = Head(**{**fields, "start": start, "chairs": chairs})
    record = json.loads(write(record_of(forged, played(forged), ["x"] * len(chairs))))
    if bots:
        assert verify(json.dumps(record).encode())
    else:
        assert refused(record) == "start"


def test_a_day_of_several_seats_is_caught() -> None:
    head = new_head("neon-one", "2026-01-02")
    assert refused(json.loads(write(record_of(head, played(head), ["x", "y"])))) == "day"


def test_where_all_but_one_are_out_or_have_resigned_the_last_line_names_the_winner_and_no_new_round() -> None:
    """M6."""
    head, choose = new_head("menor-soma", players=3, limit=30), random.Random(0)
    life, events, add = three_at(head)
    add("resign", 0)
    while life.to_move is not None and life.match is not None:
        add("move", life.to_move, choose.choice(life.match.legal()))
    assert life.match is not None and not life.match.over and life.winners == [2]
    frames = replay_of(head, events, {0: "Ana", 1: "Bento", 2: "Caio"}, -1, -1, "en").frames
    assert frames[-1].line.endswith("Out of the game, with 30 or more: Bento. Caio won the match!")


def test_while_an_answer_is_held_events_are_numbered_as_if_there_were_none() -> None:
    """T13."""
    head, choose = new_head("trincheira"), random.Random(1)
    life = alive(head, [Event(1, 1, "sit", 0), Event(2, 1, "sit", 1), Event(3, 1, "deal")])
    while life.match is not None and life.match.table()["phase"] != "answer":
        assert life.to_move is not None
        life.apply(Event(life.events + 1, 1, "move", life.to_move, choose.choice(life.match.legal())))
    asked, told = life.to_move, []
    assert asked is not None
    for has_answered in (False, True):
        if has_answered:
            life.apply(Event(life.events + 1, 1, "answer", asked, "allow"))
        for kind in ("takeover", "return"):
            before = life.told[0]
            life.apply(Event(life.events + 1, 1, kind, 1 - asked))  # type: ignore[arg-type]
            told.append(life.told[0] - before)
    assert told == [1, 1, 1, 1]
    life.apply(Event(life.events + 1, 1, "move", asked, "allow"))
    assert life.told[0] == life.events


def test_who_resigns_among_three_is_last_and_his_seat_is_played_on() -> None:
    head = new_head("neon-one", players=3)
    events = played(head)
    whole = alive(head, events)
    winner = whole.winners[0]
    resigned = [*events[:-1], Event(events[-1].n, 5, "resign", winner)]
    life = alive(head, resigned)
    assert not life.over and life.is_bots(winner)
    life.apply(Event(events[-1].n + 1, 5, "move", events[-1].seat, events[-1].data))
    others = [seat for seat in range(3) if seat != winner]
    fewest = min(life.scores[seat] for seat in others)  # N10
    assert life.over and life.winners == [seat for seat in others if life.scores[seat] == fewest]
    assert len({life.scores[seat] for seat in others}) == 2


def test_who_is_out_is_nobody_to_play_against() -> None:
    """M6: where all but one have resigned or are out, that one has won; whoever was out has lost."""
    at_once = on_the_last_move = 0
    for seed in range(60):
        head = new_head("menor-soma", players=3, limit=60)
        events = played(head, seed)
        before = alive(head, events[:-1])
        assert before.match is not None
        table, winner = before.match.table(), alive(head, events).winners[0]
        others = [seat for seat in table["account"]["in"] if seat != winner]
        before.apply(Event(events[-1].n, 5, "resign", winner))
        assert before.over == (len(others) == 1)
        at_once += before.over
        if not before.over:
            before.apply(Event(events[-1].n + 1, 5, "move", events[-1].seat, events[-1].data))
            on_the_last_move += 1
            fewest = min(before.scores[seat] for seat in others)
            others = [seat for seat in others if before.scores[seat] == fewest]
        assert before.over and before.winners == others
    assert at_once and on_the_last_move


def test_a_seat_that_goes_out_after_another_resigned_leaves_the_third_the_winner() -> None:
    """M6."""
    ends = 0
    for seed in range(20):
        head = new_head("menor-soma", players=3, limit=20)
        life = alive(head, played(head, seed)[:5])
        life.apply(Event(life.events + 1, 5, "resign", 0))
        choose = random.Random(seed)
        while life.to_move is not None:
            assert life.match is not None
            life.apply(Event(life.events + 1, 5, "move", life.to_move, choose.choice(life.match.legal())))
        assert life.match is not None and 0 not in life.winners
        if not life.match.over:
            ends += 1
            assert life.winners == [seat for seat in (1, 2) if life.match.table()["totals"][seat] < 20]
    assert ends


def lines_since(life: Life, events: list[Event], since: int, seat: int, names: list[str], lang: str) -> list[str]:
    return [text for n, text in last_lines(life, events, seat, named(names), lang) if n > since]


def named(names: Sequence[str]) -> Named:
    """Where nobody is called 'you'."""
    return Named([*names], -1)


def told_to(life: Life, event: Event, seat: int, names: Sequence[str], lang: str) -> str:
    return unquoted(line(life, event, Voice(life.game), seat, named(names), lang))


@pytest.mark.parametrize(
    ("lang", "said"), [("pt", "Quem desistiu não vence: {} venceu"), ("en", "cannot win: {} won.")]
)
def test_the_last_line_names_who_won_where_the_rules_name_one_who_resigned(lang: str, said: str) -> None:
    head = new_head("neon-one", players=3)
    events = played(head)
    winner, last = alive(head, events).winners[0], events[-1]
    events[-1:] = [Event(last.n, 5, "resign", winner), Event(last.n + 1, 5, "move", last.seat, last.data)]
    life = alive(head, events[:-1])
    assert life.match is not None
    names = ["Ana", "Bento", "Caio"]
    life.apply(events[-1])
    assert [*life.match.winners] == [winner] and len(life.winners) == 1
    told = told_to(life, events[-1], winner, names, lang)
    assert said.format(names[life.winners[0]]) in told
    assert lines_since(life, events, life.events - 1, winner, names, lang) == [told]
    frames = replay_of(head, events, dict(enumerate(names)), -1, -1, lang).frames
    assert said.format(names[life.winners[0]]) in frames[-1].line


def test_everybody_is_ranked_as_the_rules_rank_the_first() -> None:
    """A7, M6, N6: those who win have the highest rank, and only they."""
    for game in GAMES.values():
        for seed in range(12):
            life = alive(head := new_head(game.name, players=game.players.values[-1]), played(head, seed))
            assert life.match is not None
            ranks = life.match.ranks()
            assert [seat for seat, rank in enumerate(ranks) if rank == max(ranks)] == list(life.match.winners)


def test_what_was_missed_has_as_many_lines_before_and_after_an_answer_is_held() -> None:
    """T13."""
    head, told = new_head("trincheira"), set()
    events = played(head)
    for n, event in enumerate(events):
        if event.data == "allow" and n > MOST_LINES + 5:
            life = alive(head, events[:n])
            for held in (False, True):
                if held:
                    life.apply(Event(n + 1, 5, "answer", event.seat, event.data))
                answered = [*events[:n], Event(n + 1, 5, "answer", event.seat, event.data)][: n + held]
                told.add((n, len(lines_since(life, answered, 1, 1 - event.seat, ["Ana", "Bento"], "pt"))))
    assert told and len(told) == len({n for n, _ in told})


def lines_of(head: Head, events: list[Event], seat: int) -> list[str]:
    """What that seat was told of each event from the deal on, one by one."""
    life, lines = Life(head), []
    for event in events:
        life.apply(event)
        if life.match is not None:
            lines.append(told_to(life, event, seat, NAMES[: life.seats], "pt"))
    return lines


def test_one_who_comes_back_late_is_told_the_last_lines_and_no_more() -> None:
    head = new_head("arboretum")
    events = played(head)[: 3 * MOST_LINES]
    lines, life = lines_of(head, events, 0), alive(head, events)
    assert all(lines) and len(lines) > MOST_LINES
    for since, most in ((1, MOST_LINES), (len(events) - MOST_LINES - 1, MOST_LINES), (len(events) - 7, 7)):
        assert lines_since(life, events, since, 0, NAMES[:2], "pt") == lines[-most:]
    assert lines_since(life, events, len(events), 0, NAMES[:2], "pt") == []
    few = events[:20]
    dealt = next(event.n for event in few if event.kind == "deal")  # of that he has heard
    assert lines_since(alive(head, few), few, dealt, 0, NAMES[:2], "pt") == lines_of(head, few, 0)[1:]


def test_where_one_has_to_remember_he_is_told_what_came_after_his_own_move_and_no_more_than_a_lap() -> None:
    """M8. A turn has three decisions."""
    head, told = new_head("menor-soma", players=3), set()
    events = played(head)
    for n in range(20, 60):
        life = alive(head, events[:n])
        assert life.match is not None and not life.match.may_hint
        for seat in range(-1, 3):
            own = max([0, *(event.n for event in events[:n] if event.kind == "move" and event.seat == seat)])
            most = min(9, n - own)
            lines = lines_of(head, events[:n], seat)[-most:] if most else []
            assert lines_since(life, events[:n], 1, seat, NAMES[:3], "pt") == [text for text in lines if text]
            told.add((seat < 0, most))
    assert told >= {(False, 0), (False, 6), (True, 9)} and (True, 8) not in told


def test_where_one_had_to_remember_he_is_told_all_when_it_is_over() -> None:
    head = new_head("menor-soma", players=3)
    events = played(head)
    lines = lines_of(head, events, 0)
    assert lines_since(alive(head, events), events, 1, 0, NAMES[:3], "pt") == lines[-min(len(lines), MOST_LINES) :]


def test_what_was_added_by_one_who_stood_up_counts_no_more() -> None:
    life = alive(new_head("neon-one", players=2), [Event(1, 1, "sit", 0), Event(2, 1, "contribute", 0, ADDED.hex())])
    assert life.contributed() == [ADDED, SILENT]
    life.apply(Event(3, 1, "stand", 0))
    assert life.contributed() == [SILENT, SILENT]
    life.apply(Event(4, 1, "sit", 0))
    life.apply(Event(5, 1, "contribute", 0, "bb" * 16))
    assert life.contributed() == [b"\xbb" * 16, SILENT]


def test_after_a_move_was_taken_back_no_last_move_is_shown_until_the_next() -> None:
    life = alive(new_head("arboretum"), [Event(1, 1, "sit", 0), Event(2, 1, "sit", 1), Event(3, 1, "deal")])
    assert life.match is not None
    while life.ply < 3 or not life.match.can_undo(0):
        life.apply(Event(life.events + 1, 1, "move", 0, life.match.legal()[0]))
    assert life.has_last
    life.apply(Event(life.events + 1, 1, "undo", 0))
    assert life.ply >= 2 and not life.has_last
    again = life.match.legal()[-1]
    life.apply(Event(life.events + 1, 1, "move", 0, again))
    assert life.has_last and life.last_seen(0) == (0, again)


def test_who_resigns_while_a_bot_plays_for_him_does_not_come_back() -> None:
    seated = [*(Event(n, 1, "sit", n - 1) for n in (1, 2, 3)), Event(4, 1, "deal"), Event(5, 1, "takeover", 2)]
    life = alive(new_head("neon-one", players=3), seated)
    assert life.replaced == {2}
    life.apply(Event(6, 1, "resign", 2))
    assert life.replaced == set() and life.is_bots(2)
    with pytest.raises(BadLog):
        life.apply(Event(7, 1, "return", 2))


def test_who_resigned_before_a_move_was_taken_back_resigned_no_later_than_the_last_one() -> None:
    head = new_head("arboretum", players=3)
    life, events, add = three_at(head)
    assert life.match is not None
    while not (life.ply and life.match.can_undo(0)):
        add("move", 0, life.match.legal()[0])
    add("resign", 2)
    add("undo", 0)
    add("resign", 1)
    assert life.over and life.ply > 0
    assert match_of(write(record_of(head, events, NAMES))).resigned == [(life.ply, 2), (life.ply, 1)]


def test_time_that_one_lost_is_not_taken_from_who_gets_his_move_back() -> None:
    life = alive(new_head("trincheira"), [Event(1, 1, "sit", 0), Event(2, 1, "sit", 1), Event(3, 1, "deal")])
    assert life.match is not None
    life.apply(Event(4, 1, "move", 0, life.match.legal()[0]))
    life.apply(Event(5, 1, "takeover", 1, used=3000))
    assert (life.to_move, life.lost, life.used) == (1, 3000, [0, 3000])
    life.apply(Event(6, 1, "undo", 0))
    assert (life.to_move, life.lost, life.used) == (0, 0, [0, 3000])


def not_proven(life: Life, events: list[Event]) -> str:
    """Why one who does not believe the house takes no such match from it: what it has kept it can read, though."""
    data = write(record_of(life.head, events, NAMES))
    assert match_of(data).winners == life.winners
    with pytest.raises(Unproven) as caught:
        verify(data)
    return str(caught.value.parts["why"])


def test_a_move_that_an_older_version_let_be_taken_back_was_taken_back() -> None:
    """Where one has to remember, a card that is taken shows the one beneath it (M8): that was not seen at first."""
    life, events, add = three_at(new_head("menor-soma", players=3, memory_aid=False))
    assert life.match is not None
    for seat in (0, 1):
        for move in ("draw", "discard", "pass"):
            add("move", seat, move)
    before = life.match.table()
    add("move", 2, "take")
    assert not life.match.can_undo(2)
    with pytest.raises(BadLog, match="taken back"):
        life.apply(Event(life.events + 1, 5, "undo", 1))
    add("undo", 2)
    assert life.match.table() == before and (life.to_move, life.undone) == (2, 1)
    add("resign", 0)
    add("resign", 1)
    assert not_proven(life, events).startswith("undo of seat 2")


def test_a_match_that_went_on_in_an_older_version_with_one_player_left_is_read_to_its_end() -> None:
    """Who is out counted as somebody to play against."""
    life, events, add = three_at(new_head("menor-soma", players=3, limit=55))
    assert life.match is not None
    while not any(map(life.match.is_out, range(3))):
        add("move", life.match.to_move or 0, life.match.legal()[-1])
    out = next(seat for seat in range(3) if life.match.is_out(seat))
    assert not life.over
    add("resign", (out + 1) % 3)
    assert life.over and life.winners == [(out + 2) % 3]
    while not life.match.over:
        add("move", life.match.to_move or 0, life.match.legal()[-1])
    assert life.over and life.scores and (out + 1) % 3 not in life.winners
    assert "not being played" in not_proven(life, events)


@pytest.mark.parametrize("other", [-1, 1])
def test_a_match_of_another_version_of_the_rules_is_not_played_on(other: int) -> None:
    head = new_head("neon-one")
    with pytest.raises(BadLog, match="is at version"):
        Life(msgspec.structs.replace(head, rules=head.rules + other))


def test_a_move_is_the_answer_that_was_held() -> None:
    """T13."""
    head = new_head("trincheira")
    events = played(head)
    asked = next(n for n, event in enumerate(events) if event.data == "annul")
    for held in ("annul", "allow"):
        life = alive(head, [*events[:asked], Event(asked + 1, 5, "answer", events[asked].seat, held)])
        other = {"annul": "allow", "allow": "annul"}[held]
        with pytest.raises(BadLog, match="another answer was held"):
            life.apply(Event(asked + 2, 5, "move", events[asked].seat, other))
        assert life.held == held
        life.apply(Event(asked + 2, 5, "move", events[asked].seat, held))
        assert life.held is None


def test_a_match_from_a_position_has_the_options_of_that_position() -> None:
    head = new_head("menor-soma", players=2, limit=60)
    start = Match(GAMES["menor-soma"], head.options, "a position").table()
    seated = [Event(1, 1, "sit", 0), Event(2, 1, "sit", 1), Event(3, 1, "deal")]
    assert alive(msgspec.structs.replace(head, start=start), seated).match is not None
    for other in ({"limit": 61}, {"memory_aid": True}):
        with pytest.raises(BadLog, match="options"):
            alive(msgspec.structs.replace(head, start=start, options={**head.options, **other}), seated)


def test_who_resigns_of_two_loses_at_once() -> None:
    head = new_head("neon-one", players=2)
    life = alive(head, played(head)[:-1])
    life.apply(Event(life.events + 1, 5, "resign", 1))
    assert life.status == "over" and life.winners == [0] and life.to_move is None


@pytest.mark.parametrize(
    "event",
    [
        Event(4, 1, "sit", 0),
        Event(3, 1, "sit", 1),
        Event(3, 1, "contribute", 0, "aa"),
        Event(3, 1, "move", 0, "draw"),
        Event(3, 1, "return", 0),
        Event(3, 1, "stand", 7),
        Event(3, 1, "deal", 0),
        Event(3, 1, "settle", 0),  # type: ignore[arg-type] # of a later version, or damaged
    ],
)
def test_an_event_that_cannot_follow_changes_nothing(event: Event) -> None:
    life = alive(new_head("neon-one", players=2), [Event(1, 1, "sit", 0), Event(2, 1, "sit", 1)])
    link = life.link
    with pytest.raises(BadLog):
        life.apply(event)
    assert (life.events, life.link, life.status) == (2, link, "waiting")


def seen_by(seat: int, head: Head, events: list[Event]) -> Seen:
    """What an honest house has shown to that seat."""
    life, moments = Life(head), []
    for event in events:
        life.apply(event)
        if life.match is not None and event.kind != "answer":
            table = life.match.table() if life.match.over or life.over else life.match.shown(seat)
            text = json.dumps(table, sort_keys=True, separators=(",", ":"))
            mover, move = life.last_seen(seat) if life.has_last else (None, "")
            shown = "" if mover is None else f"{mover} {move}"
            n, link = life.told
            moments.append(Moment(n, link.hex(), seat, hashlib.sha256(text.encode()).hexdigest()[:32], shown))
    bots = [n for n, chair in enumerate(head.chairs) if chair.is_bot]
    sent = life.contributions.get(seat)
    result = (life.winners, life.scores)
    return Seen(
        head.id, life.commitment, True, bots, (sent or SILENT).hex(), -1 if sent is None else seat, moments, result
    )


def saved(head: Head, events: list[Event], seen: Seen, **parts: Any) -> bytes:
    """As the page saves it."""
    record = json.loads(write(record_of(head, events, ["x"] * len(head.chairs))))
    return json.dumps({**record, "seen": {**json.loads(write(seen)), **parts}}).encode()


@pytest.mark.parametrize("game", GAMES)
def test_what_a_screen_saw_holds_at_every_seat_and_for_a_watcher(game: str) -> None:
    head = new_head(game)
    events = played(head)
    for seat in range(-1, len(head.chairs)):
        seen = seen_by(seat, head, events)
        assert verify(saved(head, events, seen))[-1] == ("screen holds", {"n": len(seen.moments)})
        assert verify(saved(head, events, seen, isEarly=False))[-1][0] == "late screen holds"
        assert verify(saved(head, events, seen, moments=[], result=None))[-1] == ("screen holds", {"n": 0})


def test_what_was_shown_while_an_answer_was_held_and_after_one_was_taken_back_holds() -> None:
    head = new_head("trincheira")
    life, events = Life(head), list[Event]()

    def add(kind: Any, seat: int, data: str = "") -> None:
        events.append(Event(life.events + 1, 5, kind, seat, data))
        life.apply(events[-1])

    add("sit", 0), add("sit", 1), add("deal", -1)
    choose = random.Random(1)
    while life.match is not None and life.match.table()["phase"] != "answer":
        add("move", life.to_move or 0, choose.choice(life.match.legal()))
    asked = life.to_move or 0
    add("answer", asked, "allow")
    add("takeover", asked)
    add("return", asked)
    add("move", asked, "allow")
    add("resign", asked)
    for seat in (-1, 0, 1):
        assert verify(saved(head, events, seen_by(seat, head, events)))[-1][0] == "screen holds"


def test_of_a_match_that_is_not_the_one_that_a_screen_saw_the_first_moment_is_named() -> None:
    """A house may show cards that it likes, and publish a sound record of others."""
    head = new_head("repeat-poker")
    events = played(head)
    liked = Head(**{**{f: getattr(head, f) for f in head.__struct_fields__}, "secret": bytes(32).hex()})
    seen, shown = seen_by(0, head, events), seen_by(0, liked, played(liked))
    deal, *rest = seen.moments
    for moment, n in (
        (shown.moments[0], deal.event),
        (Moment(deal.event, deal.link, 0, shown.moments[0].table, ""), deal.event),
        (Moment(deal.event, deal.link, 0, deal.table, "0 a1"), deal.event),
        (Moment(deal.event, deal.link, -2, deal.table, ""), deal.event),
        (Moment(deal.event, deal.link, 7, deal.table, ""), deal.event),
        (Moment(1, deal.link, 0, deal.table, ""), 1),
        (Moment(1000, deal.link, 0, deal.table, ""), 1000),
    ):
        data = saved(head, events, seen, moments=[json.loads(write(one)) for one in (moment, *rest)])
        with pytest.raises(Unproven) as caught:
            verify(data)
        assert (caught.value.key, caught.value.parts) == ("screen event", {"n": n})


def test_each_other_thing_that_a_screen_saw_otherwise_is_named() -> None:
    head = new_head("neon-one", players=3)
    events = played(head)
    seen = seen_by(0, head, events)
    for parts, key in (
        ({"name": "match-1235"}, "screen name"),
        ({"commitment": commitment(bytes(32))}, "screen commitment"),
        ({"bots": [1]}, "screen seats"),
        ({"bytes": SILENT.hex()}, "screen bytes"),
        ({"seat": 1}, "screen silent"),
        ({"result": [[0, 1, 2], []]}, "screen result"),
    ):
        assert refused(json.loads(saved(head, events, seen, **parts))) == key
    for wrong in ({"more": 1}, {"moments": [[1, 2]]}, {"seat": "0"}):
        assert refused(json.loads(saved(head, events, seen, **wrong))) == "not a record"


@pytest.mark.parametrize("data", [ADDED.hex().upper(), " " + ADDED.hex()])
def test_bytes_that_are_written_in_another_way_are_caught(record: dict[str, Any], data: str) -> None:
    forged = changed(record)
    forged["events"][3]["data"] = data
    assert forged["events"][3]["kind"] == "contribute" and refused(forged) == "not a record"
