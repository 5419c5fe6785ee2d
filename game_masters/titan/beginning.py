"""How a game begins where that is not left to chance."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from game_masters.titan import messages as msg
from game_masters.titan.creatures import Creature
from game_masters.titan.lands import Label
from game_masters.titan.messages import Message
from game_masters.titan.play import Dice
from game_masters.titan.position import markers_of
from game_masters.titan.requests import Request


@dataclass(frozen=True, slots=True)
class Placed:
    """A legion on the board."""

    seat: int
    marker: str
    hex: Label
    creatures: tuple[Creature, ...]


@dataclass(frozen=True, slots=True)
class Saved:
    """A game that was saved: its messages, and the dice that are still to be thrown."""

    messages: tuple[Message, ...]
    dice: Dice


@dataclass(frozen=True, slots=True)
class Beginning:
    """What is fixed. Empty or None: chance, or the usual beginning."""

    towers: tuple[Label, ...] = ()
    colors: tuple[str, ...] = ()
    legions: tuple[Placed, ...] = ()
    lost: tuple[tuple[Creature, int], ...] = ()
    """Creatures that are out of the game."""
    scores: tuple[int, ...] = ()
    turn: int | None = None
    active: int = 0
    """Whose turn it is, if :attr:`turn` is given."""
    dice: tuple[int, ...] = ()
    """What the first dice show."""
    requests: tuple[Request, ...] = ()
    """What is carried out before the players are asked, each by who is asked then."""
    saved: Saved | None = None

    def messages(self, names: Sequence[str]) -> Iterator[Message]:
        """Yield the messages that bring the beginning about, after the towers were dealt."""
        for one in self.legions:
            yield msg.Place(names[one.seat], one.marker, one.hex, one.creatures, len(one.creatures))
        for creature, number in self.lost:
            yield msg.Lost(creature, number)
        for name, color in zip(names, self.colors, strict=False):
            yield msg.Color(name, color, markers_of(color)[0])
        for name, score in zip(names, self.scores, strict=False):
            if score:
                # As half points: full points would let a legion acquire angels.
                yield msg.Points(name, score, "half")
        if self.turn is not None:
            yield msg.Turn(names[self.active], self.turn)


def renamed(message: Message, saved: Saved, names: Sequence[str]) -> Message:
    """Return a message of a save with the names of those who play now, seat by seat."""
    before = [one.name for one in saved.messages if isinstance(one, msg.Join)]
    now = dict(zip(before, names, strict=True))
    # The winner is a player in gameOver only; elsewhere the word names a legion.
    words = ("name", "player", "loser", "slayer", *(("winner",) if isinstance(message, msg.GameOver) else ()))
    changes = {word: now[name] for word in words if (name := getattr(message, word, None)) in now}
    return replace(message, **changes) if changes else message
