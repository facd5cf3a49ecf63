"""How fast somebody may go."""

import time


class Bucket:
    """Holds so many, and is refilled at a rate."""

    __slots__ = ("_at", "_left", "most", "rate")

    def __init__(self, rate: float, most: int) -> None:
        self.rate, self.most = rate, most
        self._left, self._at = float(most), time.monotonic()

    def take(self, n: int = 1) -> bool:
        now = time.monotonic()
        left = self._left + (now - self._at) * self.rate
        if left > self.most:
            left = self.most
        self._at = now
        if left < n:
            self._left = left
            return False
        self._left = left - n
        return True


class Buckets:
    """One for each address or player; those not used for long are dropped."""

    MOST = 50_000

    def __init__(self, rate: float, most: int) -> None:
        self.rate, self.most = rate, most
        self._by_name: dict[str, Bucket] = {}

    def of(self, name: str) -> Bucket:
        bucket = self._by_name.pop(name, None) or Bucket(self.rate, self.most)
        self._by_name[name] = bucket  # the last used stands last
        if len(self._by_name) > self.MOST:
            del self._by_name[next(iter(self._by_name))]
        return bucket

    def take(self, name: str) -> bool:
        return self.of(name).take()
