"""The command line, as somebody types at it."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
from datetime import datetime

import pytest
from rich.console import Console
from typer.testing import CliRunner

import carteado
from carteado.bots.bot import Bot, chosen, view_of
from carteado.cli import app
from carteado.rules import GAMES
from carteado.rules.random import seeded
from carteado.server import commands
from carteado.server.sqlite_file import lock
from carteado.terminal.replay import Replay
from carteado.terminal.screen import Screen
from carteado.terminal.table import Leave, leaving_when_told

runner = CliRunner()
DUEL = ("play", "neon-one", "--players", "2", "--lang", "en")


@pytest.fixture(autouse=True)
def quiet_home(tmp_path, monkeypatch):
    """Matches are kept under a folder of the test's own; lines are as wide as a plain terminal."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")


def carteado_says(*args: str, typed: str = "", code: int = 0) -> str:
    result = runner.invoke(app, args, input=typed)
    assert result.exit_code == code, result.output
    return result.output


def joined(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("lang", ["pt", "en"])
def test_games_lists_every_game_with_a_sentence(lang):
    said = carteado_says("games", "--lang", lang)
    for game in GAMES.values():
        assert game.name in said
        assert game.title in said


@pytest.mark.parametrize("lang", ["pt", "en"])
@pytest.mark.parametrize("game", GAMES)
def test_rules_are_shown_in_both_languages(game, lang):
    assert len(carteado_says("rules", game, "--lang", lang)) > 400


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
@pytest.mark.parametrize("lang", ["pt", "en"])
def test_a_whole_match_is_played_by_typing_numbers(game, lang, tmp_path):
    """Every game, every player count at its ends: always the first move, until the input ends or the match does."""
    for players in sorted({game.players.values[0], game.players.values[-1]}):
        args = ("play", game.name, "--players", str(players), "--seed", "x", "--lang", lang)
        said = carteado_says(*args, typed="1\n" * 400)
        assert game.title in said
        saved = sorted((tmp_path / "state" / "carteado").glob("*.json"))[-1]
        assert carteado.replay(saved.read_text()).ply > 0


def test_the_match_is_kept_when_the_input_ends_and_goes_on_where_it_was(tmp_path):
    said = carteado_says("play", "neon-one", "--seed", "k", "--lang", "en", typed="1\n1\n")
    command = re.search(r"carteado (play --resume (\S+) --seat 0)", said.replace("\n", ""))
    assert command, said
    first = carteado.replay((tmp_path / command[2]).read_text())
    carteado_says(*command[1].split(), "--lang", "en", typed="1\n")
    second = carteado.replay((tmp_path / command[2]).read_text())
    assert second.moves[: first.ply] == first.moves
    assert second.ply > first.ply


def test_matches_that_begin_within_one_second_are_kept_in_files_of_their_own(tmp_path, monkeypatch):
    class Stopped(datetime):
        @classmethod
        def now(cls, tz=None):
            return cls(2026, 1, 2, 3, 4, 5)

    monkeypatch.setattr("carteado.terminal.table.datetime", Stopped)
    for seed in ("a", "b"):
        carteado_says("play", "repeat-poker", "--seed", seed, typed="1\nquit\n")
    saved = (tmp_path / "state" / "carteado").glob("repeat-poker-2026-01-02-030405*.json")
    assert sorted(carteado.replay(file.read_text()).seed for file in saved) == ["a", "b"]


@pytest.mark.parametrize(
    ("lang", "says"),
    [("pt", "é uma partida de nEon_onE, e não de Arboretum."), ("en", "is a match of nEon_onE, not of")],
)
def test_a_game_named_with_a_file_must_be_the_game_of_that_file(tmp_path, lang, says):
    file = tmp_path / "m.json"
    file.write_text(json.dumps(carteado.new("neon-one", players=2, seed="k").record()))
    said = carteado_says("play", "neon", "--resume", str(file), "--lang", lang, typed="1\nquit\n")
    assert "nEon_onE" in said and carteado.replay(file.read_text()).ply > 0
    before = file.read_bytes()
    assert says in joined(carteado_says("play", "arboretum", "--resume", str(file), "--lang", lang, code=2))
    assert file.read_bytes() == before


def test_save_writes_a_record_that_replays(tmp_path):
    file = tmp_path / "deep" / "my match.json"
    carteado_says("play", "neon-one", "--seed", "k", typed=f"1\nsave {file}\nquit\n")
    assert carteado.replay(file.read_text()).seed == "k"
    assert "Você" not in carteado_says("replay", str(file))


def test_a_file_that_cannot_be_written_is_said_and_the_match_goes_on(tmp_path):
    (tmp_path / "file").write_text("")
    said = carteado_says("play", "neon-one", "--lang", "en", typed=f"save {tmp_path}/file/x.json\n?\nquit\n")
    assert "Could not save" in joined(said)
    assert "Possible moves" in said


@pytest.mark.parametrize("name", [".", "..", "~nobody-here/x", "~/folder", "a\0b"])
def test_a_name_under_which_nothing_can_be_saved_costs_no_match(tmp_path, monkeypatch, name):
    (tmp_path / "folder").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path / "folder")
    said = carteado_says("play", "neon-one", "--lang", "en", typed=f"1\nsave {name}\n?\nquit\n")
    assert "Could not save" in said or "is not a saved match" in joined(said)
    assert "Possible moves" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "state"]
    assert not list((tmp_path / "folder").iterdir())


@pytest.mark.parametrize("content", ["my diary", "[]", '{"game": "neon-one"}', '{"carteado": 1}'])
def test_a_file_that_is_not_a_saved_match_is_never_replaced(tmp_path, content):
    file = tmp_path / "diary"
    file.write_text(content)
    said = carteado_says("play", "neon-one", "--lang", "en", typed=f"save {file}\nquit\n")
    assert "exists and is not a saved match" in joined(said)
    assert file.read_text() == content


def test_a_record_that_was_published_is_left_as_it_is(tmp_path, monkeypatch):
    match = carteado.new("neon-one", players=2, seed="p")
    monkeypatch.setattr(commands, "published", lambda data, lang: (match, [], None))
    file = tmp_path / "published.json"
    file.write_text('{"carteado": 1}')
    carteado_says("play", "--resume", str(file), typed="1\nquit\n")
    assert file.read_text() == '{"carteado": 1}'
    [saved] = (tmp_path / "state" / "carteado").glob("*.json")
    assert carteado.replay(saved.read_text()).seed == "p"


def test_the_command_that_goes_on_can_be_typed_as_it_is_printed(tmp_path, monkeypatch):
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    file = tmp_path / ("my match" * 9 + ".json")
    said = carteado_says("play", "neon-one", "--seed", "k", "--lang", "en", typed=f"1\nsave {file}\nquit\n")
    assert f"Match saved in {file}\n" in said
    assert f"To go on: carteado play --resume '{file}' --seat 0 --level jogador\n" in said


@pytest.mark.parametrize(("system", "typed", "more"), [("pt_BR", "en\n", " --lang en"), ("en_US", "", "")])
def test_a_match_is_taken_up_again_in_the_language_that_was_chosen(monkeypatch, system, typed, more):
    monkeypatch.setenv("LC_ALL", system)
    said = carteado_says("play", "--seed", "k", typed=f"{typed}repeat\n1\nquit\n")
    assert f"--seat all --level jogador{more}\n" in said
    said = carteado_says("play", "--seed", "k", typed=f"{typed}repeat\n" + "1\n" * 400)
    assert f".json{more}\n" in said.partition("carteado replay")[2]


@pytest.mark.parametrize(("lang", "word"), [("en", "table"), ("pt", "mesa")])
def test_the_table_is_shown_again_when_it_is_asked_for(lang, word):
    args = ("play", "neon-one", "--seed", "k", "--lang", lang)
    once, again = (carteado_says(*args, typed=f"?\n{typed}quit\n") for typed in ("", f"{word}\n"))
    assert (once.count("nEon_onE"), again.count("nEon_onE")) == (1, 2)
    assert "table" in once  # among the commands


TERMINAL = """
import os, pty, signal, sys
child, keyboard = pty.fork()
if not child:
    os.execv(sys.executable, [sys.executable, "-m", "carteado", "play", "repeat-poker", "--lang", "en"])
seen = b""
for typed in (b"1\\r", b"1\\r", b""):
    while b"Your move" not in seen:
        seen += os.read(keyboard, 65536)
    seen = b""
    os.write(keyboard, typed)
if sys.argv[1] == "close":
    os.close(keyboard)
else:
    os.kill(child, signal.SIGTERM)
    try:
        while os.read(keyboard, 65536):
            pass
    except OSError:
        pass
os.waitpid(child, 0)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no terminals of that kind")
@pytest.mark.parametrize("end", ["close", "terminate"])
def test_a_match_is_kept_when_the_terminal_is_closed_or_the_command_is_told_to_end(tmp_path, end):
    subprocess.run([sys.executable, "-c", TERMINAL, end], check=True, timeout=100, cwd=tmp_path)
    [saved] = (tmp_path / "state" / "carteado").glob("*.json")
    assert carteado.replay(saved.read_text()).ply == 2


def test_who_tells_the_command_to_end_while_a_bot_thinks_is_heard():
    def choose(*_):
        os.kill(os.getpid(), signal.SIGTERM)
        raise AssertionError("it went on thinking")

    match, before = carteado.new("neon-one", seed="s"), signal.getsignal(signal.SIGTERM)
    with pytest.raises(Leave), leaving_when_told():
        chosen(match.game, view_of(match, 0), 0, Bot("thinker", choose), seeded("dice"))
    signal.signal(signal.SIGTERM, before)


@pytest.mark.skipif(sys.platform == "win32", reason="no signals of that kind")
def test_who_tells_the_command_to_end_is_heard_though_nothing_wakes_it():
    """As in the instant before it waits for a key: here the signal goes to another thread."""
    ear, mouth = os.pipe()

    def tell():
        signal.pthread_kill(threading.get_ident(), signal.SIGTERM)
        if not heard.wait(20):
            keys.append(os.write(mouth, b"key"))

    heard, keys, before = threading.Event(), [], signal.getsignal(signal.SIGTERM)
    teller = threading.Timer(0.2, tell)
    teller.start()
    try:
        with pytest.raises(Leave), leaving_when_told():
            os.read(ear, 3)
    finally:
        heard.set()
        teller.join()
        signal.signal(signal.SIGTERM, before)
    assert not keys and "signals" not in [thread.name for thread in threading.enumerate()]


def test_a_terminal_that_cannot_show_a_character_shows_another():
    command = [sys.executable, "-m", "carteado", "games", "--lang", "pt"]
    said = subprocess.run(
        command, check=True, capture_output=True, text=True, env={**os.environ, "PYTHONIOENCODING": "ascii"}
    )
    assert "voc? decide" in joined(said.stdout)
    said = subprocess.run(
        [*command[:3], "play", "xyz", "--lang", "pt"],
        capture_output=True,
        text=True,
        env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    )
    assert "N?o h? o jogo ?xyz?" in joined(said.stderr)


def test_the_version_is_said():
    assert carteado_says("--version").startswith("carteado")


def test_with_several_people_a_screen_hides_hands_between_turns():
    said = carteado_says(*DUEL, "--seat", "all", "--seed", "h", typed="\n1\n" * 6)
    assert "Pass the keyboard to Ana" in said
    assert "Pass the keyboard to Bento" in said
    assert "You" not in said.replace("Your", "")


def test_what_was_typed_is_repeated_without_control_signs(tmp_path):
    said = carteado_says(*DUEL, "--seed", "h", typed="\x1b[31m\x07zz\nquit\n")
    assert "'�[31m�zz' is not a move now" in joined(said) and "\x1b" not in said
    file = tmp_path / "x.json"
    file.write_text(json.dumps({**carteado.new("neon-one", seed="k").record(), "moves": ["\x1b[2J"]}))
    said = carteado_says("replay", str(file), code=2)
    assert "�[2J: not a legal move" in joined(said) and "\x1b" not in said


EDITED = """
import os, pty, sys
child, keyboard = pty.fork()
if not child:
    os.execv(sys.executable, [sys.executable, "-m", "carteado", "play", "--lang", "en"])
seen, left, up = b"", b"\\x1b[D", b"\\x1b[A"
steps = ((b"Which game?", b"zz" + left + b"y\\r"), (b"'zyz'", b"?\\r"), (b"'?'", up + b"quit\\r"), (b"See you!", b""))
for until, typed in steps:
    while until not in seen:
        seen += os.read(keyboard, 65536)
    os.write(keyboard, typed)
os.close(keyboard)
os.waitpid(child, 0)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no terminals of that kind")
def test_what_is_typed_can_be_edited_and_what_others_typed_is_not_brought_back(tmp_path, monkeypatch):
    pytest.importorskip("readline")
    monkeypatch.setenv("TERM", "xterm")
    subprocess.run([sys.executable, "-c", EDITED], check=True, timeout=100, cwd=tmp_path)


AHEAD = """
import os, pty, select, sys
child, keyboard = pty.fork()
if not child:
    words = "play neon-one --players 2 --seat all --seed a --lang en"
    os.execv(sys.executable, [sys.executable, "-m", "carteado", *words.split()])
seen = b""
for until, typed in ((b"to Ana", b"\\r"), (b"Ana, your move", b"1\\r\\r\\r"), (b"to Bento", b"")):
    while until not in seen:
        seen += os.read(keyboard, 65536)
    os.write(keyboard, typed)
while select.select([keyboard], [], [], 1)[0]:
    seen += os.read(keyboard, 65536)
assert b"Bento, your move" not in seen, seen
os.write(keyboard, b"\\r")
while b"Bento, your move" not in seen:
    seen += os.read(keyboard, 65536)
os.close(keyboard)
os.waitpid(child, 0)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no terminals of that kind")
def test_what_was_typed_ahead_does_not_open_another_s_hand(tmp_path):
    subprocess.run([sys.executable, "-c", AHEAD], check=True, timeout=100, cwd=tmp_path)


def test_what_one_person_drew_is_not_told_to_the_next():
    told = carteado_says(*DUEL, "--seat", "all", "--seed", "t", typed="\n1\n" * 40)
    screens = told.split("Pass the keyboard to ")
    assert len(screens) > 3
    for screen in screens:
        other = "Bento" if screen.startswith("Ana") else "Ana"
        assert f"{other} drew a card." in screen or f"{other} drew" not in screen
    assert "drew a card." in told


def test_where_memory_is_the_game_the_log_begins_after_ones_own_last_turn():
    """M8: what a person drew and put away in an earlier turn is told no more; with the aid it is."""
    args = ("play", "menor-soma", "--seed", "lap", "--seat", "0,1", "--lang", "en")
    typed = "\n" + "draw\nput 1\npass\n\n" * 4 + "log\ndraw\nlog\nquit\n"
    short, whole = carteado_says(*args, typed=typed), carteado_says(*args, "-o", "memory_aid=yes", typed=typed)
    first, later = (short.split("› ")[n] for n in (-4, -2))  # what `log` printed, before and in the turn
    assert first.count("Bento drew") == 1 and "Ana drew" not in first
    assert later.count("Bento drew") == 1 and later.count("Ana drew") == 1
    assert (whole.split("› ")[-4].count("Bento drew"), whole.split("› ")[-4].count("Ana drew")) == (2, 2)


def test_the_first_thing_in_a_match_taken_up_again_may_be_an_undo(tmp_path):
    """What was told of the move is not known any more."""
    match = carteado.new("menor-soma", players=2, seed="u")
    for move in ("draw", "discard"):
        match.play(move)
    file = tmp_path / "match.json"
    file.write_text(json.dumps(match.record()))
    said = carteado_says("play", "--resume", str(file), "--lang", "en", typed="undo\nquit\n")
    assert "The last move was undone." in said


@pytest.mark.parametrize(("lang", "told"), [("pt", "Ainda não há nada para contar."), ("en", "Nothing to tell yet.")])
def test_a_log_without_lines_says_so(lang, told):
    said = carteado_says("play", "repeat-poker", "--lang", lang, typed="log\n1\nlog\nquit\n")
    assert said.count(told) == 1


@pytest.mark.parametrize(("lang", "says"), [("pt", "do monte · ? ajuda)"), ("en", "from the deck · ? for help)")])
def test_where_there_is_one_move_it_is_also_said_how_to_find_help(lang, says):
    said = joined(carteado_says("play", "arboretum", "--seat", "all", "--lang", lang, typed="\nquit\n"))
    assert says in said


def test_undo_takes_back_what_showed_nothing(tmp_path):
    """A wild was played and its colour is still to be chosen: nothing was shown, so it can be taken back."""
    table = carteado.new("neon-one", players=2, seed="wild").table()
    hand = ["wild", "wild", "+4", "R1"]
    pool = table["stock"] + table["hands"][0]
    for name in hand:
        pool.remove(name)
    table["hands"][0], table["stock"] = hand, pool
    file = tmp_path / "wild.json"
    file.write_text(json.dumps(carteado.setup("neon-one", table, seed="s").record()))
    said = carteado_says("play", "--resume", str(file), "--lang", "en", typed="wild\nundo\nquit\n")
    assert "You played a wild." in said
    assert "The last move was undone." in said
    said = carteado_says("play", "--resume", str(file), "--lang", "en", typed="wild\nred\nundo\nquit\n")
    assert "somebody has decided since" in joined(said)


def test_undo_is_refused_with_the_reason():
    said = carteado_says(*DUEL, "--seed", "u", typed="undo\n1\nundo\nquit\n")
    assert "cannot be undone: you have not moved yet" in joined(said)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("play", "arboretun"), "Did you mean arboretum?"),
        (("play", "xyz"), "There is no game 'xyz'. There are:"),
        (("play", "neon-one", "--players", "11"), "players: must be a number from 2 to 10."),
        (("play", "neon-one", "-o", "jokers=2"), "nEon_onE has no option 'jokers'. It has: players."),
        (("play", "trincheira", "-o", "jokers"), "Option 'jokers': write name=value, such as jokers=4."),
        (("play", "trincheira", "-o", "jokers=5"), "jokers: must be a number from 0 to 4."),
        (("play", "repeat-poker", "-o", "levels=2"), "levels: must be 1 / 5."),
        (("play", "menor-soma", "-o", "memory_aid=2"), "memory_aid: must be true or false."),
        (("play", "neon-one", "--seat", "4"), "--seat '4': write the people's seats, from 0 to 3"),
        (("play", "neon-one", "--seat", "a,b"), "--seat 'a,b'"),
        (("play", "--resume", "nowhere.json"), "Could not read nowhere.json"),
        (("replay", "nowhere.json"), "Could not read nowhere.json"),
        (("rules", "poker"), "There is no game 'poker'."),
        (("play", "neon-one", "-o", "players=4", "--players", "3"), "players: 3 and 4 contradict each other."),
        (("play", "trincheira", "-o", "jokers=1", "-o", "jokers=2"), "jokers: 1 and 2 contradict each other."),
        (("play", "arb", "--players", "4", "--resume", "x"), "of the file: leave out --players."),
        (("play", "arboretun", "--resume", "x"), "Did you mean arboretum?"),
        (("play", "--seed", "s", "-o", "x=1", "--resume", "x"), "of the file: leave out --seed, --option."),
        (("play", "repeat-poker", "--seed", "\udcff"), "--seed: must be text in UTF-8."),
        (("league", "neon", "--seed", "\udcff"), "--seed: must be text in UTF-8."),
        (("league", "neon", "-o", "players=4", "--players", "3"), "players: 3 and 4 contradict each other."),
        (("league", "neon", "--bots", "random,seed", "--table", "--players", "4"), "4 and --table (2) contradict"),
        (("league", "trin", "--bots", "random,careless,heuristic", "--table"), "at the table must be 2, not 3."),
        (("league", "neon", "--bots", "random", "--table"), "must be a number from 2 to 10, not 1."),
        (("league", "neon", "--bots", ","), "--bots ',': write names with commas. There are: random, seed,"),
        (("league", "neon", "--bots", ""), "--bots '': write names with commas."),
        (("league", "neon", "--bots", "random,search:0"), "'search:0': search:N, with N from 1 to 10,000,000"),
        (("league", "neon", "--bots", "random,search:99999999999"), "with N from 1 to 10,000,000 simulations."),
        (("league", "neon", "--bots", "random,stockfish"), "nEon_onE has no bot 'stockfish'. It has: random, seed,"),
        (("league", "neon", "--bots", "seed,seed"), "--bots: at least 2, each once; got seed, seed."),
        (("league", "neon", "--bots", "random,seed", "--out", "/dev/null/x"), "Could not save in /dev/null/x"),
    ],
)
def test_a_wrong_flag_says_what_was_expected(args, says):
    result = runner.invoke(app, [*args, "--lang", "en"])
    assert result.exit_code == 2, result.output
    assert says in joined(result.stderr)
    assert not result.stdout or "--out" in args  # that one has announced itself


@pytest.mark.parametrize("content", ["", "{}", "[]", "nonsense", '{"game": "neon-one"}', "\xff", "1" * 5000])
def test_a_file_that_is_no_match_says_so(tmp_path, content):
    file = tmp_path / "x.json"
    file.write_text(content)
    for command in (("replay", str(file)), ("play", "--resume", str(file))):
        assert "is not a match of Carteado" in joined(carteado_says(*command, "--lang", "en", code=2))


@pytest.mark.parametrize(("lang", "says"), [("pt", "pelas regras versão 99"), ("en", "by rules version 99")])
def test_a_match_saved_with_other_rules_is_called_so(tmp_path, lang, says):
    file = tmp_path / "x.json"
    file.write_text(json.dumps({**carteado.new("neon-one", seed="k").record(), "rules": 99}))
    for command in (("replay", str(file)), ("play", "--resume", str(file))):
        assert says in joined(carteado_says(*command, "--lang", lang, code=2))


def test_replay_tells_a_whole_match_and_its_result(tmp_path):
    match = carteado.new("repeat-poker", seed="r")
    while not match.over:
        match.play(match.legal()[0])
    file = tmp_path / "r.json"
    file.write_text(json.dumps(match.record()))
    said = carteado_says("replay", str(file), "--lang", "en")
    assert "52." in said
    assert f"Total: {match.scores()[0]} points." in said


def test_play_without_a_game_asks_for_one_in_either_language():
    said = carteado_says("play", "--lang", "pt", typed="en\nnonsense\nneon\n3\nquit\n")
    assert "Qual jogo?" in said
    assert "Which game?" in said
    assert "There is no game 'nonsense'" in joined(said)
    assert said.index("There is no game") > said.rindex("repeat-poker")  # the list is not shown again over it
    assert "nEon_onE" in said


@pytest.mark.parametrize("typed", ["sair", "neon\nq", "neon\n3\nexit"])
def test_one_may_leave_at_any_question(typed):
    said = carteado_says("play", "--lang", "en", typed=f"{typed}\nnonsense\n")
    assert said.endswith("See you!\n") and "nonsense" not in said


def test_an_answer_that_is_wrong_is_explained_without_flags():
    said = carteado_says("play", "--lang", "en", typed="neon\n99\n3\nbest\nquit\n")
    assert "'99': must be a number from 2 to 10." in said
    assert "'best': must be aprendiz / jogador / mestre." in said


def test_what_was_said_with_flags_is_not_asked_for():
    args = ("play", "--lang", "en", "--seed", "k")
    said = carteado_says(*args, "--players", "2", "--level", "aprendiz", typed="neon\n?\nquit\n")
    assert "How many players" not in said and "Bot level" not in said and "Possible moves" in said
    said = carteado_says(*args, "--seat", "all", typed="neon\n2\n\n?\nquit\n")  # nobody else is there
    assert "How many players" in said and "Bot level" not in said and "Possible moves" in said


def test_a_number_of_no_game_is_asked_again():
    said = carteado_says("play", "--lang", "en", typed="0011\n" + "9" * 5000 + "\n1\n" + "quit\n" * 3)
    assert "There is no game '0011'" in joined(said)


@pytest.mark.parametrize("key", ["0000000099", "9" * 5000])
def test_a_number_of_no_ply_is_no_step_of_a_replay(key):
    replay = Replay(Screen("en", Console(file=io.StringIO(), width=80)), carteado.new("neon-one", seed="r"))
    assert replay.step(key)
    assert replay.ply == 0


def test_web_visits_a_house_that_is_open_already(monkeypatch):
    monkeypatch.setattr(commands, "find_port", lambda wanted: (8001, True))
    monkeypatch.setattr(commands, "show", lambda address: False)
    said = carteado_says("web", "--lang", "en")
    assert "already open at http://127.0.0.1:8001" in said
    assert "Open that address in the browser." in said


@pytest.mark.parametrize(("lang", "says"), [("pt", "para usar a.db, feche-a"), ("en", "to use a.db, close it")])
def test_a_house_that_is_open_is_not_visited_in_place_of_another(monkeypatch, lang, says):
    monkeypatch.setattr(commands, "find_port", lambda wanted: (8001, True))
    assert says in joined(carteado_says("web", "--database", "a.db", "--lang", lang, code=2))


@pytest.mark.parametrize(("lang", "says"), [("pt", "a.db já está em uso"), ("en", "a.db is in use already")])
def test_a_house_that_is_open_is_visited_where_the_file_is_in_use(tmp_path, monkeypatch, lang, says):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(commands, "find_port", lambda wanted: (8001, True))
    monkeypatch.setattr(commands, "show", lambda address: False)
    with lock(tmp_path / "a.db"):
        said = joined(carteado_says("web", "--database", "a.db", "--lang", lang))
    assert says in said and "http://127.0.0.1:8001" in said
    carteado_says("web", "--database", "a.db", "--lang", lang, code=2)  # and now it is not


@pytest.mark.parametrize(("lang", "says"), [("pt", "Não consegui abrir os dados"), ("en", "Could not open the data")])
def test_web_says_in_a_sentence_that_it_cannot_open_its_database(tmp_path, monkeypatch, lang, says):
    (tmp_path / "index.html").touch()
    (tmp_path / "a.db").write_text("dear diary\n" * 1000)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(commands, "PAGE", tmp_path)
    monkeypatch.setattr(commands, "find_port", lambda wanted: (0, False))
    said = joined(carteado_says("web", "--database", str(tmp_path / "a.db"), "--lang", lang, code=2))
    assert says in said and said.endswith(": file is not a database.") and "{" not in said


def test_web_says_where_the_house_is_and_when_all_is_ready(monkeypatch):
    shown = []

    def open_at_home(port, database, on_step, on_open):
        on_open(port)
        on_step(1, 1, "neon-one")
        return 0

    monkeypatch.setattr(commands, "find_port", lambda wanted: (8002, False))
    monkeypatch.setattr(commands, "open_at_home", open_at_home)
    monkeypatch.setattr(commands, "show", lambda address: not shown.append(address))
    said = carteado_says("web", "--lang", "pt")
    assert shown == ["http://127.0.0.1:8002"]
    assert "A casa está aberta em http://127.0.0.1:8002" in said and "Tudo pronto" in said
    assert "Abra esse endereço" in carteado_says("web", "--lang", "pt", "--no-browser")
    assert len(shown) == 1


def test_bots_of_a_level_sit_on_the_other_seats_and_the_same_seed_gives_the_same_match(tmp_path):
    for level in ("aprendiz", "jogador"):
        files = [tmp_path / f"{level}{n}.json" for n in (1, 2)]
        for file in files:
            said = carteado_says(*DUEL, "--seed", "b", "--level", level, typed=f"1\n1\n1\nsave {file}\nquit\n")
        assert f"--level {level}" in joined(said)
        assert files[0].read_bytes() == files[1].read_bytes()


def test_a_level_may_be_shortened_and_a_wrong_one_is_explained():
    carteado_says(*DUEL, "--seed", "b", "--level", "apr", typed="quit\n")
    for word in ("grandmaster", ""):
        said = joined(carteado_says(*DUEL, "--level", word, code=2))
        assert f"--level '{word}': the levels are aprendiz, jogador, mestre." in said


def test_hint_says_what_mestre_would_play_and_how_sure_it_is():
    said = joined(carteado_says(*DUEL, "--seed", "b", typed="hint\nquit\n"))
    assert re.search(r"mestre would play .+ \(.+\), \d+% sure\.", said)
    said = joined(carteado_says("play", "neon-one", "--players", "2", "--lang", "pt", "--seed", "b", typed="dica\nq\n"))
    assert re.search(r"O mestre jogaria .+ \(.+\), com \d+% de certeza\.", said)


def test_where_memory_is_the_game_there_is_a_hint_only_with_the_aid():
    """M8"""
    game = ("play", "menor-soma", "--players", "2", "--lang", "en", "--seed", "b")
    assert "only with the option memory_aid=true" in joined(carteado_says(*game, typed="hint\nquit\n"))
    said = joined(carteado_says(*game, "-o", "memory_aid=true", typed="hint\nquit\n"))
    assert "mestre would play" in said


def test_the_league_prints_who_beat_whom_and_goes_on_where_it_stopped(tmp_path):
    file = tmp_path / "rows.jsonl"
    plan = ("league", "neon", "--bots", "random,seed", "--games", "6", "--jobs", "1", "--lang", "en", f"--out={file}")
    said = joined(carteado_says(*plan))
    assert "6 games, the same deals with the seats rotated" in said
    assert re.search(r"random seed 6 [\d.]+ ± [\d.]+ %", said)
    assert "Elo" in said and "The first seat wins" in said
    assert "go on with --resume" in joined(carteado_says(*plan, code=2))
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:-2]))
    carteado_says(*plan, "--resume")
    assert file.read_text() == "".join(lines)


def test_a_league_with_other_options_has_another_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plan = ("league", "menor-soma", "--bots", "random,heuristic", "--games", "2", "--jobs", "1")
    for more in ([], ["-o", "limit=20"], ["-o", "limit=30", "-o", "memory_aid=yes"], ["--table"]):
        carteado_says(*plan, *more)
    found = sorted(file.name for file in (tmp_path / "league").iterdir())
    assert found == [f"menor-soma-2{more}.jsonl" for more in ("-limit-20", "-limit-30-memory_aid-1", "-table", "")]


@pytest.mark.parametrize(
    ("lang", "says"),
    [
        ("pt", ("não é um arquivo de liga", "é de outra liga", "não é desta liga")),
        ("en", ("is not a file of the league", "is of another league", "is not of this league")),
    ],
)
def test_a_file_that_a_league_cannot_go_on_with_is_explained(tmp_path, lang, says):
    file = tmp_path / "rows"
    file.touch()  # an empty one is as good as none
    plan = ("league", "neon", "--bots", "random,seed", "--jobs", "1", f"--out={file}", "--lang", lang)
    carteado_says(*plan, "--games", "2")
    with file.open("a") as more:
        more.write(file.read_text().splitlines(keepends=True)[-1])
    assert says[2] in joined(carteado_says(*plan, "--games", "2", "--resume", code=2))
    assert says[1] in joined(carteado_says(*plan, "--games", "4", "--resume", code=2))
    file.write_bytes(b"\xff\n")
    assert says[0] in joined(carteado_says(*plan, "--games", "4", "--resume", code=2))


def test_a_league_of_one_deal_says_that_it_knows_no_interval(tmp_path):
    out = ("--games", "2", "--jobs", "1", "--out", str(tmp_path / "rows"), "--lang", "en")
    said = joined(carteado_says("league", "neon", "--bots", "random,seed", *out))
    assert re.search(r"random seed 2 [\d.]+ ± – %", said)
    assert re.search(r"seed [+-]\d+ ± – ", said)
    assert re.search(r"The first seat wins [\d.]+ ± – % \(fair: 50.0 %\)", said)


def test_who_never_lost_has_an_elo_that_is_open_above(tmp_path):
    out = ("--games", "20", "--jobs", "1", "--out", str(tmp_path / "rows"), "--lang", "en")
    said = joined(carteado_says("league", "trincheira", "--bots", "random,heuristic", *out))
    assert re.search(r"heuristic ≥ \+\d+ random 0 ", said)


def test_a_league_in_which_bots_failed_does_not_end_as_if_all_were_well(tmp_path, monkeypatch):
    def crash(*_):
        raise RuntimeError("lost my cards")

    monkeypatch.setattr("carteado.lab.league.bot_of", lambda game, name: Bot(name, crash))
    out = ("--games", "2", "--jobs", "1", "--out", str(tmp_path / "rows"), "--lang", "en")
    said = joined(carteado_says("league", "neon", "--bots", "random,seed", *out, code=1))
    assert "failures of bots that were replaced" in said


def test_the_league_of_a_solo_game_prints_points(tmp_path):
    out = ("--games", "3", "--jobs", "1", "--out", str(tmp_path / "rows"), "--lang", "en")
    said = joined(carteado_says("league", "repeat", "--bots", "random", *out))
    assert "Repeat Poker: 3 games, the same cards for all" in said
    assert re.search(r"random 3 [\d.]+ ± [\d.]+ \d+ \d+", said)


def test_a_league_in_portuguese_writes_numbers_with_a_comma_and_one_game_as_one(tmp_path):
    once = ("--games", "1", "--jobs", "1", "--out", str(tmp_path / "one"), "--lang", "pt")
    assert "Repeat Poker: 1 partida " in joined(carteado_says("league", "repeat", "--bots", "random", *once))
    out = ("--games", "6", "--jobs", "1", "--out", str(tmp_path / "rows"), "--lang", "pt")
    said = joined(carteado_says("league", "neon", "--bots", "random,seed", *out))
    assert re.search(r"random seed 6 \d+,\d ± \d+,\d %", said)
    assert re.search(r"O primeiro lugar vence \d+,\d ± \d+,\d % \(justo: 50,0 %\)", said)
