"""The elements that several families write, with the dataclasses and words that belong to them."""

from enum import StrEnum
from typing import Final

from ugs.value import value
from ugs.wire.messages import Choice, PlayerResult, Result
from ugs.wire.parts import INTEGER, Attr, Bound, Many, Text, Value, Values, text, word
from ugs.wire.text_limits import MAX_ID, MAX_NAME, MAX_NICK_LENGTH, MAX_REF, MAX_SETUP, MAX_VALUE


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


@value
class SeatInfo:
    """Who sits on one seat."""

    nick: str
    kind: SeatKind
    state: SeatState
    label: str = ""
    """What the game calls the seat, such as a colour."""


@value
class OfferedOption:
    """One choice that a master offers. ``value`` is the default. Another value must be one of the words in ``values``,
    or a whole number from ``least`` to ``most``; where neither is given, any text."""

    name: str
    value: str
    values: str = ""
    least: int | None = None
    most: int | None = None


NICK: Final = text(MAX_NICK_LENGTH)
ID: Final = text(MAX_ID)
NAME: Final = text(MAX_NAME)
VALUE: Final = text(MAX_VALUE)
MAX_CHOICES: Final = 128
"""Options of a table or of a master's games. Each is a line that people read before they play."""
MAX_SEATS: Final = 4096
"""Seats of a game, and items that exist per seat. Every player gets every state: with 4096 players, a state of a
kilobyte is four megabytes of traffic."""

REF: Final = Attr("ref", "ref", text(MAX_REF), default="")
GAME_ID: Final = Value("game_id", "gameId", "id", ID)
ANY_GAME_ID: Final = Value("game_id", "gameId", "id", ID, default="")
_OPTION: Final = Bound(Choice, "option", (Attr("name", "name"), Attr("value", "value")))
OPTIONS: Final = Many("options", (_OPTION,))
SETUP: Final = Text("setup", "setup", default="", most=MAX_SETUP)
"""How a game begins, in the words of its master, its only reader."""
_WANTED: Final = Bound(Choice, "option", (Attr("name", "name", NAME), Attr("value", "value", VALUE)))
WANTED_OPTIONS: Final = Many("options", (_WANTED,), most=MAX_CHOICES)
NEXT_PLAYERS: Final = Values("next_players", "nextPlayer", "nick")
SHOWN_NEXT_PLAYERS: Final = Values("next_players", "nextPlayer", "nick", NICK, most=MAX_SEATS)
_RESULT: Final = Bound(PlayerResult, "player", (Attr("nick", "nick"), Attr("result", "result", word(Result))))
GAME_OVER: Final = Many("game_over", (_RESULT,), within="gameOver")
_SHOWN_RESULT: Final = Bound(
    PlayerResult, "player", (Attr("nick", "nick", NICK), Attr("result", "result", word(Result)))
)
SHOWN_GAME_OVER: Final = Many("game_over", (_SHOWN_RESULT,), within="gameOver", most=MAX_SEATS)
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
_SHOWN_OFFER: Final = Bound(
    OfferedOption,
    "option",
    (
        Attr("name", "name", NAME),
        Attr("value", "value", VALUE),
        Attr("values", "values", text(4096), default=""),
        Attr("least", "least", INTEGER, default=None),
        Attr("most", "most", INTEGER, default=None),
    ),
)
SHOWN_OFFERS: Final = Many("options", (_SHOWN_OFFER,), most=MAX_CHOICES)
