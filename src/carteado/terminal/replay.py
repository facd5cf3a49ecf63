"""A recorded match, step by step."""

from collections.abc import Sequence

from carteado.rules.loops import EVERYTHING
from carteado.rules.match import Match
from carteado.terminal.screen import Screen
from carteado.text import happened, seat_names


class Replay:
    """Walks through a match: any ply, seen from any seat, by a watcher or with all cards. Where somebody gave up, that
    is given with it: after how many moves, and which seat; and who won."""

    def __init__(
        self,
        screen: Screen,
        match: Match,
        seat: int = EVERYTHING,
        resigned: Sequence[tuple[int, int]] = (),
        winners: Sequence[int] | None = None,
    ) -> None:
        self.screen, self.match, self.seat = screen, match, seat
        self.resigned = resigned
        self.winners = match.winners if winners is None and match.over else winners
        self.ply = 0

    def at(self, ply: int) -> Match:
        """The match as it stood after so many moves."""
        match = Match(self.match.game, self.match.options, self.match.seed, self.match.start)
        for move in self.match.moves[:ply]:
            match.play(move)
        return match

    def lines(self) -> list[str]:
        """What happened up to here, as this seat saw it."""
        match, seat, lang = self.at(0), self.seat, self.screen.lang
        names = seat_names(match.players, -1, lang)

        def given_up() -> list[str]:
            return [self.screen.text("resigned", who=names[seat]) for ply, seat in self.resigned if ply == match.ply]

        told = [self.screen.text("start"), *given_up()]
        for move in self.match.moves[: self.ply]:
            match.play(move)
            told += [f"{match.ply}. {happened(match, seat, names, lang, is_person=False)}", *given_up()]
        return told

    def table(self, match: Match) -> dict[str, object]:
        return match.table() if self.seat == EVERYTHING else match.view(self.seat)

    def show(self) -> None:
        match, screen = self.at(self.ply), self.screen
        names = seat_names(match.players, -1, screen.lang)
        who = {EVERYTHING: screen.text("all cards"), -1: screen.text("seen by", who=screen.text("watcher"))}
        note = screen.text("ply", ply=self.ply, n=self.match.ply) + " · "
        note += who.get(self.seat) or screen.text("seen by", who=names[self.seat])
        is_over = self.winners is not None and self.ply == self.match.ply
        table = match.table() if is_over else self.table(match)  # then all is open (G5)
        screen.show(match.game, table, max(self.seat, 0), names, self.lines(), note)
        if is_over and self.winners is not None:
            screen.result(match, names, self.winners)

    def run(self) -> None:
        """Interactive in a terminal; otherwise all that happened, and the result."""
        if not self.screen.console.is_terminal:
            self.ply = self.match.ply
            for line in self.lines():
                self.screen.console.print(line, markup=False)
            if self.winners is not None:
                names = seat_names(self.match.players, -1, self.screen.lang)
                self.screen.result(self.match, names, self.winners)
            return
        self.show()
        while self.step(self.screen.ask(f"[dim]{self.screen.text('replay keys')}[/]").strip().casefold()):
            pass

    def step(self, key: str) -> bool:
        """Does what was typed; False to leave."""
        if key in ("q", "quit", "sair"):
            return False
        if key in ("", "n"):
            self.ply = min(self.ply + 1, self.match.ply)
        elif key == "b":
            self.ply = max(self.ply - 1, 0)
        elif key == "s":
            self.seat = EVERYTHING if self.seat == self.match.players - 1 else self.seat + 1
        elif key.isascii() and key.isdigit() and len(key) < 9 and int(key) <= self.match.ply:
            self.ply = int(key)
        else:
            self.screen.complain(self.screen.text("not a step", word=key[:20], keys=self.screen.text("replay keys")))
            return True
        self.show()
        return True
