"""The owner of a token: a name reserved for it, and the hash of the token."""

from enum import StrEnum
from typing import Final

from ugs.value import value

MARK: Final = "#"
"""Separates a name and its secret in a login of v4. No name with a token contains it."""


class Role(StrEnum):
    """Whose names are meant. A player and a master may have the same one."""

    PLAYER = "player"
    MASTER = "master"


@value
class Identity:
    """One row of the list of tokens. A later row about the same name in the same role replaces an earlier one."""

    number: int
    """Its place in the list, from 1 on."""
    role: Role
    name: str
    digest: str = ""
    """The hash of its token, as text that holds how it was made; empty when the token is revoked."""
    game_type: str = ""
    """The only game type that it is valid for; empty for all."""
    key: str = ""
    """The public beginning of a token that the server has made; empty for a secret chosen by a person."""
    made_us: int = 0
    """When it was written down, in microseconds since 1970."""
    why: str = ""
    """Why it was revoked, or replaced by this one, for people; empty for a first one."""
