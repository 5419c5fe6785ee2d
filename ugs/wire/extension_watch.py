"""What is to be seen of a game beside its states: the families ``clock`` and ``watch``."""

from dataclasses import dataclass
from typing import ClassVar

from ugs.wire.extension_lobby import SeatInfo
from ugs.wire.extension_words import EventKind, WatchFrom
from ugs.wire.messages import Choice, Extension, PlayerResult


@dataclass(frozen=True, slots=True)
class ShowClock(Extension):
    """Player to server: how much time is left?"""

    TYPE: ClassVar[str] = "x-showClock"
    ref: str = ""


@dataclass(frozen=True, slots=True)
class ClockInfo:
    """One player's clock: the budget that is left (None without one), and for a player to move, how much is left of
    this move in all. ``round_trip_ms`` is None while it has not been measured."""

    nick: str
    left_s: float | None = None
    move_left_s: float | None = None
    round_trip_ms: float | None = None


@dataclass(frozen=True, slots=True)
class Clock(Extension):
    """The answer; and, where players have budgets, told before every state."""

    TYPE: ClassVar[str] = "x-clock"
    game_id: str
    clocks: tuple[ClockInfo, ...]
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Watch(Extension):
    """Spectator to server: show me this game, or all games of this type. ``nick`` is for the chat, may be empty."""

    TYPE: ClassVar[str] = "x-watch"
    game_id: str = ""
    game_type: str = ""
    begin: WatchFrom = WatchFrom.NOW
    delay_s: float = 0.0
    nick: str = ""
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Unwatch(Extension):
    """Spectator to server: no more of this game or this type; without either, of none."""

    TYPE: ClassVar[str] = "x-unwatch"
    game_id: str = ""
    game_type: str = ""
    ref: str = ""


@dataclass(frozen=True, slots=True)
class ListGames(Extension):
    """Spectator to server: which games are running? ``game_type`` empty: of all types."""

    TYPE: ClassVar[str] = "x-listGames"
    game_type: str = ""
    ref: str = ""


@dataclass(frozen=True, slots=True)
class RunningGame:
    """One game that can be watched."""

    game_id: str
    game_type: str
    players: str
    """The nicks of the seats, with ``, `` between; for people."""
    moves: int
    spectators: int


@dataclass(frozen=True, slots=True)
class RunningGames(Extension):
    """The answer, in the order in which they began."""

    TYPE: ClassVar[str] = "x-games"
    games: tuple[RunningGame, ...]
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Watching(Extension):
    """The answer to x-watch, and told of each game that begins later for who watches a type: the game as it was at
    event ``number`` (0: before the first). The events after that follow, each with the next number."""

    TYPE: ClassVar[str] = "x-watching"
    game_id: str
    game_type: str
    number: int
    seats: tuple[SeatInfo, ...]
    options: tuple[Choice, ...] = ()
    next_players: tuple[str, ...] = ()
    state: bytes = b""
    """The public state, ``<gameState>…``; empty when there was none yet."""
    ref: str = ""


@dataclass(frozen=True, slots=True)
class GameEvent(Extension):
    """Server to spectators: event ``number`` (the first has 1) of a game, ``after_s`` seconds after its begin."""

    TYPE: ClassVar[str] = "x-event"
    game_id: str
    number: int
    after_s: float
    what: EventKind
    nick: str = ""
    """Who moved or left."""
    text: str = ""
    """For people: why somebody left, the verdict."""
    next_players: tuple[str, ...] = ()
    game_over: tuple[PlayerResult, ...] = ()
    state: bytes = b""
