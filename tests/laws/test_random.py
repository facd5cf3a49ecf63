"""The generator: ChaCha8 to the bit, draws without bias, and none of it in any state."""

import hashlib
import itertools
import json

import numpy as np
import pytest
from scipy import stats
from support import plain_random, random_loops

import carteado
from carteado.rules import GAMES
from carteado.rules.random import LANES, RNG, keyed, seeded

BLOCK = 16  # words

# Published test vectors of ChaCha with 256-bit keys, 8 rounds and a zero nonce: key, first counter, the blocks.
ZERO_KEY = bytes(32)
ONE_BIT_KEY = bytes([1]) + bytes(31)
ZERO_BLOCKS = (
    "3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"
    "984ce172b9216f419f445367456d5619314a42a3da86b001387bfdb80e0cfe42",
    "d2aefa0deaa5c151bf0adb6c01f2a5adc0fd581259f9a2aadcf20f8fd566a26b"
    "5032ec38bbc5da98ee0c6f568b872a65a08abf251deb21bb4b56e5d8821e68aa",
)
ONE_BIT_BLOCKS = (
    "cf5ee9a0494aa9613e05d5ed725b804b12f4a465ee635acc3a311de8740489ea"
    "289d04f43c7518db56eb4433e498a1238cd8464d3763ddbb9222ee3bd8fae3c8",
    "b4355a7d93dd8867089ee643558b95754efa2bd1a8a1e2d75bcdb32015542638"
    "291941feb49965587c4fdfe219cf0ec132a6cd4dc067392e67982fe53278c0b4",
)
LAST_BLOCK = (
    "df8a0bceca2fbb111f29978fa9a64407c68ced975ff55a24707265d0687e6aef"
    "b3597eac46e4b0a79b3a49c8b0f1775ac3edd7eb6a6d9bcb38f276517a79e014"
)
VECTORS = {
    "key of zeros": (ZERO_KEY, 0, ZERO_BLOCKS),
    "key of one bit": (ONE_BIT_KEY, 0, ONE_BIT_BLOCKS),
    "last block, then the first": (ZERO_KEY, 2**64 - 1, (LAST_BLOCK, *ZERO_BLOCKS)),
}
SIZES = [1, 2, 3, 5, 6, 7, 13, 52, 100, 104, 108, 110, 1000, 2**16, 2**16 + 1, 10**9, 2**31 - 1, 2**31, 2**31 + 1]


def at(key, counter):
    rngs = keyed(key)
    rngs[0].counter = counter
    return rngs


def words(rngs, n):
    out = np.zeros(n, np.uint32)
    random_loops.draw_words(rngs, out)
    return [int(x) for x in out]


def draws(rngs, n, times):
    out = np.zeros(times, np.int64)
    random_loops.draw_below(rngs, n, out)
    return out


def saying(*numbers):
    """A generator whose next words are these."""
    rngs = keyed(ZERO_KEY)
    rngs[0].used = 0
    for i, number in enumerate(numbers):
        rngs[0].words[(i % BLOCK) * LANES + i // BLOCK] = number
    return rngs


# The key stream


@pytest.mark.parametrize(("key", "counter", "blocks"), VECTORS.values(), ids=VECTORS)
def test_the_key_stream_is_that_of_the_published_vectors(key, counter, blocks):
    stream = words(at(key, counter), BLOCK * len(blocks))
    assert np.array(stream, "<u4").tobytes().hex() == "".join(blocks)


@pytest.mark.parametrize(("key", "counter", "blocks"), VECTORS.values(), ids=VECTORS)
def test_the_plain_generator_of_these_tests_gives_the_published_vectors_too(key, counter, blocks):
    stream = itertools.islice(plain_random.words_of(key, counter), BLOCK * len(blocks))
    assert np.array(list(stream), "<u4").tobytes().hex() == "".join(blocks)


@pytest.mark.parametrize(
    "counter",
    [0, 1, 5, 2**32 - 3, 2**32 - 2 * LANES, 2**32, 2**40 + 7, 2**63, 2**64 - LANES - 1],
    ids=lambda counter: f"from block {counter}",
)
def test_block_follows_block_over_the_lanes_and_over_every_carry_of_the_counter(counter):
    key = hashlib.sha256(str(counter).encode()).digest()
    n = BLOCK * 25  # three refills of eight lanes, and one block more
    assert words(at(key, counter), n) == list(itertools.islice(plain_random.words_of(key, counter), n))


def test_words_drawn_one_by_one_and_many_at_once_are_the_same():
    singly, at_once = keyed(ONE_BIT_KEY), keyed(ONE_BIT_KEY)
    assert [words(singly, 1)[0] for _ in range(300)] == words(at_once, 300)


@pytest.mark.parametrize("seed", ["", "any text", "coração ♠", b"", b"\x00\xff bytes"], ids=repr)
def test_the_key_is_the_sha256_of_the_seed(seed):
    """G2: text as UTF-8."""
    data = seed if isinstance(seed, bytes) else seed.encode("utf-8")
    assert seeded(seed)[0].key.tobytes() == hashlib.sha256(data).digest()
    assert words(seeded(seed), 200) == list(itertools.islice(plain_random.seeded_words(seed), 200))


def test_text_and_its_utf8_bytes_are_the_same_seed():
    """G2."""
    assert seeded("maçã").tobytes() == seeded("maçã".encode()).tobytes()


# Draws below n


@pytest.mark.parametrize("n", SIZES)
def test_draws_below_n_are_those_of_the_plain_multiplication_with_rejection(n):
    rngs, plain = seeded("draws"), plain_random.seeded_words("draws")
    assert draws(rngs, n, 600).tolist() == [plain_random.below(plain, n) for _ in range(600)]
    assert words(rngs, 1)[0] == next(plain), "another number of words was used up"


@pytest.mark.parametrize("n", [*range(1, 60), 2**16 + 1, 10**9, 2**31 - 1, 2**31 + 1])
def test_every_number_below_n_has_exactly_as_many_words(n):
    """Number k is drawn by the words from k * 2^32 / n up. The first of them are refused just where one k would have
    more than its floor(2^32 / n) words."""
    excess = 2**32 % n
    for k in range(n) if n < 60 else (0, 1, 2, n // 3, n // 2, n - 2, n - 1):
        first = -(-k * 2**32 // n)
        for word in (first, first + 1):
            low = word * n - k * 2**32
            if low < 2**32:  # else it is a word of the next number
                number, used = one_draw(word, n)
                assert (used, number) == (1, k) if low >= excess else used == 2


def one_draw(word, n):
    """The number that a draw gives which finds this word first, and how many words it took; the second always does."""
    sure = next(w for w in range(2**31, 2**31 + 10) if w * n % 2**32 >= 2**32 % n)
    rngs = saying(word, sure)
    return int(draws(rngs, n, 1)[0]), int(rngs[0].used)


@pytest.mark.parametrize("n", [2, 3, 7, 52, 110])
def test_draws_below_n_are_spread_evenly(n):
    counts = np.bincount(draws(seeded("spread"), n, 200_000), minlength=n)
    assert len(counts) == n
    assert stats.chisquare(counts).pvalue > 1e-4


def test_pairs_of_draws_are_spread_evenly():
    pairs = draws(seeded("pairs"), 6, 360_000).reshape(-1, 2)
    assert stats.chisquare(np.bincount(pairs[:, 0] * 6 + pairs[:, 1], minlength=36)).pvalue > 1e-4


def test_fractions_are_made_of_53_bits_below_one():
    out = np.zeros(2000)
    random_loops.draw_uniform(seeded("fractions"), out)
    plain = plain_random.seeded_words("fractions")
    assert out.tolist() == [((next(plain) >> 5) * 2**26 + (next(plain) >> 6)) / 2**53 for _ in out]
    top = np.zeros(1)
    random_loops.draw_uniform(saying(2**32 - 1, 2**32 - 1), top)
    assert top[0] == 1 - 2**-53


# The shuffle


@pytest.mark.parametrize("n", [0, 1, 2, 3, 52, 108, 110])
def test_the_shuffle_is_fisher_yates_from_the_last_place_down(n):
    """G2: and it touches nothing behind the first n."""
    rngs, plain = seeded(f"deck of {n}"), plain_random.seeded_words(f"deck of {n}")
    cards = np.arange(1, n + 6, dtype=np.uint8)
    random_loops.shuffle_first(rngs, cards, n)
    assert cards.tolist() == [*plain_random.shuffled(range(1, n + 1), plain), *range(n + 1, n + 6)]
    assert words(rngs, 1)[0] == next(plain)


def test_the_shuffle_draws_again_where_a_draw_would():
    """G2: the word 0 is refused for every n but powers of two."""
    said = [0 if i % 2 else 7919 * 2**18 * (i + 1) % 2**32 for i in range(LANES * BLOCK)]
    rngs, plain, cards = saying(*said), iter(said), np.arange(50, dtype=np.uint8)
    random_loops.shuffle_first(rngs, cards, 50)
    assert cards.tolist() == plain_random.shuffled(range(50), plain)
    assert len(said) - len(list(plain)) == rngs[0].used > 80


def test_all_orders_of_four_cards_are_equally_likely():
    orders = dict.fromkeys(itertools.permutations(range(4)), 0)
    rngs = seeded("orders")
    for _ in range(12_000):
        cards = np.arange(4, dtype=np.uint8)
        random_loops.shuffle_first(rngs, cards, 4)
        orders[tuple(cards.tolist())] += 1
    assert stats.chisquare(list(orders.values())).pvalue > 1e-4


# Where it is not


def names_in(dtype):
    """Every field name of a record type, however deep."""
    while dtype.subdtype:
        dtype = dtype.subdtype[0]
    for name in dtype.names or ():
        yield name
        yield from names_in(dtype[name])


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_no_state_has_a_generator_in_it(game):
    fields = set(names_in(game.state))
    assert not fields & ({"rng", "rngs", "seed", *RNG.names} - {"used"})
    match = carteado.new(game.name, seed="hidden chance")
    generator = match._rngs[0]
    for secret in (generator.key.tobytes()[:8], generator.words.tobytes()[:8], generator.words.tobytes()[-8:]):
        assert secret not in match.state.tobytes()


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_no_view_tells_the_seed_or_the_generator(game):
    match = carteado.new(game.name, seed="hidden chance")
    generator = match._rngs[0]
    for seat in range(-1, match.players):
        written = json.dumps(match.view(seat))
        told = ["hidden chance", *map(str, generator.key), *(str(word) for word in generator.words[:32])]
        assert not [secret for secret in told if secret in written]


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
def test_looking_and_counting_use_up_no_chance(game):
    match = carteado.new(game.name, seed="quiet")
    before = match._rngs.tobytes()
    for seat in range(-1, match.players):
        match.view(seat)
        match.shown(seat)
    match.legal()
    match.scores()
    match.table()
    assert match._rngs.tobytes() == before
