"""`carteado`: the command line."""

import difflib
import json
import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

import carteado
from carteado.bots import LEVELS, bot_names, warm_calls
from carteado.bots import bot as bot_of
from carteado.bots import level as level_of
from carteado.bots.bot import ask
from carteado.lab.league import BadFile, Plan, planned
from carteado.rules import GAMES
from carteado.rules.compiled import CACHE_FOLDER
from carteado.rules.game import Game, Option
from carteado.rules.loops import EVERYTHING
from carteado.rules.match import Match, is_record
from carteado.rules.position import said
from carteado.rules.random import seeded
from carteado.server import commands
from carteado.server.commands import LangOption
from carteado.terminal.help import asked_in, translate
from carteado.terminal.league import play_league, report
from carteado.terminal.manual import show_rules, summary
from carteado.terminal.replay import Replay
from carteado.terminal.screen import Screen
from carteado.terminal.table import KeyboardTable, Leave, is_saved_match, kept_file
from carteado.terminal.words import ALIASES
from carteado.text import NAMES, language

app = typer.Typer(
    help="Carteado, a house of card games.",
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Where the terminal cannot show a character, it shows a question mark. Help is in the language of whoever asks."""
    fill_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    command = typer.main.get_command(app)
    if asked_in(sys.argv[1:]) == "pt":
        translate(command)
    command()


def fill_streams() -> None:
    """What was closed leads nowhere: else the next thing that is opened, such as the server's loop, takes its number,
    and libuv aborts when it closes that."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115, the lowest number that is free


def show_version(wanted: bool) -> None:
    if wanted:
        try:
            typer.echo(f"carteado {version('carteado')}")
        except PackageNotFoundError:
            typer.echo("carteado, from its source")
        raise typer.Exit


@app.callback()
def house(
    version: Annotated[bool, typer.Option("--version", is_eager=True, callback=show_version, help="only that")] = False,
) -> None:
    pass


DEFAULT_LEVEL = LEVELS[1]
GameArgument = Annotated[str, typer.Argument(help="a game, as `carteado games` lists them", show_default=False)]


def fail(screen: Screen, sentence: str) -> NoReturn:
    Screen(screen.lang, Console(stderr=True, highlight=False)).complain(sentence)
    raise typer.Exit(2)


def find_game(screen: Screen, word: str) -> Game:
    """The game of that name, or whose name begins so."""
    name = word.strip().casefold().replace("_", "-").replace(" ", "-")
    found = [game for game in GAMES if game == name] or [game for game in GAMES if name and game.startswith(name)]
    if len(found) == 1:
        return GAMES[found[0]]
    close = difflib.get_close_matches(name, GAMES, n=1, cutoff=0.5)
    if close:
        fail(screen, screen.text("meant game", word=word[:40], close=close[0]))
    fail(screen, screen.text("no game", word=word[:40], games=", ".join(GAMES)))


def expected(screen: Screen, option: Option) -> str:
    values = option.values
    if not isinstance(values, range):
        return screen.text("yes or no")
    if len(values) == 1 or values.step > 1:
        return screen.text("one of", values=" / ".join(str(value) for value in values))
    return screen.text("range", low=values[0], high=values[-1])


def read_options(screen: Screen, game: Game, players: int | None, given: Iterable[str]) -> dict[str, object]:
    """`players` and each `name=value`, checked with a sentence of their own."""
    known = {option.name: option for option in (game.players, *game.options)}
    options: dict[str, object] = {} if players is None else {"players": players}
    for word in given:
        name, equals, text = word.partition("=")
        name = name.strip().replace("-", "_")
        if not equals:
            example = f"{(game.options or (game.players,))[0].name}={(game.options or (game.players,))[0].values[-1]}"
            fail(screen, screen.text("option form", word=word[:40], example=example))
        if name not in known:
            fail(screen, screen.text("no option", game=game.title, word=name[:40], options=", ".join(known)))
        value = _value(text.strip())
        if options.setdefault(name, value) != value:
            fail(screen, screen.text("contradiction", option=name, one=options[name], other=value))
    for name, value in options.items():
        try:
            known[name].checked(value)
        except carteado.BadOption:
            fail(screen, screen.text("bad option", option=name, expected=expected(screen, known[name])))
    return options


def _value(text: str) -> object:
    words = {"true": True, "yes": True, "sim": True, "false": False, "no": False, "não": False, "nao": False}
    if text.casefold() in words:
        return words[text.casefold()]
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 10 else text


def read_seed(screen: Screen, seed: str) -> str:
    try:
        seeded(seed)
    except carteado.BadSeed:
        fail(screen, screen.text("bad seed"))
    return seed


def read_bots(screen: Screen, game: Game, word: str) -> list[str]:
    """Names with commas, each of a bot of the game."""
    names = [name.strip() for name in word.split(",")]
    if not all(names):
        fail(screen, screen.text("bot names", word=word[:40], bots=", ".join(bot_names(game))))
    for name in names:
        try:
            bot_of(game, name)
        except carteado.UnknownBot:
            key = "bad search" if name.startswith("search:") else "no bot"
            fail(screen, screen.text(key, game=game.title, word=name[:40], bots=", ".join(bot_names(game))))
    return names


def read_seats(screen: Screen, word: str, players: int) -> list[int]:
    """The seats of people: `0`, `0,2` or `all`."""
    if word.casefold() in ("all", "todos"):
        return list(range(players))
    seats = [part.strip() for part in word.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) < 3 and int(part) < players for part in seats):
        fail(screen, screen.text("bad seats", word=word[:40], n=players - 1))
    return sorted({int(part) for part in seats})


def read_file(screen: Screen, file: Path) -> tuple[Match, list[tuple[int, int]], list[int] | None]:
    """A match; who gave up in it, and after how many moves; and who won, where a house says so."""
    try:
        data = commands.contents(file)
    except OSError as error:
        fail(screen, screen.text("no file", file=file, why=error.strerror or error))
    check_rules(screen, file, data)
    try:
        return commands.published(data, screen.lang) or (carteado.replay(data), [], None)
    except carteado.CarteadoError as error:
        fail(screen, screen.text("bad file", file=file, why=error))


def check_rules(screen: Screen, file: Path, data: bytes) -> None:
    """A match that was saved with other rules is a match all the same."""
    with suppress(ValueError, RecursionError):
        found = json.loads(data)
        game = GAMES.get(str(found["game"])) if is_record(found) else None
        if game is not None and type(found["rules"]) is int and found["rules"] != game.version:
            version = said(found["rules"])
            fail(screen, screen.text("other rules", file=file, game=game.title, found=version, known=game.version))


@app.command()
def games(lang: LangOption = None) -> None:
    """The games, who plays them, and their options."""
    list_games(Screen(language(lang)))


def list_games(screen: Screen) -> None:
    for n, game in enumerate(GAMES.values(), 1):
        screen.console.print(f"[dim]{n:>2}[/]  [bold]{game.name}[/]  {game.title} · {who_plays(screen, game)}")
        screen.console.print(f"    {summary(game.name, screen.lang)}")
        options = ", ".join(f"{o.name} ({expected(screen, o)})" for o in game.options)
        if options:
            screen.console.print(f"    [dim]{screen.text('options', options=options)}[/]")


def who_plays(screen: Screen, game: Game) -> str:
    low, high = game.players.values[0], game.players.values[-1]
    if low < high:
        return screen.text("players", low=low, high=high)
    return screen.text("solo") if high == 1 else screen.text("exactly", n=high)


def choose_game(screen: Screen) -> Game:
    """Asks for a game; the language can be changed on the way."""
    spoken = ""
    while True:
        if spoken != screen.lang:
            list_games(screen)
            spoken = screen.lang
        word = answer(screen, screen.text("choose a game"))
        if word in ("en", "pt"):
            screen.lang = word
        elif word.isascii() and word.isdigit() and len(word) < 4 and 1 <= int(word) <= len(GAMES):
            return list(GAMES.values())[int(word) - 1]
        elif word:
            with suppress(typer.Exit):
                return find_game(screen, word)


def answer(screen: Screen, question: str) -> str:
    """What was typed; whoever wants to leave may do so at any question."""
    word = screen.ask(question).strip().casefold()
    if ALIASES.get(word, word) == "quit":
        raise Leave
    return word


def ask_players(screen: Screen, game: Game) -> int:
    low, high = game.players.values[0], game.players.values[-1]
    while low < high:
        word = answer(screen, f"{screen.text('players of', low=low, high=high)} [dim]({game.players.default})[/]")
        if not word:
            break
        if word.isascii() and word.isdigit() and len(word) < 3 and int(word) in game.players.values:
            return int(word)
        screen.complain(screen.text("bad answer", word=word[:40], expected=expected(screen, game.players)))
    return game.players.default


def ask_level(screen: Screen) -> str:
    while True:
        levels = " / ".join(LEVELS)
        word = answer(screen, f"{screen.text('level', levels=levels)} [dim]({DEFAULT_LEVEL})[/]")
        found = [name for name in LEVELS if name.startswith(word)] if word else [DEFAULT_LEVEL]
        if len(found) == 1:
            return found[0]
        screen.complain(screen.text("bad answer", word=word[:40], expected=levels))


def find_level(screen: Screen, word: str) -> str:
    found = [name for name in LEVELS if word and name.startswith(word.casefold())]
    if len(found) != 1:
        fail(screen, screen.text("bad level", word=word[:40], levels=", ".join(LEVELS)))
    return found[0]


@app.command()
def play(
    game: Annotated[str | None, typer.Argument(help="a game; without one you are asked")] = None,
    players: Annotated[int | None, typer.Option(help="how many play")] = None,
    seat: Annotated[str, typer.Option(help="the seats of people at this keyboard: 0, or 0,2, or all")] = "0",
    seed: Annotated[str | None, typer.Option(help="any text: the same seed deals the same cards")] = None,
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help="name=value, such as jokers=2")] = None,
    level: Annotated[str | None, typer.Option(help=f"of the bots on the other seats: {', '.join(LEVELS)}")] = None,
    resume: Annotated[Path | None, typer.Option(help="a saved match to go on with")] = None,
    lang: LangOption = None,
) -> None:
    """Play in the terminal: alone, against bots, or with others at the same keyboard. (In the browser: `web`.)"""
    screen = Screen(language(lang))
    opponents = find_level(screen, level) if level is not None else DEFAULT_LEVEL
    if seed is not None:
        read_seed(screen, seed)
    try:
        if resume is not None:
            said = {"--players": players, "--seed": seed, "--option": option or None}
            if flags := [name for name, value in said.items() if value is not None]:
                fail(screen, screen.text("resumed", flags=", ".join(flags)))
            wanted = find_game(screen, game) if game is not None else None
            match, resigned, winners = read_file(screen, resume)
            if wanted is not None and wanted is not match.game:
                fail(screen, screen.text("other game", file=resume, game=match.game.title, wanted=wanted.title))
            if winners is not None and not match.over:
                fail(screen, screen.text("given up", file=resume, who=NAMES[resigned[-1][1]]))
        else:
            found = choose_game(screen) if game is None else find_game(screen, game)
            options = read_options(screen, found, players, option or [])
            if game is None and "players" not in options:
                options["players"] = ask_players(screen, found)
            seats = found.full_options(found.checked_options(options))["players"]
            has_bots = len(read_seats(screen, seat, seats)) < seats
            if game is None and level is None and has_bots:
                opponents = ask_level(screen)
            with screen.console.status(screen.text("waiting")):
                trial = Match(found, options, "trial")  # compiles what the match will need, so that no move waits
                trial.play(trial.legal()[0])
                trial.shown(0)
                if has_bots:
                    ask(trial, level_of(found, opponents), "trial")
                match = carteado.new(found.name, seed=seed, **options)
    except (Leave, KeyboardInterrupt, EOFError):
        screen.console.print()
        screen.say("bye")
        raise typer.Exit from None
    people = read_seats(screen, seat, match.players)
    file = resume if resume is not None and is_saved_match(resume) else kept_file(match)
    KeyboardTable(screen, match, people, file, opponents).run()


@app.command()
def web(
    port: Annotated[int | None, typer.Option(min=1, max=65535, help="else 8000, or the next one that is free")] = None,
    browser: Annotated[bool, typer.Option(help="open the page in the browser")] = True,
    database: Annotated[
        str | None, typer.Option(help="a SQLite file, or postgresql://…", show_default=commands.DATABASE)
    ] = None,
    lang: LangOption = None,
) -> None:
    """Play in the browser: open the house on this machine, and its page."""
    screen = Screen(language(lang))
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    progress = Progress(*columns, console=screen.console, transient=True)
    task = progress.add_task(screen.text("preparing", game="…"), total=None)

    def visit(port: int, key: str = "house open") -> None:
        address = f"http://{commands.HOME}:{port}"
        screen.say(key, address=address, file=database)
        if not (browser and commands.show(address)):
            screen.say("visit")

    def opened(port: int) -> None:
        visit(port)
        progress.start()

    def step(done: int, of: int, game: str) -> None:
        description = screen.text("preparing", game=GAMES[game].title)
        progress.update(task, completed=done, total=of, description=description)
        if done == of:
            progress.stop()
            screen.say("prepared")

    try:
        free, is_open = commands.find_port(port)
    except commands.NoPort as error:
        why = str(error) or screen.text("occupied")
        fail(screen, screen.text("no free port") if port is None else screen.text("no port", port=port, why=why))
    if is_open and database is not None and commands.is_in_use(database):
        visit(free, "house in use")
        return
    if is_open and database is not None:
        fail(screen, screen.text("house elsewhere", address=f"http://{commands.HOME}:{free}", file=database))
    if is_open:
        visit(free, "house there")
        return
    file = commands.DATABASE if database is None else database
    try:
        code = commands.open_at_home(free, file, step, opened)
    except commands.NoDatabase as error:
        fail(screen, screen.text("no database", file=file, why=error))
    finally:
        progress.stop()
    screen.say("bye")
    raise typer.Exit(code)


@app.command()
def rules(game: GameArgument, lang: LangOption = None) -> None:
    """The complete rules of a game."""
    screen = Screen(language(lang))
    show_rules(screen, find_game(screen, game).name)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="a saved match")],
    seat: Annotated[int | None, typer.Option(help="see it from this seat, or -1 as a watcher; else all cards")] = None,
    lang: LangOption = None,
) -> None:
    """See a match again, step by step."""
    screen = Screen(language(lang))
    match, resigned, winners = read_file(screen, file)
    if seat is not None and not -1 <= seat < match.players:
        seats = screen.text("range", low=-1, high=match.players - 1)
        fail(screen, screen.text("bad option", option="--seat", expected=seats))
    try:
        Replay(screen, match, EVERYTHING if seat is None else seat, resigned, winners).run()
    except (KeyboardInterrupt, EOFError):
        screen.console.print()


@app.command()
def league(
    game: GameArgument,
    bots: Annotated[str | None, typer.Option(help="names with commas; search:2000 is a search of so many")] = None,
    games: Annotated[int, typer.Option(min=1, help="for each pairing")] = 200,
    players: Annotated[int | None, typer.Option(help="seats; with more than two, one A among others of B")] = None,
    table: Annotated[bool, typer.Option("--table", help="all bots at one table, instead of every pair")] = False,
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help="name=value, such as jokers=2")] = None,
    seed: Annotated[str, typer.Option(help="of the deals: the same seed gives the same results")] = "league",
    out: Annotated[Path | None, typer.Option(help="the file of results; else under ./league")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="go on with the file")] = False,
    jobs: Annotated[int, typer.Option(min=1, help="processes")] = os.cpu_count() or 1,
    lang: LangOption = None,
) -> None:
    """Let bots meet on the same deals with the seats rotated, and rate them."""
    screen = Screen(language(lang))
    found = find_game(screen, game)
    options = read_options(screen, found, players, option or [])
    usual = ",".join(name for name in bot_names(found) if name != "search")
    names = read_bots(screen, found, usual if bots is None else bots)
    if table and len(names) not in found.players.values:
        sizes = expected(screen, found.players)
        fail(screen, screen.text("bad table", game=found.title, expected=sizes, n=len(names)))
    seats = options.setdefault("players", len(names) if table else found.players.values[0])
    if table and seats != len(names):
        fail(screen, screen.text("contradiction", option="players", one=seats, other=f"--table ({len(names)})"))
    least = 1 if seats == 1 else 2
    if len(set(names)) < len(names) or len(names) < least:
        fail(screen, screen.text("few bots", n=least, bots=", ".join(names)))
    read_seed(screen, seed)
    plan = planned(found, options, names, games, seed, table)
    file = out or Path("league") / f"{named(found, plan)}.jsonl"
    try:
        if not resume and file.exists() and (not file.is_file() or file.stat().st_size):
            fail(screen, screen.text("league exists", file=file))
        rows = play_league(screen, found.title, plan, file, resume, jobs)
    except OSError as error:
        fail(screen, screen.text("cannot save", file=file, why=error.strerror or error))
    except BadFile as error:
        fail(screen, screen.text(error.key, **error.parts))
    except KeyboardInterrupt:
        screen.say("league stopped")
        raise typer.Exit(130) from None
    report(screen, plan, rows)
    if any(row.faults for row in rows):
        raise typer.Exit(1)


def named(game: Game, plan: Plan) -> str:
    """What the file of a league is called by itself: its game, the seats, and what else is not as usual."""
    options = [f"{o.name}-{plan.options[o.name]:d}" for o in game.options if plan.options[o.name] != o.default]
    return "-".join([game.name, str(plan.players), *options, *["table"] * plan.is_table])


@app.command()
def warm(lang: LangOption = None) -> None:
    """Compile every game now, so that the first move of each comes at once."""
    screen = Screen(language(lang))
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    calls = [(game, call) for game in GAMES.values() for call in (*game.warm_calls(), *warm_calls(game))]
    with Progress(*columns, console=screen.console) as progress:
        task = progress.add_task("", total=len(calls))
        for game, call in calls:
            progress.update(task, description=screen.text("warming", game=game.title))
            call()
            progress.advance(task)
    screen.say("warm", folder=CACHE_FOLDER)


for command in (commands.serve, commands.verify, commands.backup, commands.restore, commands.types):
    app.command()(command)
