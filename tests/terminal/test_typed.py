"""What somebody types becomes a move, a command, or a sentence that helps."""

import pytest

from carteado.terminal.typed import read

LEGAL = ["R7", "Rskip", "B7", "wild", "draw", "with 1", "with 2"]
CALLED = ["jogar 7 vermelho", "jogar pular vermelho", "jogar 7 azul", "jogar coringa", "comprar", "Bento", "Caio"]


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("R7", "R7"),
        ("r7", "R7"),
        ("  with   2 ", "with 2"),
        ("3", "B7"),
        ("wi", None),
        ("wil", "wild"),
        ("d", "draw"),
        ("compr", "draw"),
        ("jogar cor", "wild"),
        ("BENTO", "with 1"),
    ],
)
def test_a_move_is_typed_by_name_by_number_or_by_its_beginning(text, move):
    assert read(text, LEGAL, CALLED, "pt").move == move


def test_an_empty_line_plays_the_only_move_and_otherwise_lists_them():
    assert read("", ["draw"], ["comprar"], "pt").move == "draw"
    assert read(" ", LEGAL, CALLED, "pt").command == "?"


def test_a_beginning_that_fits_several_moves_asks_for_more():
    assert read("r", LEGAL, CALLED, "en").complaint == "'r' could be R7, Rskip: type a little more."


def test_a_wrong_word_says_what_was_meant():
    assert read("drwa", LEGAL, CALLED, "en").complaint == "'drwa' is not a move now. Did you mean draw?"
    assert read("comprr", LEGAL, CALLED, "pt").complaint == "«comprr» não é uma jogada agora. Você quis dizer draw?"
    assert read("undp", LEGAL, CALLED, "en").complaint == "'undp' is not a move now. Did you mean undo?"


def test_a_word_like_nothing_says_what_is_possible():
    complaint = read("€€€", LEGAL, CALLED, "en").complaint
    assert complaint == "'€€€' is not a move now. Possible: R7, Rskip, B7, wild, draw, with 1, with 2."


@pytest.mark.parametrize("text", ["0", "8", "99999999999999999999"])
def test_a_number_that_is_no_move_says_which_are(text):
    assert "from 1 to 7" in read(text, LEGAL, CALLED, "en").complaint


@pytest.mark.parametrize(
    ("text", "command", "argument"),
    [("?", "?", ""), ("ajuda", "?", ""), ("desfazer", "undo", ""), ("save a b", "save", "a b"), ("q", "quit", "")],
)
def test_commands_have_names_in_both_languages(text, command, argument):
    typed = read(text, LEGAL, CALLED, "pt")
    assert (typed.command, typed.argument) == (command, argument)


@pytest.mark.parametrize(
    ("text", "file"),
    [
        ("save  a  b ", "a  b"),
        ('save "a b"', "a b"),
        ("guardar 'a b'", "a b"),
        ("save ana's", "ana's"),
        ('save "', '"'),
    ],
)
def test_the_name_of_a_file_is_taken_as_it_stands_but_for_quotes_around_it(text, file):
    assert read(text, LEGAL, CALLED, "pt").argument == file


def test_a_move_goes_before_a_command_of_the_same_name():
    assert read("undo", ["undo", "x"], ["a", "b"], "en").move == "undo"
