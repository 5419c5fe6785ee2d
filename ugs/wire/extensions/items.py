"""The elements that several families write, with the dataclasses and words that belong to them."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from ugs.wire.messages import Choice, PlayerResult, Result
from ugs.wire.parts import INTEGER, Attr, Bound, Many, Value, Values, word


class SeatKind(StrEnum):
    """Who plays a seat."""

    HUMAN = "human"
    """A peer of its own, either a person or a program."""
    PROGRAM = "program"
    """The game master."""


class SeatState(StrEnum):
    """What the player of a seat is doing."""

    JOINED = "JOINED"
    PLAYING = "PLAYING"
    FINISHED = "FINISHED"
    QUIT = "QUIT"
    DISCONNECTED = "DISCONNECTED"


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """Who sits on one seat."""

    nick: str
    kind: SeatKind
    state: SeatState
    label: str = ""
    """What the game calls the seat, such as a colour."""


@dataclass(frozen=True, slots=True)
class OfferedOption:
    """One choice that a master offers. ``value`` is the default. Another value must be one of the words in ``values``,
    or a whole number from ``least`` to ``most``; where neither is given, any text."""

    name: str
    value: str
    values: str = ""
    least: int | None = None
    most: int | None = None


REF: Final = Attr("ref", "ref", default="")
GAME_ID: Final = Value("game_id", "gameId", "id")
ANY_GAME_ID: Final = Value("game_id", "gameId", "id", default="")
_OPTION: Final = Bound(Choice, "option", (Attr("name", "name"), Attr("value", "value")))
OPTIONS: Final = Many("options", (_OPTION,))
NEXT_PLAYERS: Final = Values("next_players", "nextPlayer", "nick")
_RESULT: Final = Bound(PlayerResult, "player", (Attr("nick", "nick"), Attr("result", "result", word(Result))))
GAME_OVER: Final = Many("game_over", (_RESULT,), within="gameOver")
_SEAT: Final = Bound(
    SeatInfo,
    "seat",
    (
        Attr("nick", "nick"),
        Attr("kind", "kind", word(SeatKind)),
        Attr("state", "state", word(SeatState)),
        Attr("label", "label", default=""),
    ),
)
SEATS: Final = Many("seats", (_SEAT,))
_OFFERED: Final = Bound(
    OfferedOption,
    "option",
    (
        Attr("name", "name"),
        Attr("value", "value"),
        Attr("values", "values", default=""),
        Attr("least", "least", INTEGER, default=None),
        Attr("most", "most", INTEGER, default=None),
    ),
)
OFFERED_OPTIONS: Final = Many("options", (_OFFERED,))
