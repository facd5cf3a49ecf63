"""Compiled loops that draw from the generator many times at once."""

from carteado.rules.compiled import rule
from carteado.rules.random import below, shuffle, uniform, word


@rule
def draw_words(rngs, out):
    for i in range(len(out)):
        out[i] = word(rngs[0])


@rule
def draw_below(rngs, n, out):
    for i in range(len(out)):
        out[i] = below(rngs[0], n)


@rule
def draw_uniform(rngs, out):
    for i in range(len(out)):
        out[i] = uniform(rngs[0])


@rule
def shuffle_first(rngs, cards, n):
    shuffle(cards, n, rngs[0])
