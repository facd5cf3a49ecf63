"""The one generator: ChaCha8, keyed by 256 bits, with a 64-bit counter of blocks and no nonce.

It is always an argument: never part of a state, never part of a view.
"""

import hashlib
from typing import Any

import numpy as np

from carteado.rules.compiled import rule
from carteado.rules.errors import BadSeed

Rng = Any  # one record of RNG

LANES = 8  # blocks made at once, side by side, for the processor's vectors
FIELDS = [("key", "u4", (8,)), ("counter", "u8"), ("words", "u4", (16 * LANES,)), ("used", "i8")]
RNG = np.dtype((np.record, np.dtype(FIELDS, align=True)))

S0, S1, S2, S3 = np.frombuffer(b"expand 32-byte k", "<u4").astype(np.uint32)
LOW = np.uint64(0xFFFFFFFF)
U32 = np.uint64(32)
ZERO = np.uint32(0)


def seeded(seed: str | bytes, room: int = 1) -> np.ndarray[Any, Any]:
    """A generator at its start; its key is the SHA-256 of the seed (G2). With room for more, these are blank."""
    if not isinstance(seed, str | bytes):
        raise BadSeed(f"seed: expected text or bytes, got {type(seed).__name__}")
    try:
        data = seed.encode() if isinstance(seed, str) else seed
    except UnicodeEncodeError as error:
        raise BadSeed(f"seed: text that has no UTF-8 form ({error.reason})") from None
    return keyed(hashlib.sha256(data).digest(), room)


def keyed(key: bytes, room: int = 1) -> np.ndarray[Any, Any]:
    rngs = np.zeros(room, RNG)
    rngs[0].key[:] = np.frombuffer(key, "<u4")
    rngs[0].used = 16 * LANES
    return rngs


@rule
def rotated(x: Any, n: int) -> Any:
    return np.uint32((x << np.uint32(n)) | (x >> np.uint32(32 - n)))


@rule
def quarter(a: Any, b: Any, c: Any, d: Any) -> Any:
    a = np.uint32(a + b)
    d = rotated(np.uint32(d ^ a), 16)
    c = np.uint32(c + d)
    b = rotated(np.uint32(b ^ c), 12)
    a = np.uint32(a + b)
    d = rotated(np.uint32(d ^ a), 8)
    c = np.uint32(c + d)
    b = rotated(np.uint32(b ^ c), 7)
    return a, b, c, d


@rule
def double_round(x: Any) -> Any:
    x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15 = x
    x0, x4, x8, x12 = quarter(x0, x4, x8, x12)
    x1, x5, x9, x13 = quarter(x1, x5, x9, x13)
    x2, x6, x10, x14 = quarter(x2, x6, x10, x14)
    x3, x7, x11, x15 = quarter(x3, x7, x11, x15)
    x0, x5, x10, x15 = quarter(x0, x5, x10, x15)
    x1, x6, x11, x12 = quarter(x1, x6, x11, x12)
    x2, x7, x8, x13 = quarter(x2, x7, x8, x13)
    x3, x4, x9, x14 = quarter(x3, x4, x9, x14)
    return x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15


@rule
def refill(rng: Rng) -> None:
    """The next blocks of the key stream. Written out without arrays, so that the loop becomes one of vectors."""
    words, start = rng.words, rng.counter
    k0, k1, k2, k3 = rng.key[0], rng.key[1], rng.key[2], rng.key[3]
    k4, k5, k6, k7 = rng.key[4], rng.key[5], rng.key[6], rng.key[7]
    for lane in range(LANES):
        counter = start + np.uint64(lane)
        low, high = np.uint32(counter & LOW), np.uint32(counter >> U32)
        x = double_round((S0, S1, S2, S3, k0, k1, k2, k3, k4, k5, k6, k7, low, high, ZERO, ZERO))
        x = double_round(double_round(double_round(x)))
        words[lane], words[LANES + lane] = x[0] + S0, x[1] + S1
        words[2 * LANES + lane], words[3 * LANES + lane] = x[2] + S2, x[3] + S3
        words[4 * LANES + lane], words[5 * LANES + lane] = x[4] + k0, x[5] + k1
        words[6 * LANES + lane], words[7 * LANES + lane] = x[6] + k2, x[7] + k3
        words[8 * LANES + lane], words[9 * LANES + lane] = x[8] + k4, x[9] + k5
        words[10 * LANES + lane], words[11 * LANES + lane] = x[10] + k6, x[11] + k7
        words[12 * LANES + lane], words[13 * LANES + lane] = x[12] + low, x[13] + high
        words[14 * LANES + lane], words[15 * LANES + lane] = x[14], x[15]
    rng.counter = start + np.uint64(LANES)
    rng.used = 0


@rule
def word(rng: Rng) -> Any:
    """The next 32 bits of the key stream, block after block."""
    if rng.used >= 16 * LANES:
        refill(rng)
    i = rng.used
    rng.used = i + 1
    return np.uint64(rng.words[(i & 15) * LANES + (i >> 4)])


@rule
def unbiased(rng: Rng, n: int, product: Any) -> Any:
    """The product, or the first after it that favours no number below n."""
    biased = np.uint64((0x100000000 - n) % n)
    while (product & LOW) < biased:
        product = word(rng) * np.uint64(n)
    return product


@rule
def below(rng: Rng, n: int) -> int:
    """A number from 0 to n - 1, each equally likely: Lemire's multiplication with rejection."""
    product = word(rng) * np.uint64(n)
    if (product & LOW) < np.uint64(n):
        product = unbiased(rng, n, product)
    return int(np.int64(product >> U32))


@rule
def uniform(rng: Rng) -> float:
    """A number in [0, 1), in steps of 2 to the -53."""
    high = np.float64(np.int64(word(rng)) >> 5)
    low = np.float64(np.int64(word(rng)) >> 6)
    return (high * 67108864.0 + low) / 9007199254740992.0


@rule
def shuffle(cards: Any, n: int, rng: Rng) -> None:
    """Fisher-Yates over the first n, from the last place down (G2).

    It draws as `below` does, written out: as a call for each card that takes half as long again.
    """
    for i in range(n - 1, 0, -1):
        product = word(rng) * np.uint64(i + 1)
        if (product & LOW) < np.uint64(i + 1):
            product = unbiased(rng, i + 1, product)
        j = np.int64(product >> U32)
        card = cards[i]
        cards[i] = cards[j]
        cards[j] = card
