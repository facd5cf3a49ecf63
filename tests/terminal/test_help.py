"""`--help` in the language of whoever asks."""

import os
import subprocess
import sys

import pytest
import typer

from carteado.cli import app
from carteado.terminal.help import PORTUGUESE, asked_in


def said_in_english(command, within=None):
    """Every text of the help of a command and of those under it."""
    context = typer.Context(command, parent=within, **({} if within else command.context_settings))
    yield from (one.help for one in (command, *command.get_params(context)) if one.help)
    for each in getattr(command, "commands", {}).values():
        yield from said_in_english(each, context)


def test_every_help_has_its_portuguese_and_nothing_else_does():
    assert set(said_in_english(typer.main.get_command(app))) == PORTUGUESE.keys()


@pytest.mark.parametrize(
    ("system", "words", "lang"),
    [
        ("pt_BR.UTF-8", ["play", "--help"], "pt"),
        ("de_DE.UTF-8", [], "pt"),
        ("en_US.UTF-8", ["--help"], "en"),
        ("en_US.UTF-8", ["rules", "--lang", "pt", "-h"], "pt"),
        ("pt_BR.UTF-8", ["rules", "--lang=en", "-h"], "en"),
        ("en_US.UTF-8", ["rules", "--lang", "fr"], "en"),
        ("pt_BR.UTF-8", ["rules", "--lang"], "pt"),
    ],
)
def test_the_language_of_a_command_line_is_known_before_it_is_read(monkeypatch, system, words, lang):
    monkeypatch.setenv("LC_ALL", system)
    assert asked_in(words) == lang


@pytest.mark.parametrize(
    ("lang", "says"),
    [
        ("pt", ["quantos jogam", "Opções", "[padrão: 0]", "Mostra esta ajuda e sai."]),
        ("en", ["how many play", "Options", "[default: 0]", "Show this message and exit."]),
    ],
)
def test_help_comes_in_both_languages(lang, says):
    command = [sys.executable, "-m", "carteado", "play", "--lang", lang, "--help"]
    told = subprocess.run(command, env={**os.environ, "COLUMNS": "80"}, capture_output=True, check=True).stdout.decode()
    for words in says:
        assert words in told
