"""Lines of a client as what it wants: a request in its game, or something between it and the server."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from game_masters.catan.bridge.lines import EMPTY
from game_masters.catan.message import messages as asked
from game_masters.catan.message.bundles import Bundle
from game_masters.catan.message.message import Message

_NUMBER: Final = re.compile(r"-?[0-9]{1,7}")


class Unreadable(ValueError):
    """A line whose number is known, but not what follows."""


class Wish(Enum):
    """What a client wants outside of a game's rules."""

    SEND_VERSION = 9998
    ENTER_AS_ROBOT = 1022
    ENTER = 999
    LIST_OPTIONS = 1081
    JOIN = 1013
    JOIN_NEW = 1078
    SIT_DOWN = 1012
    LEAVE = 1011
    LEAVE_ALL = 1008


@dataclass(frozen=True, slots=True)
class Asked:
    """A wish, with its values."""

    wish: Wish
    nick: str = ""
    cookie: str = ""
    game: str = ""
    version: int = 0


@dataclass(frozen=True, slots=True)
class Request:
    """A request in a game."""

    move: Message
    game: str


ClientLine: TypeAlias = Asked | Request | None
"""What a line means; None for a message that has no meaning at our tables."""


def read_line(line: str) -> ClientLine:
    """Return what a line means. Raises Unreadable."""
    number, _, rest = line.partition("|")
    if not _NUMBER.fullmatch(number):
        raise Unreadable(f"{line[:40]!r} does not begin with the number of a message")
    values = ["" if value == EMPTY else value for value in rest.split(",")]
    try:
        if (read := _REQUESTS.get(int(number))) is not None:
            return Request(read(values[1:]), values[0])
        if (wish := _WISHES.get(int(number))) is not None:
            return wish(values)
    except (IndexError, ValueError) as why:
        raise Unreadable(f"{line[:40]!r} has other values than a message {number} has") from why
    return None


def _integer(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise Unreadable(f"{text[:20]!r} is no number")
    return int(text)


def _bundle(values: Sequence[str]) -> Bundle:
    clay, ore, sheep, wheat, wood = map(_integer, values)
    if min(clay, ore, sheep, wheat, wood) < 0:
        raise Unreadable("less than nothing of a resource")
    return clay, ore, sheep, wheat, wood, 0


def _offer(values: Sequence[str]) -> Message:
    # As many flags as the board has seats, then five resources for each side.
    flags = tuple(value == "true" for value in values[1:-10])
    return asked.MakeOffer(None, flags, _bundle(values[-10:-5]), _bundle(values[-5:]))


_REQUESTS: Final[Mapping[int, Callable[[Sequence[str]], Message]]] = {
    1009: lambda values: asked.PutPiece(None, _integer(values[1]), _integer(values[2])),
    1031: lambda values: asked.RollDice(),
    1032: lambda values: asked.EndTurn(),
    # The last value is the number of unknown resources, which no client discards.
    1033: lambda values: asked.Discard(None, _bundle(values[-6:-1])),
    1034: lambda values: asked.MoveRobber(None, _integer(values[1])),
    1035: lambda values: asked.ChoosePlayer(_integer(values[0])),
    1037: lambda values: asked.RejectOffer(None),
    1038: lambda values: asked.ClearOffer(None),
    1039: lambda values: asked.AcceptOffer(None, _integer(values[1])),
    1040: lambda values: asked.BankTrade(_bundle(values[:5]), _bundle(values[5:10])),
    1041: _offer,
    1043: lambda values: asked.BuildRequest(_integer(values[0])),
    1044: lambda values: asked.CancelBuildRequest(_integer(values[0])),
    1045: lambda values: asked.BuyDevCardRequest(),
    1049: lambda values: asked.PlayDevCardRequest(_integer(values[0])),
    1052: lambda values: asked.PickResources(_bundle(values[:5])),
    1053: lambda values: asked.PickResourceType(_integer(values[0])),
    1093: lambda values: asked.MovePiece(None, _integer(values[1]), _integer(values[2]), _integer(values[3])),
}
"""The requests of a game, by their numbers: what the values after the game's name stand for."""

_WISHES: Final[Mapping[int, Callable[[Sequence[str]], Asked]]] = {
    9998: lambda values: Asked(Wish.SEND_VERSION, version=_integer(values[0])),
    1022: lambda values: Asked(Wish.ENTER_AS_ROBOT, values[0], values[1] if len(values) > 2 else ""),
    999: lambda values: Asked(Wish.ENTER, values[1]),
    1081: lambda values: Asked(Wish.LIST_OPTIONS),
    1013: lambda values: Asked(Wish.JOIN, values[0], game=values[3]),
    1078: lambda values: Asked(Wish.JOIN_NEW, values[0], game=values[3]),
    1012: lambda values: Asked(Wish.SIT_DOWN, game=values[0]),
    1011: lambda values: Asked(Wish.LEAVE, game=values[2]),
    1008: lambda values: Asked(Wish.LEAVE_ALL),
}
