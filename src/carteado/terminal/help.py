"""What `--help` says in Portuguese, by what it says in English: that stands where the commands are."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import typer
from typer import rich_utils

from carteado.text import LANGUAGES, language

PORTUGUESE = {
    "Carteado, a house of card games.": "Carteado, uma casa de jogos de cartas.",
    "only that": "só isso",
    "pt or en; else the system's": "pt ou en; senão, a língua do sistema",
    "a SQLite file, or postgresql://…": "um arquivo SQLite, ou postgresql://…",
    "a game, as `carteado games` lists them": "um jogo, como `carteado games` os lista",
    "name=value, such as jokers=2": "nome=valor, como jokers=2",
    # games, play
    "The games, who plays them, and their options.": "Os jogos, quantos jogam e as opções de cada um.",
    "Play in the terminal: alone, against bots, or with others at the same keyboard. (In the browser: `web`.)": "Jogar "
    "no terminal: sozinho, contra robôs ou com outros no mesmo teclado. (No navegador: `web`.)",
    "a game; without one you are asked": "um jogo; sem ele, a casa pergunta",
    "how many play": "quantos jogam",
    "the seats of people at this keyboard: 0, or 0,2, or all": "os lugares das pessoas neste teclado: 0, 0,2 ou all",
    "any text: the same seed deals the same cards": "um texto qualquer: a mesma semente dá as mesmas cartas",
    "of the bots on the other seats: aprendiz, jogador, mestre": "dos robôs nos outros lugares: aprendiz, jogador, "
    "mestre",
    "a saved match to go on with": "uma partida guardada, para continuar",
    # web
    "Play in the browser: open the house on this machine, and its page.": "Jogar no navegador: abre a casa nesta "
    "máquina, e a sua página.",
    "else 8000, or the next one that is free": "senão 8000, ou a próxima que estiver livre",
    "open the page in the browser": "abrir a página no navegador",
    # rules, replay
    "The complete rules of a game.": "As regras completas de um jogo.",
    "See a match again, step by step.": "Rever uma partida, passo a passo.",
    "a saved match": "uma partida guardada",
    "see it from this seat, or -1 as a watcher; else all cards": "vista deste lugar, ou -1 como quem assiste; senão, "
    "com todas as cartas",
    # league, warm
    "Let bots meet on the same deals with the seats rotated, and rate them.": "Robôs se enfrentam com as mesmas cartas "
    "e os lugares trocados, e são classificados.",
    "names with commas; search:2000 is a search of so many": "nomes separados por vírgula; search:2000 é uma busca com "
    "tantas simulações",
    "for each pairing": "de cada par",
    "seats; with more than two, one A among others of B": "lugares; com mais de dois, um A entre vários B",
    "all bots at one table, instead of every pair": "todos os robôs a uma mesa, em vez de cada par",
    "of the deals: the same seed gives the same results": "das cartas: a mesma semente dá os mesmos resultados",
    "the file of results; else under ./league": "o arquivo dos resultados; senão, em ./league",
    "go on with the file": "continuar o que está no arquivo",
    "processes": "processos",
    "Compile every game now, so that the first move of each comes at once.": "Compilar todos os jogos agora, para que "
    "a primeira jogada de cada um venha na hora.",
    # serve
    "Open the house: the server, until it is told to stop.": "Abrir a casa: o servidor, até que o mandem parar.",
    "where to listen": "onde atender",
    "the folder of the page; else the built one": "a pasta da página; senão, a que foi construída",
    "open to others; refuses what is unsafe": "aberta a outros; recusa o que não é seguro",
    "an address of the page, such as https://play.org": "um endereço da página, como https://play.org",
    "the address or network of a proxy elsewhere": "o endereço ou a rede de um proxy em outra máquina",
    "the house's key; else CARTEADO_KEY or one made once": "a chave da casa; senão CARTEADO_KEY, ou uma que se faz",
    "of SQLite: FULL, NORMAL or OFF": "do SQLite: FULL, NORMAL ou OFF",
    "in which bots think": "em que os robôs pensam",
    "debug, info, warning or error": "debug, info, warning ou error",
    "compile only what is played, when it is": "compilar só o que se joga, na hora",
    "NAME=VALUE: another time or limit": "NOME=VALOR: outro tempo ou limite",
    # verify, backup, restore, types
    "Check that a match was dealt and played honestly, and say what was checked.": "Conferir que uma partida foi "
    "distribuída e jogada honestamente, e dizer o que foi conferido.",
    "the record of a match, as the server publishes it": "o registro de uma partida, como o servidor o publica",
    "Copy the database, also while the server runs. (PostgreSQL: use pg_dump.)": "Copiar os dados, também com o "
    "servidor aberto. (PostgreSQL: use pg_dump.)",
    "where to put the copy": "onde pôr a cópia",
    "Put a backup in the database's place; what stood there is kept beside it as .before.": "Pôr uma cópia no lugar "
    "dos dados; o que estava lá fica ao lado, como .before.",
    "a copy made by backup": "uma cópia feita por backup",
    "The messages of the server as TypeScript, for the page.": "As mensagens do servidor em TypeScript, para a página.",
    "where to write; else to the screen": "onde escrever; senão, na tela",
    # typer's own
    "Show this message and exit.": "Mostra esta ajuda e sai.",
}
TITLES = {
    "DEFAULT_STRING": "[padrão: {}]",
    "REQUIRED_LONG_STRING": "[obrigatório]",
    "ARGUMENTS_PANEL_TITLE": "Argumentos",
    "OPTIONS_PANEL_TITLE": "Opções",
    "COMMANDS_PANEL_TITLE": "Comandos",
    "ERRORS_PANEL_TITLE": "Erro",
    "RICH_HELP": "[blue]'{command_path} {help_option}'[/] mostra a ajuda.",
}


def asked_in(words: Sequence[str]) -> str:
    """The language of a command line: help comes before its options are read."""
    given = [word.removeprefix("--lang=") for word in words if word.startswith("--lang=")]
    given += [word for flag, word in pairwise(words) if flag == "--lang"]
    return language(given[0] if given and given[0] in LANGUAGES else None)


def translate(command: Any, within: typer.Context | None = None) -> None:
    """A command and those under it, and the titles of their help, into Portuguese."""
    if within is None:
        for name, title in TITLES.items():
            setattr(rich_utils, name, title)
    context = typer.Context(command, parent=within, **({} if within else command.context_settings))
    for one in (command, *command.get_params(context)):
        one.help = PORTUGUESE.get(one.help, one.help)
    for each in getattr(command, "commands", {}).values():
        translate(each, context)
