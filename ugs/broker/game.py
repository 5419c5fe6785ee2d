"""The life of one game.

::

    BEGUN   the master has got beginGame and must answer
    TURN    a player must move
    ANSWER  the master must answer a move, or the leaving of the player whose turn it was
    ALONE   all but one player have left; the master must say who won
    AWAY    the master's connection is lost; it may come back within its grace
    CLOSING the result is known to the server and on its way to the disk; nobody else knows it yet
    OVER    everybody has been told the result; thank yous are awaited

One clock runs in every phase but CLOSING, for whoever must act. ``LIFE`` says for every phase what each happening
means there, by the name of a rule: a method of :class:`ugs.broker.games.Games`. What cannot be read off the table: in
ALONE and AWAY a player whose turn it was may still move, a master that cannot read ``playerLeftGame`` never sees ALONE,
since the server ends such a game, and whoever leaves while a game is closing changes nothing in its result.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from ugs.broker.desk import GameType
from ugs.broker.events import Timer
from ugs.broker.link import Link
from ugs.broker.verdict import Cause, GameResult
from ugs.championship.schedule import Fixture
from ugs.wire.messages import GameState

if TYPE_CHECKING:
    from ugs.broker.championship import Championship


class Phase(StrEnum):
    """Where a game stands."""

    BEGUN = "begun"
    TURN = "turn"
    ANSWER = "answer"
    ALONE = "alone"
    AWAY = "away"
    CLOSING = "closing"
    OVER = "over"


class Happening(StrEnum):
    """What can happen to a game, after the message or event itself was found to be in order."""

    STATE = "state"
    """The master named the next player."""
    GAME_OVER = "game over"
    """The master gave everybody's result."""
    MOVE = "move"
    """The player whose turn it is moved."""
    LEFT = "left"
    """A player is no longer in the game (and the master knows, if it can)."""
    CLOCK = "clock"
    """Whoever must act did not in time."""
    MASTER_GONE = "master gone"
    """The master's connection is lost."""
    KEPT = "kept"
    """The result is on file for good."""


LIFE: dict[Phase, dict[Happening, str]] = {
    Phase.BEGUN: {
        Happening.STATE: "next_turn",
        Happening.GAME_OVER: "finish",
        Happening.LEFT: "one_less",
        Happening.CLOCK: "no_beginning",
        Happening.MASTER_GONE: "master_gone",
    },
    Phase.TURN: {
        Happening.STATE: "next_turn",
        Happening.GAME_OVER: "finish",
        Happening.MOVE: "relay_move",
        Happening.LEFT: "one_less",
        Happening.CLOCK: "player_too_slow",
        Happening.MASTER_GONE: "master_gone",
    },
    Phase.ANSWER: {
        Happening.STATE: "next_turn",
        Happening.GAME_OVER: "finish",
        Happening.LEFT: "one_less",
        Happening.CLOCK: "master_silent",
        Happening.MASTER_GONE: "master_gone",
    },
    Phase.ALONE: {
        Happening.STATE: "next_turn",
        Happening.GAME_OVER: "finish",
        Happening.MOVE: "pass_move_on",
        Happening.LEFT: "one_less",
        Happening.CLOCK: "last_one_wins",
        Happening.MASTER_GONE: "master_gone",
    },
    Phase.AWAY: {
        Happening.MOVE: "keep_move",
        Happening.LEFT: "one_less",
        Happening.CLOCK: "master_lost",
    },
    Phase.CLOSING: {
        Happening.KEPT: "announce",
    },
    Phase.OVER: {
        Happening.CLOCK: "no_thanks",
    },
}


@dataclass(slots=True, eq=False)
class Game:
    """One game, from ``beginGame`` to the last thank you."""

    id: str
    type: GameType
    master: Link
    seats: tuple[str, ...]
    present: dict[str, Link]
    """Who is still in the game, by nick."""
    seat_of: dict[str, int]
    """The number of everybody's seat, from 0."""
    began_at: float
    championship: "Championship | None"
    fixture: Fixture | None
    """What it is in the schedule of that championship."""
    clock: Timer
    audience: tuple[int, ...]
    """The connections of those who are still in the game."""
    told: int
    """Their seats, as a number with one bit for each."""
    phase: Phase = Phase.BEGUN
    mover: Link | None = None
    """Whose turn it is; None when it is the master's."""
    departures: dict[str, Cause] = field(default_factory=dict)
    owing: dict[int, Link] = field(default_factory=dict)
    """Who has not said thank you yet, by conn."""
    moves: int = 0
    ending: tuple[GameResult, GameState | None] | None = None
    """While it is closing: what is to be announced, and with which message."""


def audience_of(present: Mapping[str, Link]) -> tuple[int, ...]:
    """The connections of these players."""
    return tuple([link.conn for link in present.values()])


def seats_told(game_seats: Mapping[str, int], present: Mapping[str, Link]) -> int:
    """The seats of these players, as a number with one bit for each."""
    return sum(1 << game_seats[nick] for nick in present)
