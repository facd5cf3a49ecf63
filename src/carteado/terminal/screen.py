"""The screen: what is drawn and what is asked. Everything goes through one Rich console."""

import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from rich.console import Console, RenderableType
from rich.markup import escape
from rich.table import Table as Grid

from carteado.rules.game import Game
from carteado.rules.match import Match
from carteado.rules.position import printable
from carteado.terminal.words import COMMANDS, WORDS
from carteado.text import Table, listed, words

FEW = 9  # moves that are offered without asking
LEAST_LINES = 3  # of what happened, however tall the board is
SPARE = 5  # lines below, where no moves are offered, for what is typed and answered
COLOURS = re.compile(r"\x1b\[[\d;]*m")
FORGET = "\x1b[3J"  # to a terminal: what was scrolled out of sight


class Screen:
    """A console that speaks one language."""

    def __init__(self, lang: str, console: Console | None = None) -> None:
        self.lang = lang
        self.console = console or Console(highlight=False)

    def say(self, key: str, **values: object) -> None:
        self.console.print(self.text(key, **{name: escape(str(value)) for name, value in values.items()}))

    def say_whole(self, key: str, **values: object) -> None:
        """In one line, however long it is, so that it can be copied."""
        text = self.text(key, **{name: escape(str(value)) for name, value in values.items()})
        self.console.print(text, soft_wrap=True)

    def text(self, key: str, **values: object) -> str:
        return WORDS[self.lang][key].format(**values)

    def number(self, value: float) -> str:
        """With one decimal, after a comma in Portuguese."""
        return f"{value:.1f}".replace(".", "," if self.lang == "pt" else ".")

    def complain(self, sentence: str) -> None:
        """It may repeat what somebody typed or a stranger wrote: nothing in it moves the cursor."""
        shown = printable(sentence, also="\n\xa0")
        self.console.print(f"[bright_red]{escape(shown)}[/]")

    def ask(self, prompt: str) -> str:
        """One typed line; raises EOFError when there is no more."""
        prompt = f"[bold]{prompt}[/] › "
        if not self.can_edit():
            return self.console.input(prompt)
        with self.console.capture() as drawn:
            self.console.print(prompt, end="")
        return input(COLOURS.sub("\x01\\g<0>\x02", drawn.get()))  # between these, what takes no room

    def can_edit(self) -> bool:
        """Whether arrows and the like work in what is typed. Nothing is remembered: others may sit here next."""
        if not (self.console.is_terminal and self.console.file is sys.stdout and sys.stdin.isatty()):
            return False
        try:
            import readline
        except ImportError:
            return False
        readline.set_auto_history(False)
        return True

    def ask_afresh(self, prompt: str) -> str:
        """The same, but what was typed before it was asked is no answer."""
        with suppress(ImportError, OSError, ValueError):  # no terminal
            import termios

            with suppress(termios.error):
                termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
        return self.ask(prompt)

    @contextmanager
    def waiting(self, key: str, **values: object) -> Iterator[None]:
        """Says what it is that takes a moment; gone when it is over."""
        with self.console.status(self.text(key, **{name: escape(str(value)) for name, value in values.items()})):
            yield

    def clear(self) -> None:
        if self.console.is_terminal:
            self.console.clear()

    def hide(self) -> None:
        """Clears also what could be scrolled back to; a terminal that cannot do that gets a screenful of nothing."""
        if self.console.is_dumb_terminal:
            self.console.print("\n" * self.console.height)
        elif self.console.is_terminal:
            self.console.clear()
            self.console.file.write(FORGET)
            self.console.file.flush()

    def show(
        self,
        game: Game,
        table: Table,
        seat: int,
        names: Sequence[str],
        log: Sequence[str],
        note: str = "",
        notice: str = "",
        called: Sequence[str] = (),
    ) -> None:
        """The whole picture: a heading, the board, and the last things that happened; then the moves in words with
        their numbers, where they are few and nothing of the picture is lost above for them."""
        self.clear()
        head = f"[bold]{game.title}[/]" + (f"  [dim]{escape(note)}[/]" if note else "")
        board = words(game.name).board(table, seat, names, self.lang)
        left = self.console.height - len(board) - 3 - bool(notice)  # the heading, that of the log, and the prompt
        offer = self.offer(called)
        if offer and self.console.is_terminal and self.tall(offer) + self.tall(*log[-LEAST_LINES:]) > left:
            offer = None
        room = max(LEAST_LINES, left - (self.tall(offer) if offer else SPARE))
        self.console.print(head)
        for line in board:
            self.console.print(line, soft_wrap=True)
        self.console.print(f"[dim]── {self.text('log')} " + "─" * 40 + "[/]")
        for line in self.last(log, room):
            self.console.print(escape(line))
        if notice:
            self.console.print(f"[bright_yellow]{notice}[/]")
        if offer:
            self.console.print(offer)

    def last(self, log: Sequence[str], room: int) -> Sequence[str]:
        """As many of the last lines as have room, and never fewer than the least."""
        n = min(LEAST_LINES, len(log))
        while n < len(log) and self.tall(*log[-n - 1 :]) <= room:
            n += 1
        return log[len(log) - n :]

    def tall(self, *printed: RenderableType) -> int:
        """How many lines of the screen they take."""
        return sum(len(self.console.render_lines(escape(p) if isinstance(p, str) else p)) for p in printed)

    def list_moves(self, legal: Sequence[str], called: Sequence[str]) -> None:
        """Every legal move with its number, its name and what it is called, and the commands."""
        self.say("moves")
        wide = max(len(name) for name in legal)
        cells = [
            f"[dim]{n:>3}[/] [bold]{escape(name)}[/]{' ' * (wide - len(name))} {escape(words)}"
            for n, (name, words) in enumerate(zip(legal, called, strict=True), 1)
        ]
        self.console.print(self.grid(cells, wide + 6 + max(len(words) for words in called)))
        for name, does in COMMANDS[self.lang].items():
            self.console.print(f"[dim]    [bold]{name:<5}[/bold] {escape(does)}[/]")

    def offer(self, called: Sequence[str]) -> Grid | None:
        """The moves in words with their numbers, where they are few."""
        if not 0 < len(called) <= FEW:
            return None
        cells = [f"[bold]{n:>2}[/] {escape(words)}" for n, words in enumerate(called, 1)]
        return self.grid(cells, 5 + max(len(words) for words in called))

    def grid(self, cells: Sequence[str], wide: int) -> Grid:
        """Cells in as many columns as there is room for, read downwards."""
        columns = max(1, min(len(cells), self.console.width // (wide + 2)))
        rows = -(-len(cells) // columns)
        grid = Grid.grid(padding=(0, 2))
        for row in range(rows):
            grid.add_row(*cells[row::rows])
        return grid

    def result(self, match: Match, names: Sequence[str], winners: Sequence[int]) -> None:
        """Who won, and everybody's points, unless it ended before they were counted."""
        self.console.print(f"\n[bold]{self.text('over')}[/]")
        scores = match.scores()
        if match.players == 1:
            if match.over:
                self.say("solo end", points=scores[0])
            return
        grid = Grid.grid(padding=(0, 2))
        for seat, name in enumerate(names):
            mark = "[bright_yellow]★[/]" if seat in winners else " "
            grid.add_row(mark, escape(name), f"[bold]{scores[seat]}[/]" if match.over else "")
        self.console.print(grid)
        first = [names[seat] for seat in winners]
        key = "won" if len(first) == 1 else "draw" if len(first) == match.players else "shared"
        self.say(key, who=listed(first, self.lang))
