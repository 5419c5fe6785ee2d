"""Where a journal is: a directory of this machine, or a database that several machines reach."""

from pathlib import Path
from typing import Final, NamedTuple, TypeAlias
from urllib.parse import urlsplit, urlunsplit

from ugs.value import value

SCHEMES: Final = ("postgresql://", "postgres://")


@value
class DatabaseUrl:
    """The address of a journal in PostgreSQL, as libpq reads it; shown without its password."""

    text: str

    def __str__(self) -> str:
        parts = urlsplit(self.text)
        account, at, host = parts.netloc.rpartition("@")
        user, colon, _ = account.partition(":")
        return urlunsplit(parts._replace(netloc=f"{user}{':***' if colon else ''}{at}{host}"))


Place: TypeAlias = Path | DatabaseUrl
"""The data directory of an embedded journal, or the address of another one."""


class Exposed(NamedTuple):
    """A directory or file that others than its owner could use."""

    path: Path
    mode: int
    """Its permissions: what others could do."""
    mended: bool
    """Whether the permissions are fixed. False when the directory or file belongs to another user."""


def place_of(text: str) -> Place:
    """Return the place that a setting or an option names."""
    return DatabaseUrl(text) if text.startswith(SCHEMES) else Path(text)
