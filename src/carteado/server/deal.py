"""A deal that can be checked: a commitment, what each seat adds, the seed, and the chain of events."""

import hashlib
import json
import secrets
from collections.abc import Sequence
from typing import Any

from carteado.server.log import Event

SECRET_BYTES = 32
CONTRIBUTION_BYTES = 16
BLOCK_BYTES = 64  # of SHA-256: a secret is shorter
INNER, OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
SILENT = bytes(CONTRIBUTION_BYTES)  # what a bot adds, or a client that says nothing


def new_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """Shown to all before anybody adds anything."""
    return hashlib.sha256(secret).hexdigest()


def seed_of(secret: bytes, contributions: Sequence[bytes], name: str) -> bytes:
    """The seed of the deal: secret, contributions in seat order, and the name of the match."""
    return hashlib.sha256(secret + b"".join(contributions) + name.encode()).digest()


class Chain:
    """Ties each event to all before it, so that none can be changed, dropped or put elsewhere afterwards.

    Links are HMAC-SHA-256 keyed with the secret: they are shown to all, and without the key one could try which hidden
    card fits. The two halves that depend on the key alone (RFC 2104) are kept: to begin anew with each event takes
    three times as long.
    """

    __slots__ = ("_inner", "_outer")

    def __init__(self, secret: bytes) -> None:
        key = secret.ljust(BLOCK_BYTES, b"\0")
        self._inner, self._outer = hashlib.sha256(key.translate(INNER)), hashlib.sha256(key.translate(OUTER))

    def first(self, name: str, options: dict[str, int | bool], start: dict[str, Any] | None = None) -> bytes:
        """Where it begins: at the name of the match, its options, and the position that was set up, if any."""
        text = name + written(options) + ("" if start is None else written(start))
        return self._link(text.encode())

    def next(self, link: bytes, event: Event) -> bytes:
        return self._link(link + f"{event.n} {event.kind} {event.seat} {event.data}".encode())

    def _link(self, data: bytes) -> bytes:
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(data)
        outer.update(inner.digest())
        return outer.digest()


def written(data: dict[str, Any]) -> str:
    """The one way to write it down."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"))
