"""The elements that the messages of the extensions have in common, and those with a dataclass of their own."""

from typing import Final

from ugs.wire import extensions as x
from ugs.wire.messages import Choice, PlayerResult, Result
from ugs.wire.parts import BALANCE, FLAG, INTEGER, NUMBER, SECONDS, Attr, Bound, Many, Payload, Value, Values, word

REF: Final = Attr("ref", "ref", default="")
GAME_ID: Final = Value("game_id", "gameId", "id")
ANY_GAME_ID: Final = Value("game_id", "gameId", "id", default="")
_OPTION: Final = Bound(Choice, "option", (Attr("name", "name"), Attr("value", "value")))
OPTIONS: Final = Many("options", (_OPTION,))
NEXT_PLAYERS: Final = Values("next_players", "nextPlayer", "nick")
_RESULT: Final = Bound(PlayerResult, "player", (Attr("nick", "nick"), Attr("result", "result", word(Result))))
GAME_OVER: Final = Many("game_over", (_RESULT,), within="gameOver")
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
SEATS: Final = Many("seats", (_SEAT,))
OFFERED: Final = Bound(
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
TABLE: Final = Bound(
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
        OPTIONS,
        Values("invited", "invite", "nick"),
    ),
)
NEW_TABLE: Final = Bound(
    x.NewTable,
    "table",
    (
        Attr("name", "name"),
        Attr("seats", "seats", NUMBER),
        Attr("visibility", "visibility", word(x.Visibility), default=x.Visibility.PUBLIC),
        Attr("computers", "computers", NUMBER, default=0),
        OPTIONS,
        Values("invited", "invite", "nick"),
    ),
)
PLAYER: Final = Bound(
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
GAME_TYPE: Final = Bound(
    x.GameTypeInfo,
    "game",
    (
        Attr("game_type", "gameType"),
        Attr("players_min", "playersMin", NUMBER),
        Attr("players_max", "playersMax", NUMBER),
        Attr("master", "master", FLAG),
        Attr("programs", "programs", FLAG),
        Many("options", (OFFERED,)),
    ),
)
CLOCK: Final = Bound(
    x.ClockInfo,
    "player",
    (
        Attr("nick", "nick"),
        Attr("left_s", "leftSec", BALANCE, default=None),
        Attr("move_left_s", "moveLeftSec", BALANCE, default=None),
        Attr("round_trip_ms", "roundTripMs", SECONDS, default=None),
    ),
)
RUNNING: Final = Bound(
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
VIEW: Final = Bound(x.View, "view", (Attr("nick", "nick", default=""), Payload("payload", "gameState")))
LABEL: Final = Bound(
    x.Label,
    "seat",
    (Attr("nick", "nick"), Attr("label", "label", default=""), Attr("kind", "kind", word(x.SeatKind))),
)
PAST_MOVE: Final = Bound(x.PastMove, "moved", (Attr("nick", "nick"), Payload("payload", "move")))
PAST_LEFT: Final = Bound(x.PastLeft, "left", (Attr("nick", "nick"), Attr("cause", "cause", default="")))
TOKEN: Final = Attr("token", "token")
