"""The family ``watch``: a spectator follows games."""

from enum import StrEnum
from typing import ClassVar, Final

from ugs.value import value
from ugs.wire.extensions.common_parts import (
    GAME_ID,
    GAME_OVER,
    ID,
    NEXT_PLAYERS,
    NICK,
    OPTIONS,
    REF,
    SEATS,
    SeatInfo,
)
from ugs.wire.extensions.family import Family
from ugs.wire.extensions.form import Form, form, request
from ugs.wire.messages import Choice, Extension, PlayerResult
from ugs.wire.parts import NUMBER, SECONDS, Attr, Bound, Inside, Many, Payload, word


class WatchFrom(StrEnum):
    """Where a spectator begins."""

    BEGIN = "begin"
    NOW = "now"


class EventKind(StrEnum):
    """What spectators get about a game. A move comes without its content: the next state shows what is public."""

    BEGIN = "begin"
    SKETCH = "sketch"
    """How the next state or result looks; for spectators who were also granted ``sketch``."""
    STATE = "state"
    MOVE = "move"
    REMARK = "remark"
    """What the player ``nick`` thinks of the position before its move; ``text`` is the remark as a JSON object. For
    spectators who were also granted ``remark`` and are none of the players."""
    FAULT = "fault"
    """The move of the player ``nick`` before was refused, and does not count."""
    LEFT = "left"
    REJOINED = "rejoined"
    OVER = "over"
    ENDED = "ended"
    """The last event: ``text`` is the verdict."""


@value
class Watch(Extension):
    """Spectator to server: show me this game, or all games of this type. ``nick`` is for the chat and may be empty."""

    TYPE: ClassVar[str] = "x-watch"
    game_id: str = ""
    game_type: str = ""
    begin: WatchFrom = WatchFrom.NOW
    delay_s: float = 0.0
    nick: str = ""
    ref: str = ""


@value
class Unwatch(Extension):
    """Spectator to server: stop showing me this game or this type; without either, all of them."""

    TYPE: ClassVar[str] = "x-unwatch"
    game_id: str = ""
    game_type: str = ""
    ref: str = ""


@value
class ListGames(Extension):
    """Spectator to server: which games are running? An empty ``game_type`` means all types."""

    TYPE: ClassVar[str] = "x-listGames"
    game_type: str = ""
    ref: str = ""


@value
class WatchableGame:
    """One game that can be watched."""

    game_id: str
    game_type: str
    players: str
    """The nicks by seat, separated by ``, ``; for people."""
    moves: int
    spectators: int
    node: str = ""
    """The server of several that leads it; empty where there is only one."""


@value
class RunningGames(Extension):
    """The answer to x-listGames, ordered by when the games began."""

    TYPE: ClassVar[str] = "x-games"
    games: tuple[WatchableGame, ...]
    ref: str = ""


@value
class Watching(Extension):
    """The answer to x-watch: the game as it was at event ``number`` (0: before the first). The events after it follow,
    each with the next number. Spectators of a type also get this for each game that begins later."""

    TYPE: ClassVar[str] = "x-watching"
    game_id: str
    game_type: str
    number: int
    seats: tuple[SeatInfo, ...]
    options: tuple[Choice, ...] = ()
    next_players: tuple[str, ...] = ()
    state: bytes = b""
    """The public state, ``<gameState>…``; empty while there is none."""
    ref: str = ""
    sketch: bytes = b""
    """How that looks; for spectators who were also granted ``sketch``."""


@value
class GameEvent(Extension):
    """Server to spectators: event ``number`` (the first is 1) of a game, ``after_s`` seconds after it began."""

    TYPE: ClassVar[str] = "x-event"
    game_id: str
    number: int
    after_s: float
    what: EventKind
    nick: str = ""
    """The player who moved or left."""
    text: str = ""
    """For people: why a player left, or the verdict."""
    next_players: tuple[str, ...] = ()
    game_over: tuple[PlayerResult, ...] = ()
    state: bytes = b""
    sketch: bytes = b""


_RUNNING: Final = Bound(
    WatchableGame,
    "game",
    (
        Attr("game_id", "gameId"),
        Attr("game_type", "gameType"),
        Attr("players", "players"),
        Attr("moves", "moves", NUMBER),
        Attr("spectators", "spectators", NUMBER),
        Attr("node", "node", default=""),
    ),
)
_ANY_GAME: Final = Attr("game_id", "gameId", ID, default="")
_ANY_TYPE: Final = Attr("game_type", "gameType", NICK, default="")
_STATE: Final = Payload("state", "gameState", optional=True)
_SKETCH: Final = Payload("sketch", "sketch", optional=True)
_SENT: Final = (Family.WATCH,)

FORMS: Final[tuple[Form, ...]] = (
    request(
        Watch,
        REF,
        Inside(
            "watch",
            (
                _ANY_GAME,
                _ANY_TYPE,
                Attr("begin", "from", word(WatchFrom), default=WatchFrom.NOW),
                Attr("delay_s", "delaySec", SECONDS, default=0.0),
                Attr("nick", "nick", NICK, default=""),
            ),
        ),
    ),
    request(Unwatch, REF, Inside("watch", (_ANY_GAME, _ANY_TYPE), optional=True)),
    request(ListGames, REF, Inside("game", (_ANY_TYPE,), optional=True)),
    form(RunningGames, REF, Many("games", (_RUNNING,)), sent_to=_SENT),
    form(
        Watching,
        REF,
        GAME_ID,
        Inside("game", (Attr("game_type", "gameType"), Attr("number", "number", NUMBER))),
        SEATS,
        OPTIONS,
        NEXT_PLAYERS,
        _STATE,
        _SKETCH,
        sent_to=_SENT,
    ),
    form(
        GameEvent,
        GAME_ID,
        Inside(
            "event",
            (
                Attr("number", "number", NUMBER),
                Attr("after_s", "afterSec", SECONDS),
                Attr("what", "what", word(EventKind)),
                Attr("nick", "nick", default=""),
                Attr("text", "text", default=""),
            ),
        ),
        NEXT_PLAYERS,
        GAME_OVER,
        _STATE,
        _SKETCH,
        sent_to=_SENT,
    ),
)
