"""What is drawn fits the terminal that it is drawn in."""

import io

import pytest
from rich.console import Console

import carteado
from carteado.terminal.screen import LEAST_LINES, Screen
from carteado.text import moves, seat_names

LOG = [f"line {n} of what happened" for n in range(30)]


def drawn(match, height: int, called=None, log=LOG, notice="") -> list[str]:
    """The lines of the screen, without the one of the prompt."""
    console = Console(file=io.StringIO(), force_terminal=True, color_system=None, width=80, height=height)
    screen = Screen("en", console)
    table, names = match.shown(0), seat_names(match.players, 0, "en")
    if called is None:
        called = moves(match, names, "en")
    screen.show(match.game, table, 0, names, log, notice=notice, called=called)
    return console.file.getvalue().replace("\x1b[2J\x1b[H", "").splitlines()


def repeat_poker(moves_left: int):
    match = carteado.new("repeat-poker", seed="s")
    while len(match.legal()) != moves_left:
        match.play(min(match.legal(), key=lambda move: move[-1]))  # column by column, so that few places are left
    return match


def offered(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith(" 1 ")]


@pytest.mark.parametrize("moves_left", range(5, 10))
@pytest.mark.parametrize("notice", ["", "The last move was undone."])
def test_nothing_of_a_tall_board_is_lost_above_for_the_moves_that_are_offered(moves_left, notice):
    lines = drawn(repeat_poker(moves_left), 24, notice=notice)
    assert len(lines) < 24
    assert "Repeat Poker" in lines[0]
    assert LOG[-1] in lines


def test_few_moves_are_offered_where_they_fit():
    match = repeat_poker(9)
    assert not offered(drawn(match, 24)) and offered(drawn(match, 40))
    assert all(len(drawn(match, height)) < height for height in range(24, 50))


def test_lines_of_the_log_that_wrap_count_as_many():
    lines = drawn(repeat_poker(9), 40, called=[], log=["long " * 40] * 30)
    assert len(lines) < 40


def test_the_last_things_that_happened_are_told_however_tall_the_board_is():
    lines = drawn(repeat_poker(9), 10)
    assert lines[-LEAST_LINES:] == LOG[-LEAST_LINES:]


@pytest.mark.parametrize(("term", "sent"), [("xterm", "\x1b[2J\x1b[H\x1b[3J"), ("dumb", "\n" * 25)])
def test_what_is_hidden_cannot_be_scrolled_back_to(monkeypatch, term, sent):
    monkeypatch.setenv("TERM", term)
    console = Console(file=io.StringIO(), force_terminal=True, width=80, height=24)
    Screen("en", console).hide()
    assert console.file.getvalue() == sent
