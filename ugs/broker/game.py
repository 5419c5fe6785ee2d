"""The life of one game.

::

    BEGUN   the master has got beginGame and must answer
    TURN    a player must move
    ANSWER  the master must answer a move, or the leaving of the player whose turn it was
    ALONE   all but one player have left; the master must say who won
    AWAY    the master's connection is lost; another one may take the game over within the grace
    TAKING  another master has been asked to take it over and must answer
    CLOSING the result is known to the server and on its way to the disk; nobody else knows it yet
    OVER    everybody has been told the result; thank yous are awaited

One clock runs in every phase but CLOSING, for whoever must act. ``LIFE`` says for every phase what each happening
means there, by the name of a rule: a method of ``Games``, ``Turns`` or ``Takeover`` (``games.py``, ``turns.py``,
``takeover.py``). What cannot be read off the table: a player who has been asked may move in any phase until CLOSING,
and where the master cannot take the move at once (it owes an answer, or there is none) it is held back for it; a master
that cannot read ``playerLeftGame`` never sees ALONE, since the server ends such a game, and whoever leaves while a game
is closing changes nothing in its result.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from ugs.broker.desk import GameType
from ugs.broker.effects import RecordEntry
from ugs.broker.events import Timer
from ugs.broker.link import Link
from ugs.broker.verdict import Cause, GameResult
from ugs.championship.schedule import Fixture
from ugs.value import value
from ugs.wire.extensions import Label, SeatKind, Views
from ugs.wire.messages import GameState, Move

if TYPE_CHECKING:
    from ugs.broker.championship import Championship
    from ugs.broker.extensions.clocks import Times
    from ugs.broker.extensions.tables import GameTable

Shown: TypeAlias = GameState | Views
"""What a master tells: one state for all, or one for each."""


class Phase(StrEnum):
    """Where a game stands."""

    BEGUN = "begun"
    TURN = "turn"
    ANSWER = "answer"
    ALONE = "alone"
    AWAY = "away"
    TAKING = "taking"
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
        Happening.MOVE: "hold_move",
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
        Happening.MOVE: "hold_move",
        Happening.LEFT: "one_less",
        Happening.CLOCK: "master_lost",
    },
    Phase.TAKING: {
        Happening.STATE: "taken_over",
        Happening.GAME_OVER: "finish",
        Happening.MOVE: "hold_move",
        Happening.LEFT: "one_less",
        Happening.CLOCK: "not_taken_over",
        Happening.MASTER_GONE: "master_gone",
    },
    Phase.CLOSING: {
        Happening.KEPT: "announce",
    },
    Phase.OVER: {
        Happening.CLOCK: "no_thanks",
    },
}


@value
class Setting:
    """How a game is to be played, and where it comes from."""

    options: Mapping[str, str] = field(default_factory=dict)
    total: int = 0
    """How many seats there are, with those the master plays; 0 when there are none of those."""
    seed: str = ""
    """What all chance comes from; empty when its master could not be replaced."""
    table: "GameTable | None" = None
    """The table it is played at; None for a game of the pool."""

    @property
    def computers(self) -> bool:
        """Whether the master plays some seats."""
        return self.total > 0


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
    setting: Setting
    audience: tuple[int, ...] = ()
    """The connections of those who are still in the game and can be reached."""
    told: int = 0
    """The seats of those who are still in the game, as a number with one bit for each."""
    phase: Phase = Phase.BEGUN
    movers: tuple[Link, ...] = ()
    """Who has been asked to move and has not; empty when it is the master's turn."""
    owes: bool = True
    """Whether the master owes a state: for the begin, a move, or a player to move who left."""
    plain: bool = True
    """Whether it needs nothing of what v4 lacks so far: no budgets of time, views or several movers, nor any move held
    back. Then much need not be looked at."""
    held: dict[str, Move] = field(default_factory=dict)
    """Moves that came while the master could not take them, by nick, in order."""
    deadlines: dict[str, float] = field(default_factory=dict)
    """Until when each of several movers must have moved."""
    latest: GameState | None = None
    """The last state that everybody got who has none in ``views``."""
    views: dict[str, GameState] = field(default_factory=dict)
    """The last state that this player got, by nick."""
    private: bool = False
    """Whether some players have been shown what others may not see."""
    labels: tuple[Label, ...] = ()
    """What the master says of its seats, in their order."""
    history: list[tuple[float, RecordEntry]] = field(default_factory=list)
    """What everybody may know of it, in order, each with its moment; the number of an event is its place from 1."""
    history_bytes: int = 0
    """The bytes of the states in it."""
    forgotten: int = 0
    """So many entries at the beginning of it have lost their states, for want of room."""
    watched: bool = False
    """Whether somebody watches."""
    times: "Times | None" = None
    """The budgets of the players, where they have any."""
    departures: dict[str, Cause] = field(default_factory=dict)
    owing: dict[int, Link] = field(default_factory=dict)
    """Who has not said thank you yet, by conn."""
    moves: int = 0
    active_at: float = 0.0
    """When something last happened in it."""
    ending: tuple[GameResult, Shown | None] | None = None
    """While it is closing: what is to be announced, and with which message."""

    @property
    def ended(self) -> bool:
        """Whether it has its result, announced or not."""
        return self.phase in (Phase.CLOSING, Phase.OVER)

    @property
    def programs(self) -> frozenset[str]:
        """The names under which the master plays seats itself."""
        return frozenset(label.nick for label in self.labels if label.kind is SeatKind.PROGRAM)

    def audience_changed(self) -> None:
        """Somebody has left, or the line of a player is cut or there again."""
        self.audience = tuple([link.conn for link in self.present.values() if not link.away])
        self.told = sum([1 << self.seat_of[nick] for nick in self.present])

    def last_state(self, nick: str) -> GameState | None:
        """The last state that this player was told."""
        return self.views.get(nick, self.latest)
