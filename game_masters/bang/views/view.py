"""What a reader is shown at one time."""

from dataclasses import dataclass

from game_masters.bang.messages.events import Entry
from game_masters.bang.messages.moves import Move
from game_masters.bang.views.known import Known


@dataclass(frozen=True, slots=True)
class View:
    """What a reader knew, what has happened since, what it knows now, and the moves that it may make.

    The snapshot makes each state complete: a reader that has just come, or has missed some, needs no other one.
    """

    snapshot: Known
    """What was known before the news."""
    news: tuple[Entry, ...]
    known: Known
    """What is known now: it follows from the two before."""
    legal: tuple[Move, ...] = ()
