"""Where a journal is: a directory of this machine, or a database that several machines reach."""

import re
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

_PASSWORD: Final = re.compile(r"(//[^/@:]*:).*(?=@)|([?&](?:ssl)?password=)[^&]*")
"""A user's, up to the last ``@``, since one with an ``@`` or ``&`` in it must not show either; or that of an option."""
SCHEMES: Final = ("postgresql://", "postgres://")
_FOREIGN: Final = re.compile(r"(?i)(?:[a-z][a-z0-9+.-]{0,30}:/|postgres(?:ql)?:).*", re.DOTALL)
"""What is meant as an address, and is none of :data:`SCHEMES`; a path joins its slashes, and would be a directory."""


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


def foreign_address(text: str) -> str:
    """Why a text names no place although it looks like an address; empty where it does not."""
    if is_url(text) or not _FOREIGN.fullmatch(text):
        return ""
    allowed = "postgresql://USER@HOST/DATABASE, or a directory (./NAME:/… where it is called so)"
    return f"{DatabaseUrl(text)}: is no address of a journal; allowed: {allowed}"
