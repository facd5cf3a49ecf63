"""What somebody typed becomes a move or a command, or a sentence that says what was meant and what is possible."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from carteado.terminal.words import ALIASES, COMMANDS, WORDS

MOST_LISTED = 10


@dataclass(frozen=True)
class Typed:
    """A move's name, or a command with its argument, or what is wrong."""

    move: str | None = None
    command: str | None = None
    argument: str = ""
    complaint: str | None = None


def read(text: str, legal: Sequence[str], called: Sequence[str], lang: str) -> Typed:
    """`called` are the same moves in words. Moves go before commands; an exact name before the start of one."""
    word = " ".join(text.split())
    if not word:
        return Typed(move=legal[0]) if len(legal) == 1 else Typed(command="?")
    exact = _exactly(word, legal)
    if exact is not None:
        return Typed(move=exact)
    command = _command(text.strip(), lang)
    if command is not None:
        return command
    if word.isascii() and word.isdigit():
        number = int(word) if len(word) < 9 else 0
        if 1 <= number <= len(legal):
            return Typed(move=legal[number - 1])
        return Typed(complaint=WORDS[lang]["not a number"].format(word=word[:20], n=len(legal)))
    return _beginning(word, legal, called, lang)


def _exactly(word: str, legal: Sequence[str]) -> str | None:
    if word in legal:
        return word
    folded = [name for name in legal if name.casefold() == word.casefold()]
    return folded[0] if len(folded) == 1 else None


def _command(text: str, lang: str) -> Typed | None:
    """What follows is taken as it stands, but for quotes around it: a file's name may have blanks."""
    first, argument = (*text.split(maxsplit=1), "")[:2]
    if argument[:1] in ("'", '"') and len(argument) > 1 and argument.endswith(argument[0]):
        argument = argument[1:-1]
    name = ALIASES.get(first.casefold(), first.casefold())
    if name in COMMANDS[lang] and (not argument or name == "save"):
        return Typed(command=name, argument=argument)
    return None


def _beginning(word: str, legal: Sequence[str], called: Sequence[str], lang: str) -> Typed:
    """The one move that begins so, in notation or in words; else what could have been meant."""
    say, start = WORDS[lang], word.casefold()
    by_name = [name for name in legal if name.casefold().startswith(start)]
    by_words = [name for name, words in zip(legal, called, strict=True) if words.casefold().startswith(start)]
    for found in (by_name, by_words):
        if len(found) == 1:
            return Typed(move=found[0])
    if by_name or by_words:
        return Typed(complaint=say["unclear"].format(word=word[:40], close=shortened(by_name or by_words, lang)))
    spoken = {words.casefold(): name for name, words in zip(legal, called, strict=True)}
    names = {name.casefold(): name for name in legal}
    close = difflib.get_close_matches(start, [*names, *spoken, *COMMANDS[lang], *ALIASES], n=3, cutoff=0.6)
    if close:
        meant = dict.fromkeys(names.get(c) or spoken.get(c) or c for c in close)
        return Typed(complaint=say["did you mean"].format(word=word[:40], close=" / ".join(meant)))
    return Typed(complaint=say["not a move"].format(word=word[:40], legal=shortened(legal, lang)))


def shortened(names: Sequence[str], lang: str) -> str:
    more = len(names) - MOST_LISTED
    listed = ", ".join(names[:MOST_LISTED])
    return f"{listed} {WORDS[lang]['more'].format(n=more)}" if more > 0 else listed
