"""A match at the keyboard: people take turns at it, bots take the other seats."""

import json
import os
import shlex
import signal
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from secrets import token_hex

from carteado.bots import LEVELS, level
from carteado.bots.bot import ask, thoughts
from carteado.rules.match import Match, is_record
from carteado.terminal.manual import show_rules
from carteado.terminal.screen import Screen
from carteado.terminal.typed import read
from carteado.text import NAMES, happened, language, moves, seat_names

AGAIN = 0.2  # seconds, before a signal is repeated


class Leave(BaseException):
    """Somebody left the table. No Exception: a bot that is thinking just then would take it for a fault of its own."""


class KeyboardTable:
    """One match, the people who sit at it, and what each of them saw happen."""

    def __init__(self, screen: Screen, match: Match, people: Collection[int], file: Path, opponents: str) -> None:
        self.screen, self.match, self.people, self.file = screen, match, sorted(people), file
        self.opponents = opponents  # their level
        self.bot = level(match.game, opponents)
        self.logs: dict[int, list[str]] = {seat: [] for seat in self.people}
        self.looking: int | None = None  # the person in front of the screen
        self.notice = ""

    def names(self, seat: int) -> list[str]:
        """With several people at one keyboard everybody is called by name."""
        return seat_names(self.match.players, seat if len(self.people) == 1 else -1, self.screen.lang)

    # The match

    def run(self) -> None:
        """Plays to the end, or until somebody leaves; nothing that was played is lost."""
        try:
            with leaving_when_told():
                while self.match.to_move is not None:
                    seat = self.match.to_move
                    if seat in self.people:
                        self.decide(seat)
                    else:
                        self.play(self.answer(seat))
                complaint = self.write(self.file)
        except (Leave, KeyboardInterrupt, EOFError, OSError):  # the last: there is no terminal any more
            complaint = self.write(self.file) if self.match.ply else None
            with suppress(OSError):
                self.screen.console.print()
                if self.match.ply:
                    self.tell_saved(self.file, complaint)
                self.screen.say("bye")
            return
        self.finish()
        self.tell_saved(self.file, complaint)

    def answer(self, seat: int) -> str:
        """What the bot on that seat does."""
        with self.screen.waiting("thinking", who=NAMES[seat]):
            return ask(self.match, self.bot, f"{self.match.seed!r} {self.match.ply}").move

    def play(self, move: str) -> None:
        """Makes the move, and tells each person what he saw of it."""
        self.match.play(move)
        for seat in self.people:
            self.logs[seat].append(happened(self.match, seat, self.names(seat), self.screen.lang))

    def finish(self) -> None:
        seat = self.people[0] if self.people else -1
        self.screen.show(self.match.game, self.match.shown(seat), seat, self.names(seat), self.logs.get(seat, []))
        self.screen.result(self.match, self.names(seat), self.match.winners)

    # A decision

    def decide(self, seat: int) -> None:
        """Asks until a move is made or taken back."""
        self.begin_turn(seat)
        self.hide_from_others(seat)
        legal, called = self.match.legal(), moves(self.match, self.names(seat), self.screen.lang)
        self.show(seat, called)
        self.notice = ""
        while True:
            typed = read(self.screen.ask(self.prompt(seat, legal, called)), legal, called, self.screen.lang)
            if typed.move is not None:
                self.play(typed.move)
                return
            if typed.complaint is not None:
                self.screen.complain(typed.complaint)
            elif typed.command == "undo" and self.undo(seat):
                return
            else:
                self.obey(typed.command or "?", typed.argument, seat, legal, called)

    def show(self, seat: int, called: Sequence[str]) -> None:
        table, names, log = self.match.shown(seat), self.names(seat), self.logs[seat]
        self.screen.show(self.match.game, table, seat, names, log, notice=self.notice, called=called)

    def begin_turn(self, seat: int) -> None:
        """Where a person has to remember something for himself, his log begins after his own last turn (M8)."""
        log = self.logs[seat]
        movers = [mover for mover, _ in self.match.moves_seen(seat)][-len(log) :] if log else []  # a line for each
        if seat in movers[:-1] and movers[-1] != seat and self.match.shown(seat) != self.match.view(seat):
            while seat in movers:
                del log[0], movers[0]

    def prompt(self, seat: int, legal: Sequence[str], called: Sequence[str]) -> str:
        screen = self.screen
        whose = screen.text("your move") if len(self.people) == 1 else screen.text("whose move", who=NAMES[seat])
        if len(legal) == 1:
            return f"{whose} [dim]({screen.text('one answer', move=called[0])})[/]"
        return f"{whose} [dim]({screen.text('help hint', n=len(legal))})[/]"

    def hide_from_others(self, seat: int) -> None:
        """A screen between turns, so that nobody sees another's cards."""
        if len(self.people) > 1 and self.looking != seat:
            self.screen.hide()
            self.screen.ask_afresh(self.screen.text("pass the keyboard", who=NAMES[seat]))
        self.looking = seat

    def obey(self, command: str, argument: str, seat: int, legal: Sequence[str], called: Sequence[str]) -> None:
        screen = self.screen
        if command == "?":
            screen.list_moves(legal, called)
        elif command == "table":
            self.show(seat, called)
        elif command == "log":
            for line in self.logs[seat] or [screen.text("no log")]:
                screen.console.print(line, markup=False)
        elif command == "rules":
            show_rules(screen, self.match.game.name)
        elif command == "hint":
            self.hint(legal, called)
        elif command == "save":
            self.save(Path(argument) if argument else self.file)
        elif command == "quit":
            raise Leave

    def hint(self, legal: Sequence[str], called: Sequence[str]) -> None:
        """What the strongest bot would do here, and how sure it is."""
        if not self.match.may_hint:
            self.screen.complain(self.screen.text("no hint", option=self.match.game.aid))
            return
        who = self.screen.text("the level", level=LEVELS[-1])
        with self.screen.waiting("thinking", who=who):
            best, *others = thoughts(self.match, level(self.match.game, LEVELS[-1]), f"hint {self.match.ply}")
        spoken = dict(zip(legal, called, strict=True))
        self.screen.say("hint", who=who, move=spoken[best.move], name=best.move, sure=round(100 * best.sure))
        if others:
            self.screen.say("else", moves=" · ".join(f"{spoken[t.move]} ({round(100 * t.sure)}%)" for t in others[:3]))

    def undo(self, seat: int) -> bool:
        """Takes the seat's last move back, and what everybody was told of it."""
        movers = [mover for mover, _ in self.match.moves_seen(seat)]
        if self.match.can_undo(seat):
            self.match.undo(seat)
            for log in self.logs.values():
                del log[-1:]  # of a match that was taken up again there are no lines
            self.notice = self.screen.text("undone")
            return True
        why = "nothing yet" if seat not in movers else "another's" if movers[-1] != seat else "revealed"
        self.screen.complain(self.screen.text("no undo", why=self.screen.text(why)))
        return False

    # Keeping it

    def save(self, file: Path) -> None:
        self.tell_saved(file, self.write(file))

    def write(self, file: Path) -> str | None:
        """Writes the record beside the old file first, so that a full disk does not cost the old one. What is not a
        saved match is never replaced. A complaint, or None if all is well."""
        try:
            file = file.expanduser()
            if file.exists() and not is_saved_match(file):
                return self.screen.text("not ours", file=file)
            file.parent.mkdir(parents=True, exist_ok=True)
            draft = file.with_name(file.name + ".new")
            draft.write_text(json.dumps(self.match.record(), ensure_ascii=False), encoding="utf-8")
            draft.replace(file)
        except (OSError, ValueError, RuntimeError) as error:
            why = (isinstance(error, OSError) and error.strerror) or error
            return self.screen.text("cannot save", file=file, why=why)
        return None

    def tell_saved(self, file: Path, complaint: str | None) -> None:
        if complaint is not None:
            self.screen.complain(complaint)
            return
        file = file.expanduser()
        self.screen.say_whole("saved", file=file)
        path, lang = shlex.quote(str(file)), self.screen.lang
        more = f" --lang {lang}" if lang != language(None) else ""
        if self.match.over:
            self.screen.say_whole("see again", command=f"carteado replay {path}{more}")
            return
        seats = "all" if len(self.people) == self.match.players else ",".join(map(str, self.people))
        command = f"carteado play --resume {path} --seat {seats} --level {self.opponents}{more}"
        self.screen.say_whole("resume with", command=command)


@contextmanager
def leaving_when_told() -> Iterator[None]:
    """A closed terminal and a request to end are as if somebody left the table; a second one finds nobody there."""
    names = [getattr(signal, name) for name in ("SIGHUP", "SIGTERM") if hasattr(signal, name)]
    before = {name: signal.getsignal(name) for name in names if signal.getsignal(name) != signal.SIG_IGN}

    def leave(*_: object) -> None:
        for name in before:
            signal.signal(name, signal.SIG_IGN)
        raise Leave

    for name in before:
        signal.signal(name, leave)
    try:
        with repeating(before):
            yield
    finally:
        for name in before:
            if signal.getsignal(name) is leave:
                signal.signal(name, before[name])


@contextmanager
def repeating(signals: Collection[int]) -> Iterator[None]:
    """A signal that comes in the instant before the main thread waits for a key, or to another thread, would be heard
    only with that key: it is sent to the main thread again until the block is left."""
    if not hasattr(signal, "pthread_kill"):
        yield
        return
    ear, mouth = os.pipe()
    os.set_blocking(mouth, False)
    main, left = threading.get_ident(), threading.Event()

    def listen() -> None:
        while came := os.read(ear, 1):  # the number of a signal
            while came[0] in signals and not left.wait(AGAIN):
                signal.pthread_kill(main, came[0])

    listener = threading.Thread(target=listen, name="signals", daemon=True)
    listener.start()
    before = signal.set_wakeup_fd(mouth, warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        left.set()
        os.close(mouth)
        listener.join()
        os.close(ear)


def is_saved_match(file: Path) -> bool:
    """Whether the file looks like one that `save` has written; a record that a server has published is none."""
    try:
        return file.is_file() and is_record(json.loads(file.read_bytes()))
    except (ValueError, RecursionError):
        return False


def kept_file(match: Match) -> Path:
    """Where a match is kept by itself: named after the game and the time at which it began, and by chance, for several
    may begin at once."""
    home = os.environ.get("XDG_STATE_HOME") or os.path.join(os.path.expanduser("~"), ".local", "state")
    began = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    return Path(home) / "carteado" / f"{match.game.name}-{began}-{token_hex(3)}.json"
