"""Who one is: a signed token in a cookie, no account. Who has the token is the player."""

import base64
import hashlib
import hmac
import secrets

COOKIE = "carteado"
YEAR = 365 * 24 * 3600
LINK_SECONDS = 600


def new_player_id() -> str:
    return secrets.token_urlsafe(16)


def signature(key: bytes, player: str) -> str:
    digest = hmac.new(key, b"player " + player.encode(), hashlib.sha256).digest()
    return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def is_equal(ours: str, given: str) -> bool:
    """In a time that does not tell how much of it was right."""
    return hmac.compare_digest(ours.encode(), given.encode("utf-8", "replace"))


def token(key: bytes, player: str) -> str:
    return f"{player}.{signature(key, player)}"


def player_of(key: bytes, cookie_header: str) -> str | None:
    """The player whose token the cookies hold, if it is signed by this house."""
    for cookie in cookie_header.split(";"):
        name, _, value = cookie.strip().partition("=")
        player, _, signed = value.partition(".")
        if name == COOKIE and player and is_equal(signature(key, player), signed):
            return player
    return None


def hashed(code: str) -> str:
    """As a one-time code is kept: who reads the database cannot use it."""
    return hashlib.sha256(code.encode()).hexdigest()
