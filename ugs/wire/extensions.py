"""The messages that UGS v4 lacks, one frozen class each, in families that a peer asks for with ``x-hello``.

Nobody is sent one of these who has not been granted its family; how they are written stands in
:mod:`ugs.wire.extension_parts`. ``ref`` is whatever the sender of a request chose; the answer repeats it. Times are
seconds, as numbers that may have a fraction. Payloads are the exact bytes of their elements.

All of them can be had from here. They stand in modules by what they are about:

extension_connection.py  any family; session, state
extension_lobby.py       lobby, chat
extension_watch.py       clock, watch
extension_masters.py     views, movers, table, restore
extension_words.py       the words in them
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from ugs.wire.extension_connection import Failed, Hello, Ok, Ping, Pong, Resend, Resume, Session, Warn
from ugs.wire.extension_lobby import (
    Advertise,
    Advertised,
    Cancel,
    GameEnded,
    GameTypeInfo,
    GameTypes,
    Invitation,
    Join,
    Joined,
    ListGameTypes,
    ListPlayers,
    ListTables,
    NewTable,
    OfferedOption,
    PlayerInfo,
    Players,
    Quit,
    Said,
    Say,
    SeatInfo,
    Seats,
    Start,
    TableInfo,
    Tables,
    Wait,
)
from ugs.wire.extension_masters import Label, Labels, Moved, Offers, PastLeft, PastMove, Restore, Stop, View, Views
from ugs.wire.extension_watch import (
    Clock,
    ClockInfo,
    GameEvent,
    ListGames,
    RunningGame,
    RunningGames,
    ShowClock,
    Unwatch,
    Watch,
    Watching,
)
from ugs.wire.extension_words import (
    EndResult,
    EventKind,
    Family,
    Reason,
    SeatKind,
    SeatState,
    Visibility,
    WarningScope,
    WarningState,
    WatchFrom,
)
from ugs.wire.messages import Extension

__all__ = [
    "FAMILIES_OF",
    "Advertise",
    "Advertised",
    "Cancel",
    "Clock",
    "ClockInfo",
    "EndResult",
    "EventKind",
    "Failed",
    "Family",
    "GameEnded",
    "GameEvent",
    "GameTypeInfo",
    "GameTypes",
    "Hello",
    "Invitation",
    "Join",
    "Joined",
    "Label",
    "Labels",
    "ListGameTypes",
    "ListGames",
    "ListPlayers",
    "ListTables",
    "Moved",
    "NewTable",
    "OfferedOption",
    "Offers",
    "Ok",
    "PastLeft",
    "PastMove",
    "Ping",
    "PlayerInfo",
    "Players",
    "Pong",
    "Quit",
    "Reason",
    "Resend",
    "Restore",
    "Resume",
    "RunningGame",
    "RunningGames",
    "Said",
    "Say",
    "SeatInfo",
    "SeatKind",
    "SeatState",
    "Seats",
    "Session",
    "ShowClock",
    "Start",
    "Stop",
    "TableInfo",
    "Tables",
    "Unwatch",
    "View",
    "Views",
    "Visibility",
    "Wait",
    "Warn",
    "WarningScope",
    "WarningState",
    "Watch",
    "WatchFrom",
    "Watching",
]

_ANY: Final = frozenset(Family)

FAMILIES_OF: Final[Mapping[type[Extension], frozenset[Family]]] = MappingProxyType(
    {
        Hello: _ANY,
        Ok: _ANY,
        Failed: _ANY,
        Ping: frozenset({Family.SESSION, Family.CLOCK}),
        Pong: _ANY,
        Session: frozenset({Family.SESSION}),
        Warn: frozenset({Family.SESSION, Family.CLOCK}),
        Players: frozenset({Family.LOBBY}),
        GameTypes: frozenset({Family.LOBBY}),
        Advertised: frozenset({Family.LOBBY}),
        Invitation: frozenset({Family.LOBBY}),
        Tables: frozenset({Family.LOBBY}),
        Joined: frozenset({Family.LOBBY}),
        Seats: frozenset({Family.LOBBY}),
        GameEnded: frozenset({Family.LOBBY}),
        Said: frozenset({Family.CHAT}),
        Clock: frozenset({Family.CLOCK}),
        RunningGames: frozenset({Family.WATCH}),
        Watching: frozenset({Family.WATCH}),
        GameEvent: frozenset({Family.WATCH}),
        Moved: frozenset({Family.MOVERS}),
        Stop: frozenset({Family.TABLE}),
        Restore: frozenset({Family.RESTORE}),
    }
)
"""What the server sends, and the families of which a peer needs one to be sent it. Hello answers everybody's own."""
