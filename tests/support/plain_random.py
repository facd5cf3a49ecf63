"""ChaCha8, bounded draws and the shuffle once more, in plain Python: written from the papers, to compare with."""

import hashlib
import struct
from collections.abc import Iterator, Sequence
from typing import Any

MASK = 0xFFFFFFFF
COLUMNS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))


def block(key: bytes, counter: int) -> bytes:
    """One block of 64 bytes; the counter has 64 bits, the nonce is zero."""
    constant, keys = struct.unpack("<4I", b"expand 32-byte k"), struct.unpack("<8I", key)
    start = [*constant, *keys, counter & MASK, counter >> 32, 0, 0]
    x = start.copy()
    for _ in range(4):  # eight rounds, two at a time
        for a, b, c, d in COLUMNS + DIAGONALS:
            for into, source, turned, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[into] = (x[into] + x[source]) & MASK
                mixed = x[turned] ^ x[into]
                x[turned] = (mixed << by | mixed >> 32 - by) & MASK
    return struct.pack("<16I", *((a + b) & MASK for a, b in zip(x, start, strict=True)))


def words_of(key: bytes, counter: int = 0) -> Iterator[int]:
    """The key stream as numbers of 32 bits."""
    while True:
        yield from struct.unpack("<16I", block(key, counter))
        counter = (counter + 1) % 2**64


def seeded_words(seed: str | bytes) -> Iterator[int]:
    """G2: the key is the SHA-256 of the seed, text as UTF-8."""
    return words_of(hashlib.sha256(seed.encode("utf-8") if isinstance(seed, str) else seed).digest())


def below(words: Iterator[int], n: int) -> int:
    """Lemire's multiplication; of the 2 to the 32 words, the last few that cannot be shared evenly are drawn again."""
    while True:
        high, low = divmod(next(words) * n, 2**32)
        if low >= 2**32 % n:
            return high


def shuffled(cards: Sequence[Any], words: Iterator[int]) -> list[Any]:
    """G2: Fisher-Yates, from the last place down."""
    deck = list(cards)
    for i in reversed(range(1, len(deck))):
        j = below(words, i + 1)
        deck[i], deck[j] = deck[j], deck[i]
    return deck
