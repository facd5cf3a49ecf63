"""What can be wrong with what comes from outside: one class each, and every message says what was expected."""


class CarteadoError(ValueError):
    """Anything wrong that was said to Carteado; nothing has changed because of it."""


class UnknownGame(CarteadoError):
    """There is no game of that name."""


class BadOption(CarteadoError):
    """The game has no such option, or not with that value."""


class BadPlayers(BadOption):
    """The game is not played by that many."""


class BadSeat(CarteadoError):
    """There is no such seat, or it is not that seat's turn to decide."""


class BadSeed(CarteadoError):
    """A seed is text or bytes."""


class IllegalMove(CarteadoError):
    """The move is not among the legal ones."""


class BadRecord(CarteadoError):
    """The record of a match cannot be replayed."""


class BadPosition(CarteadoError):
    """The position is not written as `table` writes it, or cannot occur."""


class CannotUndo(CarteadoError):
    """The last move cannot be taken back: that would give something away, or there is none to take back."""


class UnknownBot(CarteadoError):
    """There is no bot of that name."""
