"""How the messages of :mod:`ugs.wire.extensions` are written: one table, in the order of that module."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from ugs.wire import extensions as x
from ugs.wire.binder import read, shape_of, write
from ugs.wire.element import Element
from ugs.wire.errors import WrongMessage
from ugs.wire.extension_items import (
    ANY_GAME_ID,
    CLOCK,
    GAME_ID,
    GAME_OVER,
    GAME_TYPE,
    LABEL,
    NEW_TABLE,
    NEXT_PLAYERS,
    OFFERED,
    OPTIONS,
    PAST_LEFT,
    PAST_MOVE,
    PLAYER,
    REF,
    RUNNING,
    SEATS,
    TABLE,
    TOKEN,
    VIEW,
)
from ugs.wire.messages import Extension
from ugs.wire.parts import (
    FLAG,
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
    word,
)
from ugs.wire.shapes import Attribute, Shape

__all__ = ["EXTENSIONS", "SHAPES_OF_EXTENSIONS", "read_extension", "write_extension"]


def _message(cls: type[Extension], *parts: Part) -> Bound:
    return Bound(cls, "message", parts)


_BOUND: Final = (
    _message(
        x.Hello,
        Values("families", "ext", "name"),
        Inside("program", (Attr("program", "name", default=""), Attr("version", "version", default="")), optional=True),
    ),
    _message(x.Ok, REF),
    _message(
        x.Failed,
        REF,
        ANY_GAME_ID,
        Inside("reason", (Attr("code", "code", word(x.Reason)), Content("text"))),
    ),
    _message(x.Ping, REF),
    _message(x.Pong, REF),
    _message(
        x.Session,
        Inside(
            "session",
            (
                TOKEN,
                Attr("nick", "nick"),
                Attr("resumed", "resumed", FLAG),
                Attr("grace_s", "graceSec", SECONDS),
                Attr("turn", "turn", FLAG, default=False),
            ),
        ),
    ),
    _message(x.Resume, Inside("session", (TOKEN,))),
    _message(x.Resend, REF, GAME_ID),
    _message(
        x.Warn,
        ANY_GAME_ID,
        Inside(
            "warn",
            (
                Attr("scope", "scope", word(x.WarningScope)),
                Attr("state", "state", word(x.WarningState)),
                Attr("left_s", "leftSec", SECONDS),
            ),
        ),
    ),
    _message(x.ListPlayers, REF),
    _message(x.Players, REF, Many("players", (PLAYER,))),
    _message(x.ListGameTypes, REF),
    _message(x.GameTypes, REF, Many("games", (GAME_TYPE,))),
    _message(x.Advertise, REF, One("table", NEW_TABLE)),
    _message(x.Advertised, REF, One("table", TABLE)),
    _message(x.Invitation, One("table", TABLE)),
    _message(x.ListTables, REF),
    _message(x.Tables, REF, Many("tables", (TABLE,))),
    _message(x.Join, REF, Value("table_id", "table", "id")),
    _message(x.Joined, REF, One("table", TABLE)),
    _message(x.Start, REF),
    _message(x.Cancel, REF),
    _message(x.Quit, REF),
    _message(x.Wait, REF),
    _message(x.Seats, GAME_ID, Text("comment", "comment", default=""), SEATS),
    _message(
        x.GameEnded,
        GAME_ID,
        Inside(
            "end",
            (
                Attr("result", "result", word(x.EndResult)),
                Attr("reason", "reason"),
                Attr("comment", "comment", default=""),
            ),
        ),
    ),
    _message(x.Say, REF, Values("to", "to", "nick"), Value("table", "table", "id", default=""), Text("text", "text")),
    _message(
        x.Said,
        Value("sender", "from", "nick"),
        Values("to", "to", "nick"),
        Value("table", "table", "id", default=""),
        Text("text", "text"),
    ),
    _message(x.ShowClock, REF),
    _message(x.Clock, REF, GAME_ID, Many("clocks", (CLOCK,))),
    _message(
        x.Watch,
        REF,
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
        REF,
        Inside(
            "watch",
            (Attr("game_id", "gameId", default=""), Attr("game_type", "gameType", default="")),
            optional=True,
        ),
    ),
    _message(x.ListGames, REF, Inside("game", (Attr("game_type", "gameType", default=""),), optional=True)),
    _message(x.RunningGames, REF, Many("games", (RUNNING,))),
    _message(
        x.Watching,
        REF,
        GAME_ID,
        Inside("game", (Attr("game_type", "gameType"), Attr("number", "number", NUMBER))),
        SEATS,
        OPTIONS,
        NEXT_PLAYERS,
        Payload("state", "gameState", optional=True),
    ),
    _message(
        x.GameEvent,
        GAME_ID,
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
        NEXT_PLAYERS,
        GAME_OVER,
        Payload("state", "gameState", optional=True),
    ),
    _message(x.Views, GAME_ID, NEXT_PLAYERS, GAME_OVER, Many("views", (VIEW,))),
    _message(x.Moved, GAME_ID, Value("nick", "player", "nick"), Payload("payload", "move")),
    _message(x.Offers, Many("options", (OFFERED,))),
    _message(x.Labels, GAME_ID, Many("seats", (LABEL,))),
    _message(x.Stop, GAME_ID, Value("reason", "end", "reason")),
    _message(
        x.Restore,
        GAME_ID,
        Values("players", "player", "nick"),
        OPTIONS,
        Value("seats", "seats", "total", NUMBER, default=0),
        Value("seed", "seed", "value", default=""),
        Many("happened", (PAST_MOVE, PAST_LEFT)),
    ),
)

EXTENSIONS: Final[Mapping[str, Bound]] = MappingProxyType({bound.cls.TYPE: bound for bound in _BOUND})
"""Every extension message by its type."""


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
    if wrong := _broken_rule(extension):
        raise WrongMessage(wrong)
    return extension


def write_extension(message: Extension) -> bytes:
    """The document for an extension message. Raises ValueError for one that could not be read again."""
    if wrong := _broken_rule(message):
        raise ValueError(wrong)
    return write(EXTENSIONS[message.TYPE], message, {"type": message.TYPE})


def _broken_rule(message: Extension) -> str:
    """What is wrong with a message in which each part is right; the empty text for nothing."""
    if isinstance(message, x.Views) and bool(message.next_players) == bool(message.game_over):
        both = "present" if message.game_over else "missing"
        return f"{message.TYPE}: <nextPlayer> and <gameOver> are both {both}, exactly one must be there"
    return ""
