"""What a player wants from now on, sent together with a move: which questions are answered with no until it changes
that, and whether its states hold only what has changed.

    <move no="offers special" states="changes"><SOCEndTurn/></move>
"""

from dataclasses import dataclass
from enum import StrEnum

from game_masters.catan.message.message import Message


class Subject(StrEnum):
    """What a standing no is about."""

    OFFERS = "offers"
    """Each offer of the current player is rejected at once."""
    SPECIAL = "special"
    """No special building is asked for as others end their turns."""


@dataclass(frozen=True, slots=True)
class Standing(Message):
    """A request with what its sender wants from now on; None changes nothing. Without a request it asks for a whole
    state: a player that has lost track may send this when it has to move, and is asked again."""

    request: Message | None
    no: frozenset[Subject] | None = None
    """All that is answered with no; empty: nothing any more."""
    brief: bool | None = None
    """Whether states hold only what has changed since the one before; the first after this is whole."""
