"""Who agrees to go on with the game another time, and that all do."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

from game_masters.titan.position import Position
from game_masters.titan.views import Status

CODE_LENGTH: Final = 24
"""Characters of the code that a game is found again by."""
MAX_TIMES: Final = 3
"""How often a game is kept: each time takes room for good, and players could agree over and over."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """An entry of the record: a player agrees to go on another time, or does not any more."""

    seat: int
    agrees: bool

    def __str__(self) -> str:
        return f"seat {self.seat} {'agrees' if self.agrees else 'does not agree'} to go on another time"


@dataclass(frozen=True, slots=True)
class Agreement:
    """All who have to have agreed to go on another time."""

    code: str
    """The code that the game is found again by."""
    seats: tuple[int, ...]
    """Those who have agreed, and have to be there."""


@dataclass(frozen=True, slots=True)
class Suspension:
    """Who agrees at present."""

    programs: frozenset[int]
    """Seats that are not asked, since the program plays them."""
    willing: frozenset[int] = frozenset()
    agreed: Agreement | None = None
    """If all have just agreed."""
    times: int = 0
    """How often they have."""

    def msg(self, seat: int, agrees: bool, living: Sequence[int], secret: bytes, when: tuple[int, int]) -> "Suspension":
        """Return who agrees after ``seat`` has agreed or disagreed. When all in the game except programs agree,
        there is an agreement; its code follows from the secret and from when that was."""
        willing = self.willing | {seat} if agrees else self.willing - {seat}
        players = tuple(one for one in living if one not in self.programs)
        # A program agrees to anything, so only players are waited for.
        if not willing >= set(players):
            return replace(self, willing=willing, agreed=None)
        # The secret makes the code one that cannot be guessed; the moment makes a second code of the same game another
        # one.
        code = sha256(secret + "kept after {} and {}".format(*when).encode()).hexdigest()[:CODE_LENGTH]
        return replace(self, willing=frozenset(), agreed=Agreement(code, players), times=self.times + 1)

    def passed(self) -> "Suspension":
        """Return who agrees when the game has gone on: what all have agreed on is over."""
        return replace(self, agreed=None)

    def shown_in(self, status: Status, position: Position) -> Status:
        """Return the status with who agrees, and the code if all have."""
        if not self.willing and self.agreed is None:
            return status
        names = tuple(position.players[seat].name for seat in sorted(self.willing))
        return replace(status, willing=names, kept=self.agreed.code if self.agreed is not None else None)
