"""What players did, as the extractor finds it in a log."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from game_masters.catan.message.bundles import Bundle, in_words
from game_masters.catan.message.events import Event

NOT_PLACED: Final = 2_147_483_647
"""In the place of an edge: the road was not placed."""


class Kind(IntEnum):
    """Types of actions."""

    UNKNOWN = 1
    LOG_START_TO_STARTGAME = 10
    TURN_BEGINS = 20
    ROLL_DICE = 30
    BUILD_PIECE = 40
    UNDO_BUILD_PIECE = 45
    CANCEL_BUILT_PIECE = 50
    MOVE_PIECE = 60
    UNDO_MOVE_PIECE = 65
    BUY_DEV_CARD = 70
    PLAY_DEV_CARD = 80
    DISCARD = 90
    CHOOSE_FREE_RESOURCES = 100
    CHOOSE_MOVE_ROBBER_OR_PIRATE = 110
    MOVE_ROBBER_OR_PIRATE = 120
    CHOOSE_ROBBERY_VICTIM = 130
    CHOOSE_ROB_CLOTH_OR_RESOURCE = 140
    ROB_PLAYER = 150
    TRADE_BANK = 160
    TRADE_MAKE_OFFER = 170
    TRADE_CLEAR_OFFER = 180
    TRADE_REJECT_OFFER = 190
    TRADE_ACCEPT_OFFER = 200
    ASK_SPECIAL_BUILDING = 210
    END_TURN = 220
    GAME_OVER = 230


@dataclass(frozen=True, slots=True)
class Found:
    """What a sequence means: the type, three parameters and two sets of resources."""

    kind: Kind
    p1: int = 0
    p2: int = 0
    p3: int = 0
    first: Bundle | None = None
    second: Bundle | None = None


@dataclass(frozen=True, slots=True)
class Action:
    """An action: what was done, the state of the game at its end, and its events."""

    found: Found
    state: int
    start: int
    """The number of its first event."""
    events: tuple[Event, ...]

    @property
    def kind(self) -> Kind:
        """What it is."""
        return self.found.kind

    def __str__(self) -> str:
        found = self.found
        parts = [f"{self.start}: {found.kind.name} {found.p1} {found.p2} {found.p3}"]
        parts += [f"[{in_words(one)}]" for one in (found.first, found.second) if one is not None]
        return " ".join([*parts, f"state {self.state}, {len(self.events)} events"])
