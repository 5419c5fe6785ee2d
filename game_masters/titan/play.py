"""One request being carried out: the position as it changes, and the messages about it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import shake_256
from typing import NoReturn

from game_masters.kit.rules import RuleBroken
from game_masters.titan.history import after, closed
from game_masters.titan.messages import Message, seen_by
from game_masters.titan.position import Battle, Engagement, Legion, Position
from game_masters.titan.requests import Request

LOADED = (4, 3, 1, 6, 5, 2)
"""What battle dice show, over and over, with the option ``nonRandomBattleDice``."""
_BYTES = 8


class Refused(RuleBroken):
    """A request that is not allowed here. ``request`` is its name."""

    def __init__(self, request: Request, reason: str) -> None:
        super().__init__(f"{request.TAG}: {reason}")
        self.request = request.TAG


@dataclass(frozen=True, slots=True)
class Dice:
    """A row of dice that cannot be foreseen without the secret: the first ones may be fixed."""

    secret: bytes
    thrown: int = 0
    fixed: tuple[int, ...] = ()

    def throw(self) -> tuple[int, "Dice"]:
        """Return what the next die shows, and the dice after it."""
        # Counted also where dice are fixed: a save says how many have been thrown.
        nexts = Dice(self.secret, self.thrown + 1, self.fixed)
        if self.thrown < len(self.fixed):
            return self.fixed[self.thrown], nexts
        digest = shake_256(self.secret + self.thrown.to_bytes(_BYTES)).digest(_BYTES)
        return 1 + int.from_bytes(digest) % 6, nexts


class Play:
    """The position, what all know of it, and the messages while it changes."""

    def __init__(self, position: Position, public: Position, dice: Dice) -> None:
        self.position = position
        self.public = public
        """What spectators know; it decides who is asked what."""
        self.dice = dice
        self.msg: list[Message] = []

    def add(self, message: Message) -> None:
        """Add a message, and let it happen."""
        self.position = after(self.position, message)
        # Two positions from the same messages: all, and what spectators see of them.
        self._goes_public(after(self.public, shown_to_all(self.position, message)))
        self.msg.append(message)

    def close(self) -> None:
        """Close the engagement, where nothing is left to decide."""
        self.position = closed(self.position)
        self._goes_public(closed(self.public))

    def _goes_public(self, public: Position) -> None:
        """Make known to all how many creatures of a kind are left, also of those that no player has seen."""
        self.public = replace(public, stock=self.position.stock, dead=self.position.dead)

    def throw(self) -> int:
        """Return what a die shows."""
        shown, self.dice = self.dice.throw()
        return shown

    def throw_for_battle(self, number: int) -> tuple[int, ...]:
        """Return what dice show in a battle."""
        # One row for the whole game: it goes on where the last strike stopped.
        if self.position.settings.non_random_battle_dice:
            first = self.position.dice
            return tuple(LOADED[(first + place) % len(LOADED)] for place in range(number))
        return tuple(self.throw() for _ in range(number))

    def name(self, seat: int) -> str:
        """Return a player's name."""
        return self.position.players[seat].name


def shown_to_all(position: Position, message: Message) -> Message:
    """Return what all see of a message in this game."""
    return message if position.settings.all_stacks_visible else seen_by(message, None, None, None)


def refuse(request: Request, reason: str) -> NoReturn:
    """Raise :class:`Refused`."""
    raise Refused(request, reason)


def legion_of(play: Play, seat: int, request: Request, marker: str) -> Legion:
    """Return a legion of the player who asks. Raises :class:`Refused`."""
    legion = play.position.legions.get(marker)
    if legion is None:
        refuse(request, f"there is no legion {marker!r}")
    if legion.seat != seat:
        refuse(request, f"legion {marker} belongs to {play.name(legion.seat)}")
    return legion


def engagement_of(play: Play) -> Engagement:
    """Return the engagement. Raises ValueError if there is none, which the table of requests rules out."""
    if play.position.engagement is None:
        raise ValueError("no engagement")
    return play.position.engagement


def battle_in(play: Play) -> Battle:
    """Return the battle. Raises ValueError if there is none, which the table of requests rules out."""
    if play.position.battle is None:
        raise ValueError("no battle")
    return play.position.battle


def listed(words: Sequence[object]) -> str:
    """Return words as a list for people."""
    return ", ".join(map(str, words)) or "none"
