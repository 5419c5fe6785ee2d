"""Where a journal is: a directory of this machine, or a database that several machines reach."""

import re
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

_PASSWORD: Final = re.compile(r"(//[^/@:]*:).*(?=@)|([?&](?:ssl)?password=)[^&]*")
"""A user's, up to the last ``@``, since one with an ``@`` or ``&`` in it must not show either; or that of an option."""
SCHEMES: Final = ("postgresql://", "postgres://")


class DatabaseUrl(NamedTuple):
    """The address of a journal in PostgreSQL, as libpq reads it; shown without its password."""

    text: str

    def __str__(self) -> str:
        return _PASSWORD.sub(r"\1\2***", self.text)

    def __repr__(self) -> str:
        return f"DatabaseUrl({str(self)!r})"


Place: TypeAlias = Path | DatabaseUrl
"""The data directory of an embedded journal, or the address of another one."""


def is_url(text: str) -> bool:
    """Return whether a text is the address of a database."""
    return text.startswith(SCHEMES)


def place_of(text: str | Path) -> Place:
    """Return the place that a setting or an option names."""
    name = str(text)
    return DatabaseUrl(name) if is_url(name) else Path(text)
