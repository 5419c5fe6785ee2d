"""Answers of a lobby, for the tests of their presentation."""

from ugs.wire.extensions import (
    GameTypeInfo,
    GameTypes,
    OfferedOption,
    PlayerInfo,
    Players,
    TableInfo,
    Tables,
    Visibility,
)
from ugs.wire.messages import Choice

ANN = PlayerInfo("ann", "nim", 120.0, 3.5, "CONNECTED", "ACTIVE", "JOINED", "t1")
BOB = PlayerInfo("bob", "go", 7300.0, 95.0, "DISCONNECTED", "IDLE", "WAITING")
CYD = PlayerInfo("cyd", "nim", 200_000.0, 0.2, "CONNECTED", "ACTIVE", "PLAYING", "g7")
PLAYERS = Players((ANN, BOB, CYD))

MODE = OfferedOption("mode", "fast", "fast slow")
HEAPS = OfferedOption("heaps", "3", least=1, most=9)
NIM = GameTypeInfo("nim", 2, 4, master=True, programs=True, options=(MODE, HEAPS))
GO = GameTypeInfo("go", 0, 0, master=False, programs=False)
NOWHERE = GameTypeInfo("lobby", 0, 0, master=False, programs=False)
TYPES = GameTypes((GO, NOWHERE, NIM))

FRIDAY = TableInfo(
    "t1", "Friday [bold]", "nim", "ann", 4, 2, 1, Visibility.PRIVATE, (Choice("mode", "slow"),), ("bob",)
)
OPEN = TableInfo("t2", "any\x9bbody", "nim", "cyd", 2, 1, 0, Visibility.PUBLIC)
TABLES = Tables((FRIDAY, OPEN))
