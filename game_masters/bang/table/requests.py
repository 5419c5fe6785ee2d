"""Requests: what players are asked for out of turn, one upon another.

The last one of the stack is asked now. A last save or a choice of Lucky Duke's lies on what it interrupts.
"""

from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from game_masters.bang.cards.playing_cards import Card
from game_masters.bang.messages.words import Reaction

BARREL: Final = "barrel"
ABILITY: Final = "ability"
"""What may be tried once against a shot."""


@dataclass(frozen=True, slots=True)
class Check:
    """A card is turned for something: a Dynamite, a Jail, a Barrel, or the ability of Jourdonnais."""

    player: int
    cause: Card
    ability: bool = False


@dataclass(slots=True)
class Shot:
    """A BANG!: ``requested`` answers, or loses a life point."""

    requested: int
    cause: int
    needed: int = 1
    """Successes that are still needed."""
    tried: frozenset[str] = frozenset()
    reaction: Reaction = Reaction.BANG


@dataclass(slots=True)
class Series:
    """A Gatling or Indians: all others are asked, one after another."""

    reaction: Reaction
    cause: int
    requested: int
    needed: int = 1
    tried: frozenset[str] = frozenset()
    answered: bool = False
    """Whether it is the turn of the next one."""


@dataclass(slots=True)
class Duel:
    """Two play BANG! in turn."""

    challenger: int
    opponent: int
    requested: int
    reaction: Reaction = Reaction.DUEL

    @property
    def cause(self) -> int:
        """The other one."""
        return self.opponent if self.requested == self.challenger else self.challenger


@dataclass(slots=True)
class DuelOver:
    """A duel is decided, and what follows from it is under way. No player is asked."""

    players: frozenset[int]


@dataclass(slots=True)
class Store:
    """A General Store: each takes a card."""

    cause: int
    requested: int
    reaction: Reaction = Reaction.GENERAL_STORE


@dataclass(slots=True)
class LastSave:
    """A player has no life point left."""

    requested: int
    culprit: int
    """Who caused it; 0: no player."""
    lost: int
    """Life points lost at once."""
    reaction: Reaction = Reaction.LAST_SAVE
    cause: int = 0


@dataclass(slots=True)
class Choice:
    """Lucky Duke chooses which of two cards counts."""

    requested: int
    check: Check
    reaction: Reaction = Reaction.LUCKY_DUKE
    cause: int = 0


@dataclass(slots=True)
class Look:
    """Kit Carlson looks at cards and keeps two."""

    requested: int
    kept: int = 0
    reaction: Reaction = Reaction.KIT_CARLSON
    cause: int = 0


Request: TypeAlias = Shot | Series | Duel | Store | LastSave | Choice | Look


@dataclass(slots=True)
class Stack:
    """All requests."""

    items: list[Request | DuelOver] = field(default_factory=list)

    @property
    def top(self) -> Request | None:
        """What is asked now."""
        return next((item for item in reversed(self.items) if not isinstance(item, DuelOver)), None)

    @property
    def shot(self) -> Shot | Series | None:
        """The shot that is on top."""
        top = self.top
        return top if isinstance(top, Shot | Series) else None

    def duels_of(self, player: int) -> bool:
        """Return whether a duel of this player is not over with all that follows."""
        for item in self.items:
            if isinstance(item, DuelOver) and player in item.players:
                return True
            if isinstance(item, Duel) and player in (item.challenger, item.opponent):
                return True
        return False

    @property
    def store(self) -> bool:
        """Whether a General Store is open."""
        return any(isinstance(item, Store) for item in self.items)

    def copy(self) -> "Stack":
        """Return a copy that shares nothing that can change."""
        return Stack([replace(item) for item in self.items])
