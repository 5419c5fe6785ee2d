"""The state of spectators: channels, and who follows what."""

from dataclasses import field

from ugs.broker.events import Timer, TimerKind
from ugs.broker.state.connection import Spectator
from ugs.broker.state.extras import Key
from ugs.broker.state.model import Game
from ugs.value import state
from ugs.wire.extensions import Watch

PIECE_EVENTS = 200
PIECE_BYTES = 262_144
"""A piece of the past has at most this many events, and states of about this many bytes."""


@state(eq=False)
class Channel:
    """One game, seen with one delay."""

    name: str
    game: Game
    delay_s: float
    sent_number: int
    """The number of the last event that was old enough at the last check."""
    watchers: "dict[int, Following]" = field(default_factory=dict)
    """By conn."""
    late: set[int] = field(default_factory=set)
    """The watchers who are still catching up."""
    waiting: bool = False
    """Whether a timer runs for the next event."""
    recalling: bool = False
    """Whether the next events are being read again."""
    ended: bool = False
    """Whether the last event of the game has been published."""


@state(eq=False)
class Following:
    """What one spectator follows."""

    spectator: Spectator
    games: dict[str, Channel] = field(default_factory=dict)
    """By game id."""
    types: dict[str, float] = field(default_factory=dict)
    """The game types, each with its delay."""
    behind: dict[str, int] = field(default_factory=dict)
    """The games whose past it still gets, with the number of the last event that it got."""
    coming: dict[str, tuple[Watch, float]] = field(default_factory=dict)
    """The games that it will be shown, by id: its request, and the delay."""
    recalling: bool = False
    """Whether past events are being read for it; until then it gets nothing of the past."""

    @property
    def conn(self) -> int:
        """The number of the spectator's connection."""
        return self.spectator.conn

    @property
    def chosen(self) -> set[str]:
        """What it has asked for: game types, and ids of games of other types."""
        types = self.types
        return {*types, *(game_id for game_id, channel in self.games.items() if channel.game.type.name not in types)}

    @property
    def catching_up(self) -> Timer:
        """Fires when the next piece of the past may be sent."""
        return Timer(TimerKind.SPECTATORS, f"past {self.conn}")


@state(eq=True)
class Stand:
    """With the server: all spectators and channels."""

    following: dict[int, Following] = field(default_factory=dict)
    """By conn."""
    channels: dict[str, Channel] = field(default_factory=dict)
    """By name."""
    of_game: dict[str, dict[float, Channel]] = field(default_factory=dict)
    """The channels of each game, by delay."""
    of_type: dict[str, dict[int, Following]] = field(default_factory=dict)
    """Who follows a game type, by conn."""


STAND: Key[Stand] = Key("spectators", Stand)
