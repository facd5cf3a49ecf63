"""The rules: pure, compiled, no input or output. `GAMES` is the register: one line a game."""

from carteado.rules import arboretum, menor_soma, neon_one, repeat_poker, trincheira
from carteado.rules.game import Game

GAMES: dict[str, Game] = {
    game.name: game
    for game in (
        trincheira.GAME,
        menor_soma.GAME,
        arboretum.GAME,
        neon_one.GAME,
        repeat_poker.GAME,
    )
}
