"""A match brought to life from its log: apply the events in order and you have how it stands."""

from collections.abc import Callable

from carteado.rules import GAMES
from carteado.rules.errors import CarteadoError
from carteado.rules.match import Match
from carteado.server.deal import SILENT, Chain, commitment, seed_of
from carteado.server.log import KINDS, Event, Head
from carteado.wire import Status


class BadLog(ValueError):
    """An event that cannot follow on those before it."""


def is_playable(head: Head) -> bool:
    """Whether the game and its rules are those that are played here."""
    return head.game in GAMES and GAMES[head.game].version == head.rules


class Life:
    """How a match stands. Nothing here waits, sends or stores."""

    __slots__ = (
        *("head", "game", "seats", "events", "match", "people", "sitting", "contributions", "replaced", "resigned"),
        *("used", "lost", "link", "commitment", "status", "ply", "over", "winners", "to_move", "undone"),
        *("held", "told", "_secret", "_chain", "_is_undone"),
    )

    def __init__(self, head: Head) -> None:
        if head.game not in GAMES:
            raise BadLog(f"there is no game {head.game}")
        self.game = GAMES[head.game]
        if head.rules != self.game.version:
            version = self.game.version
            raise BadLog(f"{head.game} is at version {version} here, and the match was begun with {head.rules}")
        seats = len(head.chairs)
        self.head, self.seats = head, seats
        self.events = 0
        self.match: Match | None = None
        self.people = frozenset(seat for seat in range(seats) if not head.chairs[seat].is_bot)  # seats for them
        self.sitting = frozenset(range(seats)) - self.people
        self.contributions: dict[int, bytes] = {}
        self.replaced: frozenset[int] = frozenset()  # people for whom a bot plays
        self.resigned: frozenset[int] = frozenset()
        self.used = [0] * seats  # milliseconds
        self.lost = 0  # of these, in the decision that is being made, before a bot took it over
        self._secret = bytes.fromhex(head.secret)
        self.commitment = commitment(self._secret)
        self._chain = Chain(self._secret)
        self.link = self._chain.first(self.name, head.options, head.start)
        self.status: Status = "waiting"
        self.ply = 0  # moves that were made
        self.over = False
        self.winners: list[int] = []  # at the end
        self.to_move: int | None = None  # the seat that decides
        self.undone = 0  # moves that were taken back
        self._is_undone = False  # since the last move
        self.held: str | None = None  # the answer that becomes a move when the window ends (T13)
        self.told = 0, self.link  # what is said of the last event, its number and link: of a held answer nothing

    # Questions

    @property
    def name(self) -> str:
        """What the seed is made with: the match's id; for a deal of the day its date, so that all get the same."""
        return f"{self.head.game} {self.head.day}" if self.head.day else self.head.id

    def _settle(self) -> None:
        """Over by the rules, or because nobody is left to play against."""
        if self.match is None:
            return
        self.ply, self.to_move, self.status = self.match.ply, self.match.to_move, "playing"
        is_deserted = self.resigned and len(self.left()) < min(2, self.seats)
        if self.to_move is None or is_deserted:
            self.over, self.to_move, self.status = True, None, "over"
            self.winners = self._first()

    def left(self) -> list[int]:
        """Seats for which somebody plays: he has not resigned, and is not out by the rules."""
        assert self.match is not None
        return [seat for seat in range(self.seats) if seat not in self.resigned and not self.match.is_out(seat)]

    def is_bots(self, seat: int) -> bool:
        """Whether a bot decides for that seat now."""
        return seat not in self.people or seat in self.replaced or seat in self.resigned

    def _first(self) -> list[int]:
        """By the rules, but who resigned is last, whatever a bot made of his seat: if that one is first, those win who
        come first among the others."""
        assert self.match is not None
        if not self.match.over:
            return self.left()
        first = self.match.winners
        if not self.resigned.issuperset(first):
            return [seat for seat in first if seat not in self.resigned]
        ranks, others = self.match.ranks(), [seat for seat in range(self.seats) if seat not in self.resigned]
        return [seat for seat in others if ranks[seat] == max(ranks[other] for other in others)]

    @property
    def scores(self) -> list[int]:
        """Only at the end: before, they may count what is hidden."""
        return self.match.scores() if self.match is not None and self.match.over else []

    @property
    def has_last(self) -> bool:
        """Whether the last move on the table is the last that was made: not if one was taken back since."""
        return self.ply > 0 and not self._is_undone

    @property
    def is_open(self) -> bool:
        """Everything is, once it is over (G5), also where somebody gave up; not a day's deck: others are to play it."""
        return self.match is not None and (self.match.over or (self.over and not self.head.day))

    def last_seen(self, seat: int) -> tuple[int, str]:
        """Who moved last, and what, as that seat saw it."""
        assert self.match is not None
        mover, name, masked = self.match.last
        return mover, name if mover == seat or self.is_open else masked

    def contributed(self) -> list[bytes]:
        return [self.contributions.get(seat, SILENT) for seat in range(self.seats)]

    def seed(self) -> bytes:
        return seed_of(self._secret, self.contributed(), self.name)

    # Events

    def apply(self, event: Event) -> None:
        """Makes it happen, or says why it cannot and changes nothing."""
        if event.n != self.events + 1:
            raise BadLog(f"event {event.n} stands where event {self.events + 1} belongs")
        if not 0 <= event.seat < self.seats if event.kind != "deal" else event.seat != -1:
            raise BadLog(f"event {event.n}: there is no seat {event.seat}")
        happen = HAPPENS.get(event.kind)
        if happen is None:
            raise BadLog(f"event {event.n}: there is no such kind")
        happen(self, event)
        self._settle()
        self.events = event.n
        self.link = self._chain.next(self.link, event)
        if self.held is None:
            self.told = self.events, self.link
        elif event.kind != "answer":  # numbered as if there were no answer
            self.told = self.told[0] + 1, self.link

    def _need(self, event: Event, holds: bool, why: str) -> None:
        if not holds:
            raise BadLog(f"event {event.n}, {event.kind} of seat {event.seat}: {why}")

    @property
    def _is_going_on(self) -> bool:
        """By the rules; in an older version it also did when only one was left, if others were out and not resigned."""
        return self.match is not None and not self.match.over

    def _sit(self, event: Event) -> None:
        self._need(event, self.match is None and event.seat not in self.sitting, "the seat is not free")
        self.sitting |= {event.seat}

    def _stand(self, event: Event) -> None:
        seated = event.seat in self.sitting & self.people
        self._need(event, self.match is None and seated, "nobody can leave that seat now")
        self.sitting -= {event.seat}
        self.contributions.pop(event.seat, None)

    def _contribute(self, event: Event) -> None:
        is_person = event.seat in self.sitting & self.people
        once = event.seat not in self.contributions
        self._need(event, self.match is None and is_person and once, "only a person, once, before the deal")
        data = bytes.fromhex(event.data)
        self._need(event, len(data) == len(SILENT), "a contribution has 16 bytes")
        self.contributions[event.seat] = data

    def _deal(self, event: Event) -> None:
        self._need(event, self.match is None and len(self.sitting) == self.seats, "the seats are not all taken, once")
        try:
            match = Match(self.game, self.head.options, self.seed(), self.head.start)
        except CarteadoError as error:
            raise BadLog(f"event {event.n}: {error}") from None
        self._need(event, match.options == self.head.options, "the options are not those of the position")
        self.match = match

    def _move(self, event: Event) -> None:
        match = self.match
        if match is None or match.over:
            raise BadLog(f"event {event.n}, move of seat {event.seat}: the match is not being played")
        if self.held is not None:
            self._need(event, self.held == event.data, "another answer was held")
        try:
            match.play(event.data, event.seat)
        except CarteadoError as error:
            raise BadLog(f"event {event.n}: {error}") from None
        self.used[event.seat] += event.used
        self._is_undone, self.held, self.lost = False, None, 0

    def _answer(self, event: Event) -> None:
        self._need(event, self.match is not None and event.seat == self.to_move, "nobody is asked, or another")
        assert self.match is not None
        self._need(event, self.held is None and self.match.is_legal(event.data), "only once, and what is possible")
        self.held = event.data

    def _undo(self, event: Event) -> None:
        self._need(event, self._is_going_on, "the match is not being played")
        assert self.match is not None
        is_last = self.ply > 0 and self.match.last[0] == event.seat
        self._need(event, is_last, "that cannot be taken back")  # an older version may have let more be (M8)
        self.match.take_back()
        self.undone += 1
        self._is_undone, self.lost = True, 0

    def _resign(self, event: Event) -> None:
        self._need_player(event, event.seat not in self.resigned)
        self.resigned |= {event.seat}
        self.replaced -= {event.seat}

    def _takeover(self, event: Event) -> None:
        self._need_player(event, not self.is_bots(event.seat))
        self.replaced |= {event.seat}
        self.used[event.seat] += event.used
        self.lost += event.used

    def _return(self, event: Event) -> None:
        self._need_player(event, event.seat in self.replaced)
        self.replaced -= {event.seat}

    def _need_player(self, event: Event, holds: bool) -> None:
        self._need(event, holds and self._is_going_on and event.seat in self.people, "it cannot happen now")


HAPPENS: dict[str, Callable[[Life, Event], None]] = {kind: getattr(Life, f"_{kind}") for kind in KINDS}


def alive(head: Head, events: list[Event]) -> Life:
    life = Life(head)
    for event in events:
        life.apply(event)
    return life
