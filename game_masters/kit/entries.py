"""The entries of a fixture: what a game reads, key by key, of a file that fixes how it begins.

Every failure is a :class:`BadFixture` that names the key and the value. No I/O, no wire.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NoReturn

MAX_SHOWN = 60
"""Characters of a value that an error shows."""


class BadFixture(Exception):
    """A fixture that cannot be read or does not fit the game. The text names key and value."""


class Entries:
    """One table of a fixture. Each method reads the value of a key; :meth:`nothing_else` refuses keys that were not
    read. ``path`` is what stands before a key in errors."""

    def __init__(self, values: Mapping[str, object], path: str = "") -> None:
        self._values = values
        self._path = path
        self._read: list[str] = []

    def __contains__(self, key: str) -> bool:
        return key in self._values

    @property
    def keys(self) -> Sequence[str]:
        """All keys, in the order of the file."""
        return tuple(self._values)

    def refuse(self, key: str, why: str) -> NoReturn:
        """Raise :class:`BadFixture` for the value of ``key``."""
        raise BadFixture(f"{self._path}{key}: {_shown(self._values[key])} {why}")

    def integer(self, key: str, allowed: range) -> int:
        """Return the whole number at ``key``, one of ``allowed``."""
        value = self._value(key)
        if isinstance(value, bool) or not isinstance(value, int) or value not in allowed:
            self.refuse(key, f"is not a whole number from {allowed[0]} to {allowed[-1]}")
        return value

    def flag(self, key: str) -> bool:
        """Return the ``true`` or ``false`` at ``key``."""
        value = self._value(key)
        if not isinstance(value, bool):
            self.refuse(key, "is neither true nor false")
        return value

    def text(self, key: str) -> str:
        """Return the text at ``key``."""
        value = self._value(key)
        if not isinstance(value, str):
            self.refuse(key, "is not a text")
        return value

    def word(self, key: str, allowed: Collection[str]) -> str:
        """Return the text at ``key``, one of ``allowed``."""
        value = self._value(key)
        if value not in allowed:
            self.refuse(key, f"is not allowed; allowed: {', '.join(allowed)}")
        return str(value)

    def words(self, key: str, allowed: Collection[str] | None = None) -> tuple[str, ...]:
        """Return the list of texts at ``key``, each one of ``allowed`` (None: any)."""
        found: list[str] = []
        for place, value in self._items(key):
            if not isinstance(value, str):
                raise BadFixture(f"{place}: {_shown(value)} is not a text")
            if allowed is not None and value not in allowed:
                raise BadFixture(f"{place}: {_shown(value)} is not allowed; allowed: {', '.join(allowed)}")
            found.append(value)
        return tuple(found)

    def integers(self, key: str, allowed: range) -> tuple[int, ...]:
        """Return the list of whole numbers at ``key``, each one of ``allowed``."""
        found: list[int] = []
        for place, value in self._items(key):
            if isinstance(value, bool) or not isinstance(value, int) or value not in allowed:
                raise BadFixture(f"{place}: {_shown(value)} is not a whole number from {allowed[0]} to {allowed[-1]}")
            found.append(value)
        return tuple(found)

    def table(self, key: str) -> "Entries":
        """Return the table at ``key``."""
        value = self._value(key)
        if not isinstance(value, dict):
            self.refuse(key, "is not a table")
        return Entries(value, f"{self._path}{key}.")

    def tables(self, key: str) -> tuple["Entries", ...]:
        """Return the list of tables at ``key``."""
        found: list[Entries] = []
        for place, value in self._items(key):
            if not isinstance(value, dict):
                raise BadFixture(f"{place}: {_shown(value)} is not a table")
            found.append(Entries(value, f"{place}."))
        return tuple(found)

    def nothing_else(self) -> None:
        """Raise :class:`BadFixture` if there are keys that were not read."""
        for key in self._values:
            if key not in self._read:
                known = ", ".join(sorted(set(self._read))) or "none"
                self.refuse(key, f"stands under a key that does not exist; read were: {known}")

    def asks(self, key: str) -> bool:
        """Return whether ``key`` is there, and count it among the keys that exist."""
        self._read.append(key)
        return key in self._values

    def _value(self, key: str) -> object:
        self._read.append(key)
        if key not in self._values:
            raise BadFixture(f"{self._path}{key}: is missing")
        return self._values[key]

    def _items(self, key: str) -> Iterator[tuple[str, object]]:
        values = self._value(key)
        if not isinstance(values, list):
            self.refuse(key, "is not a list")
        return ((f"{self._path}{key}[{number}]", value) for number, value in enumerate(values))


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"
