"""The rules: pure, compiled, no input or output. `GAMES` is the register: one line a game."""

from carteado.rules import neon_one, repeat_poker
from carteado.rules.game import Game

GAMES: dict[str, Game] = {
    game.name: game
    for game in (
        neon_one.GAME,
        repeat_poker.GAME,
    )
}
