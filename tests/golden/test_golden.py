"""Golden matches: each file is replayed from its head and its moves, and every line must come out as it stands."""

import pytest
from support import golden

from carteado.rules import GAMES

FILES = [path for game in GAMES for path in golden.files(game)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_match_comes_out_line_by_line(path):
    """G2: the same seed and moves make the same match, today as when it was written."""
    text = path.read_text(encoding="utf-8")
    head, moves = golden.read(text)
    match = golden.new_match(head["game"], head)
    again = golden.written(match, moves)
    assert match.over, "the match does not end"
    for line, expected in zip(again.splitlines(), text.splitlines(), strict=False):
        assert line == expected
    assert again == text


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_match_says_what_it_is(path):
    text = path.read_text(encoding="utf-8")
    head, moves = golden.read(text)
    assert list(head) == ["game", "rules", "options", "seed", "scores", "winners", "table"]
    assert path.stem.startswith(head["game"])
    assert int(head["rules"]) == GAMES[head["game"]].version
    assert moves
    assert "?" not in "".join(moves)


def test_every_game_has_three_golden_matches():
    assert not golden.games_without(), "write them with tests/golden/write.py"


def test_every_golden_match_is_of_a_game_in_the_register():
    assert set(golden.FOLDER.glob("*.txt")) == set(FILES)


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_the_golden_matches_of_a_game_differ_in_players_and_options(game):
    heads = [golden.read(path.read_text(encoding="utf-8"))[0] for path in golden.files(game.name)]
    matches = [golden.new_match(game.name, head) for head in heads]
    assert len({head["seed"] + head["options"] for head in heads}) == len(heads)
    assert len({match.players for match in matches}) >= min(len(game.players.values), golden.LEAST)
    for option in game.options:
        assert len({match.options[option.name] for match in matches}) > 1, f"all have the same {option.name}"
