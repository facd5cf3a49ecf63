"""A deal that can be checked: a commitment, what each seat adds, the seed, and the chain of events."""

import hashlib
import hmac
import json
import secrets
from collections.abc import Sequence
from typing import Any

from carteado.server.log import Event

SECRET_BYTES = 32
CONTRIBUTION_BYTES = 16
SILENT = bytes(CONTRIBUTION_BYTES)  # what a bot adds, or a client that says nothing


def new_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def commitment(secret: bytes) -> str:
    """Shown to all before anybody adds anything."""
    return hashlib.sha256(secret).hexdigest()


def seed_of(secret: bytes, contributions: Sequence[bytes], name: str) -> bytes:
    """The seed of the deal: secret, contributions in seat order, and the name of the match."""
    return hashlib.sha256(secret + b"".join(contributions) + name.encode()).digest()


def first_link(secret: bytes, name: str, options: dict[str, int | bool], start: dict[str, Any] | None = None) -> bytes:
    """Where the chain begins: at the name of the match, its options, the position that was set up, if any, and the
    secret that the house committed itself to."""
    text = name + _written(options) + ("" if start is None else _written(start))
    return hmac.digest(secret, text.encode(), "sha256")


def _written(data: dict[str, Any]) -> str:
    """The one way to write it down."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


def next_link(secret: bytes, link: bytes, event: Event) -> bytes:
    """Each event is tied to all before it, so none can be changed, dropped or put elsewhere afterwards.

    It is keyed with the secret: links are shown to all, and without the key one could try which hidden card fits.
    """
    text = f"{event.n} {event.kind} {event.seat} {event.data}"
    return hmac.digest(secret, link + text.encode(), "sha256")
