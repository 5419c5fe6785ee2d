"""How the messages of :mod:`ugs.wire.extensions` are written: one table, in the order of that module."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from ugs.wire import extensions as x
from ugs.wire.element import Element
from ugs.wire.errors import WrongMessage
from ugs.wire.messages import Choice, Extension, PlayerResult, Result
from ugs.wire.parts import (
    BALANCE,
    FLAG,
    INTEGER,
    NUMBER,
    SECONDS,
    Attr,
    Bound,
    Content,
    Inside,
    Many,
    One,
    Part,
    Payload,
    Text,
    Value,
    Values,
    read,
    shape_of,
    word,
    write,
)
from ugs.wire.shapes import Attribute, Shape

__all__ = ["EXTENSIONS", "SHAPES_OF_EXTENSIONS", "read_extension", "write_extension"]

_REF: Final = Attr("ref", "ref", default="")
_GAME_ID: Final = Value("game_id", "gameId", "id")
_ANY_GAME_ID: Final = Value("game_id", "gameId", "id", default="")
_OPTION: Final = Bound(Choice, "option", (Attr("name", "name"), Attr("value", "value")))
_OPTIONS: Final = Many("options", (_OPTION,))
_NEXT_PLAYERS: Final = Values("next_players", "nextPlayer", "nick")
_RESULT: Final = Bound(PlayerResult, "player", (Attr("nick", "nick"), Attr("result", "result", word(Result))))
_GAME_OVER: Final = Many("game_over", (_RESULT,), within="gameOver")
_SEAT: Final = Bound(
    x.SeatInfo,
    "seat",
    (
        Attr("nick", "nick"),
        Attr("kind", "kind", word(x.SeatKind)),
        Attr("state", "state", word(x.SeatState)),
        Attr("label", "label", default=""),
    ),
)
_SEATS: Final = Many("seats", (_SEAT,))
_OFFERED: Final = Bound(
    x.OfferedOption,
    "option",
    (
        Attr("name", "name"),
        Attr("value", "value"),
        Attr("values", "values", default=""),
        Attr("least", "least", INTEGER, default=None),
        Attr("most", "most", INTEGER, default=None),
    ),
)
_TABLE: Final = Bound(
    x.TableInfo,
    "table",
    (
        Attr("id", "id"),
        Attr("name", "name"),
        Attr("game_type", "gameType"),
        Attr("owner", "owner"),
        Attr("seats", "seats", NUMBER),
        Attr("free", "free", NUMBER),
        Attr("computers", "computers", NUMBER, default=0),
        Attr("visibility", "visibility", word(x.Visibility)),
        _OPTIONS,
        Values("invited", "invite", "nick"),
    ),
)
_NEW_TABLE: Final = Bound(
    x.NewTable,
    "table",
    (
        Attr("name", "name"),
        Attr("seats", "seats", NUMBER),
        Attr("visibility", "visibility", word(x.Visibility), default=x.Visibility.PUBLIC),
        Attr("computers", "computers", NUMBER, default=0),
        _OPTIONS,
        Values("invited", "invite", "nick"),
    ),
)
_PLAYER: Final = Bound(
    x.PlayerInfo,
    "player",
    (
        Attr("nick", "nick"),
        Attr("game_type", "gameType"),
        Attr("since_s", "sinceSec", SECONDS),
        Attr("active_s", "activeSec", SECONDS),
        Attr("connection", "connection"),
        Attr("activity", "activity"),
        Attr("play", "play"),
        Attr("game_id", "gameId", default=""),
    ),
)
_GAME_TYPE: Final = Bound(
    x.GameTypeInfo,
    "game",
    (
        Attr("game_type", "gameType"),
        Attr("players_min", "playersMin", NUMBER),
        Attr("players_max", "playersMax", NUMBER),
        Attr("master", "master", FLAG),
        Attr("programs", "programs", FLAG),
        Many("options", (_OFFERED,)),
    ),
)
_CLOCK: Final = Bound(
    x.ClockInfo,
    "player",
    (
        Attr("nick", "nick"),
        Attr("left_s", "leftSec", BALANCE, default=None),
        Attr("move_left_s", "moveLeftSec", BALANCE, default=None),
        Attr("round_trip_ms", "roundTripMs", SECONDS, default=None),
    ),
)
_RUNNING: Final = Bound(
    x.RunningGame,
    "game",
    (
        Attr("game_id", "gameId"),
        Attr("game_type", "gameType"),
        Attr("players", "players"),
        Attr("moves", "moves", NUMBER),
        Attr("spectators", "spectators", NUMBER),
    ),
)
_VIEW: Final = Bound(x.View, "view", (Attr("nick", "nick", default=""), Payload("payload", "gameState")))
_LABEL: Final = Bound(
    x.Label,
    "seat",
    (Attr("nick", "nick"), Attr("label", "label", default=""), Attr("kind", "kind", word(x.SeatKind))),
)
_PAST_MOVE: Final = Bound(x.PastMove, "moved", (Attr("nick", "nick"), Payload("payload", "move")))
_PAST_LEFT: Final = Bound(x.PastLeft, "left", (Attr("nick", "nick"), Attr("cause", "cause", default="")))
_TOKEN: Final = Attr("token", "token")


def _message(cls: type[Extension], *parts: Part) -> Bound:
    return Bound(cls, "message", parts)


_BOUND: Final = (
    _message(
        x.Hello,
        Values("families", "ext", "name"),
        Inside("program", (Attr("program", "name", default=""), Attr("version", "version", default="")), optional=True),
    ),
    _message(x.Ok, _REF),
    _message(
        x.Failed,
        _REF,
        _ANY_GAME_ID,
        Inside("reason", (Attr("code", "code", word(x.Reason)), Content("text"))),
    ),
    _message(x.Ping, _REF),
    _message(x.Pong, _REF),
    _message(
        x.Session,
        Inside(
            "session",
            (
                _TOKEN,
                Attr("nick", "nick"),
                Attr("resumed", "resumed", FLAG),
                Attr("grace_s", "graceSec", SECONDS),
                Attr("turn", "turn", FLAG, default=False),
            ),
        ),
    ),
    _message(x.Resume, Inside("session", (_TOKEN,))),
    _message(x.Resend, _REF, _GAME_ID),
    _message(
        x.Warn,
        _ANY_GAME_ID,
        Inside(
            "warn",
            (
                Attr("scope", "scope", word(x.WarningScope)),
                Attr("state", "state", word(x.WarningState)),
                Attr("left_s", "leftSec", SECONDS),
            ),
        ),
    ),
    _message(x.ListPlayers, _REF),
    _message(x.Players, _REF, Many("players", (_PLAYER,))),
    _message(x.ListGameTypes, _REF),
    _message(x.GameTypes, _REF, Many("games", (_GAME_TYPE,))),
    _message(x.Advertise, _REF, One("table", _NEW_TABLE)),
    _message(x.Advertised, _REF, One("table", _TABLE)),
    _message(x.Invitation, One("table", _TABLE)),
    _message(x.ListTables, _REF),
    _message(x.Tables, _REF, Many("tables", (_TABLE,))),
    _message(x.Join, _REF, Value("table_id", "table", "id")),
    _message(x.Joined, _REF, One("table", _TABLE)),
    _message(x.Start, _REF),
    _message(x.Cancel, _REF),
    _message(x.Quit, _REF),
    _message(x.Wait, _REF),
    _message(x.Seats, _GAME_ID, Text("comment", "comment", default=""), _SEATS),
    _message(
        x.GameEnded,
        _GAME_ID,
        Inside(
            "end",
            (
                Attr("result", "result", word(x.EndResult)),
                Attr("reason", "reason"),
                Attr("comment", "comment", default=""),
            ),
        ),
    ),
    _message(x.Say, _REF, Values("to", "to", "nick"), Value("table", "table", "id", default=""), Text("text", "text")),
    _message(
        x.Said,
        Value("sender", "from", "nick"),
        Values("to", "to", "nick"),
        Value("table", "table", "id", default=""),
        Text("text", "text"),
    ),
    _message(x.ShowClock, _REF),
    _message(x.Clock, _REF, _GAME_ID, Many("clocks", (_CLOCK,))),
    _message(
        x.Watch,
        _REF,
        Inside(
            "watch",
            (
                Attr("game_id", "gameId", default=""),
                Attr("game_type", "gameType", default=""),
                Attr("begin", "from", word(x.WatchFrom), default=x.WatchFrom.NOW),
                Attr("delay_s", "delaySec", SECONDS, default=0.0),
                Attr("nick", "nick", default=""),
            ),
        ),
    ),
    _message(
        x.Unwatch,
        _REF,
        Inside(
            "watch",
            (Attr("game_id", "gameId", default=""), Attr("game_type", "gameType", default="")),
            optional=True,
        ),
    ),
    _message(x.ListGames, _REF, Inside("game", (Attr("game_type", "gameType", default=""),), optional=True)),
    _message(x.RunningGames, _REF, Many("games", (_RUNNING,))),
    _message(
        x.Watching,
        _REF,
        _GAME_ID,
        Inside("game", (Attr("game_type", "gameType"), Attr("number", "number", NUMBER))),
        _SEATS,
        _OPTIONS,
        _NEXT_PLAYERS,
        Payload("state", "gameState", optional=True),
    ),
    _message(
        x.GameEvent,
        _GAME_ID,
        Inside(
            "event",
            (
                Attr("number", "number", NUMBER),
                Attr("after_s", "afterSec", SECONDS),
                Attr("what", "what", word(x.EventKind)),
                Attr("nick", "nick", default=""),
                Attr("text", "text", default=""),
            ),
        ),
        _NEXT_PLAYERS,
        _GAME_OVER,
        Payload("state", "gameState", optional=True),
    ),
    _message(x.Views, _GAME_ID, _NEXT_PLAYERS, _GAME_OVER, Many("views", (_VIEW,))),
    _message(x.Moved, _GAME_ID, Value("nick", "player", "nick"), Payload("payload", "move")),
    _message(x.Offers, Many("options", (_OFFERED,))),
    _message(x.Labels, _GAME_ID, Many("seats", (_LABEL,))),
    _message(x.Stop, _GAME_ID, Value("reason", "end", "reason")),
    _message(
        x.Restore,
        _GAME_ID,
        Values("players", "player", "nick"),
        _OPTIONS,
        Value("seats", "seats", "total", NUMBER, default=0),
        Value("seed", "seed", "value", default=""),
        Many("happened", (_PAST_MOVE, _PAST_LEFT)),
    ),
)

EXTENSIONS: Final[Mapping[str, Bound]] = MappingProxyType({bound.cls.TYPE: bound for bound in _BOUND})
"""Every extension message by its type."""

_BY_CLASS: Final = MappingProxyType({bound.cls: bound for bound in _BOUND})


def _with_type(shape: Shape) -> Shape:
    attributes = {"type": Attribute("type"), **shape.attributes}
    return Shape(shape.name, attributes, shape.children, text=shape.text, lenient=True)


SHAPES_OF_EXTENSIONS: Final[Mapping[str, Shape]] = MappingProxyType(
    {kind: _with_type(shape_of(bound)) for kind, bound in EXTENSIONS.items()}
)


def read_extension(message: Element) -> Any:
    """The extension message in an envelope of the right shape. Raises WrongMessage where a rule that the shape cannot
    hold is broken."""
    extension = read(EXTENSIONS[message.attributes["type"]], message)
    if isinstance(extension, x.Views) and bool(extension.next_players) == bool(extension.game_over):
        both = "present" if extension.game_over else "missing"
        raise WrongMessage(
            f"x-views: <nextPlayer> and <gameOver> are both {both}, exactly one must be there", "x-views"
        )
    return extension


def write_extension(message: Extension) -> bytes:
    """The document for an extension message. Raises ValueError for one that could not be read again."""
    return write(_BY_CLASS[type(message)], message, {"type": message.TYPE})
