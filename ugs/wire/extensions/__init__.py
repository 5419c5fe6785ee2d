"""The messages that UGS v4 lacks, in families that a peer asks for with ``x-hello``: one module per family.

A family's module holds its message classes (one frozen class each), its words, and ``FORMS``: how each message is
written and which peers the server may send it to. All names can be imported from this package. The server sends a
message only to a peer that was granted one of its families.

The sender of a request chooses ``ref``, and the answer repeats it. Times are in seconds, as numbers that may have a
fraction. Payloads are the exact bytes of their elements.

family.py        Family: the names of the families, and what each is for
negotiation.py   for peers of any family: x-hello, x-ok, x-failed with its reasons, x-ping, x-pong
common_parts.py  elements that several families write
form.py          Form: how one message is written and which peers get it
why.py           of the family reason: x-why and its answer x-account

Every other module has the name of its family.
A new family is a member of Family, and a module of that name with its ``FORMS``.
"""

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Final

from ugs.wire.extensions.chat import Said, Say
from ugs.wire.extensions.clock import Clock, ClockInfo, ShowClock
from ugs.wire.extensions.common_parts import (
    OfferedOption,
    SeatInfo,
    SeatKind,
    SeatState,
)
from ugs.wire.extensions.family import Family
from ugs.wire.extensions.faults import MoveRuling, RefusedMove, Ruled
from ugs.wire.extensions.form import Form
from ugs.wire.extensions.lobby import (
    Advertise,
    Advertised,
    Cancel,
    EndResult,
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
    PlayerInfo,
    Players,
    Quit,
    Seats,
    Start,
    TableInfo,
    Tables,
    Visibility,
    Wait,
)
from ugs.wire.extensions.movers import Moved
from ugs.wire.extensions.negotiation import BANNED, Failed, Hello, Ok, Ping, Pong, RefusalReason
from ugs.wire.extensions.reason import Because, GameVerdict, SeatVerdict
from ugs.wire.extensions.rejoin import Rejoin, Rejoined
from ugs.wire.extensions.remark import MAX_REMARK_BYTES, BoardMark, Remark
from ugs.wire.extensions.restore import Past, PastLeft, PastMove, PastRejoined, Restore
from ugs.wire.extensions.session import Resume, Session, Warn, WarningScope, WarningState
from ugs.wire.extensions.sketch import Sketch
from ugs.wire.extensions.state import ListStates, PastState, Resend, States
from ugs.wire.extensions.table import Label, Labels, Offers, Stop
from ugs.wire.extensions.views import View, Views
from ugs.wire.extensions.watch import (
    EventKind,
    GameEvent,
    ListGames,
    RunningGames,
    Unwatch,
    Watch,
    WatchableGame,
    WatchFrom,
    Watching,
)
from ugs.wire.extensions.why import NO_MASTER, Account, Why
from ugs.wire.messages import Extension
from ugs.wire.text_limits import MAX_CODE, MAX_REASON, MAX_SETUP

__all__ = [
    "BANNED",
    "EXTENSIONS",
    "FAMILIES_OF",
    "MAX_CODE",
    "MAX_REASON",
    "MAX_REMARK_BYTES",
    "MAX_SETUP",
    "NO_MASTER",
    "Account",
    "Advertise",
    "Advertised",
    "Because",
    "BoardMark",
    "Cancel",
    "Clock",
    "ClockInfo",
    "EndResult",
    "EventKind",
    "Failed",
    "Family",
    "Form",
    "GameEnded",
    "GameEvent",
    "GameTypeInfo",
    "GameTypes",
    "GameVerdict",
    "Hello",
    "Invitation",
    "Join",
    "Joined",
    "Label",
    "Labels",
    "ListGameTypes",
    "ListGames",
    "ListPlayers",
    "ListStates",
    "ListTables",
    "MoveRuling",
    "Moved",
    "NewTable",
    "OfferedOption",
    "Offers",
    "Ok",
    "Past",
    "PastLeft",
    "PastMove",
    "PastRejoined",
    "PastState",
    "Ping",
    "PlayerInfo",
    "Players",
    "Pong",
    "Quit",
    "RefusalReason",
    "RefusedMove",
    "Rejoin",
    "Rejoined",
    "Remark",
    "Resend",
    "Restore",
    "Resume",
    "Ruled",
    "RunningGames",
    "Said",
    "Say",
    "SeatInfo",
    "SeatKind",
    "SeatState",
    "SeatVerdict",
    "Seats",
    "Session",
    "ShowClock",
    "Sketch",
    "Start",
    "States",
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
    "WatchableGame",
    "Watching",
    "Why",
]

_MODULES: Final = tuple([import_module(f"{__name__}.{name}") for name in ("negotiation", *Family, "why")])
"""A family's module has the name of the family; ``why`` belongs to the family ``reason``."""

EXTENSIONS: Final[Mapping[str, Form]] = MappingProxyType(
    {form.cls.TYPE: form for module in _MODULES for form in module.FORMS}
)
"""Every extension message by its type."""

FAMILIES_OF: Final[Mapping[type[Extension], frozenset[Family]]] = MappingProxyType(
    {form.cls: form.sent_to for form in EXTENSIONS.values() if form.sent_to}
)
"""The messages that the server sends, each with its families. A peer gets a message if it was granted one of them."""
