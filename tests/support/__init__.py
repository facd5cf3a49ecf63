"""What several tests share."""

import itertools
from collections.abc import Iterator

from carteado.rules.game import Game


def variants(game: Game) -> Iterator[dict[str, int]]:
    """Every player count with every option at its ends and its default."""
    players = game.players.values
    choices = [sorted({o.values[0], o.values[-1], o.default}) for o in game.options]
    for count, *values in itertools.product(players, *choices):
        yield {"players": count, **dict(zip((o.name for o in game.options), values, strict=True))}


def label(game: Game, options: dict[str, int]) -> str:
    return " ".join([game.name, *(f"{name}={value}" for name, value in options.items())])
