"""The French deck as it is drawn: `7s` becomes 7♠, red where it is red."""

from functools import cache

SUIT_SIGNS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
JOKER = {"pt": "coringa", "en": "joker"}
HIDDEN = {"pt": "uma carta", "en": "a card"}


@cache
def drawn(name: str, lang: str) -> str:
    """7♠ for `7s`; a joker and a hidden card in words."""
    if name == "?":
        return HIDDEN[lang]
    return JOKER[lang] if name == "joker" else name[:-1] + SUIT_SIGNS[name[-1]]


def painted(name: str) -> str:
    """The card in three columns, as Rich markup: red suits red, a joker as ★, a card that lies face down as a back."""
    if name == "?":
        return "[dim]▒▒▒[/]"
    if name == "joker":
        return "[bold magenta] ★ [/]"
    colour = "bright_red" if name[-1] in "dh" else "bright_white"
    return f"[bold {colour}]{drawn(name, 'en'):>3}[/]"
