"""What the server remembers of browsers: each has a cookie, an id that cannot be guessed and carries no information.

Of cookies only hashes are kept, in memory: a restart of the server forgets all. They are looked up, so a wrong one
costs next to nothing, however many are tried.
"""

import hashlib
import secrets
from typing import Generic, NamedTuple, TypeVar

import trio

V = TypeVar("V")


class _Kept(NamedTuple, Generic[V]):
    value: V
    until: float
    whose: str


class Cookies(Generic[V]):
    """Values by cookie: for ``longest_s`` seconds, at most ``most`` of them."""

    def __init__(self, longest_s: float, most: int) -> None:
        self._longest_s = longest_s
        self._most = most
        self._kept: dict[bytes, _Kept[V]] = {}
        """By the hash of their cookies, the oldest first."""
        self._of: dict[str, dict[bytes, None]] = {}
        """By owner, the oldest first."""

    def __len__(self) -> int:
        """How many there are."""
        return len(self._kept)

    def make(self, value: V, whose: str = "") -> str:
        """Remember a value; its cookie. When there is no room, the oldest one gives way of ``whose`` there are most."""
        cookie = secrets.token_urlsafe(32)
        now = trio.current_time()
        while self._kept and next(iter(self._kept.values())).until <= now:
            self._forget(next(iter(self._kept)))
        while len(self._kept) >= self._most:
            crowd = max(self._of, key=lambda one: len(self._of[one]))
            self._forget(next(iter(self._of[crowd])))
        digest = _digest(cookie)
        self._kept[digest] = _Kept(value, now + self._longest_s, whose)
        self._of.setdefault(whose, {})[digest] = None
        return cookie

    def find(self, cookie: str) -> V | None:
        """The value with this cookie, if its time is not over."""
        digest = _digest(cookie)
        kept = self._kept.get(digest)
        if kept is None:
            return None
        if kept.until <= trio.current_time():
            self._forget(digest)
            return None
        return kept.value

    def forget(self, cookie: str) -> None:
        """Forget the value with this cookie, if there is one."""
        self._forget(_digest(cookie))

    def _forget(self, digest: bytes) -> None:
        kept = self._kept.pop(digest, None)
        if kept is not None:
            own = self._of[kept.whose]
            del own[digest]
            if not own:
                del self._of[kept.whose]


def _digest(cookie: str) -> bytes:
    """Its hash. A cookie is random and long, so a fast one will do."""
    return hashlib.sha256(cookie.encode("utf-8", "surrogatepass")).digest()
