"""What clients ask for: texts in JSON from strangers into requests. Every failure is a :class:`Malformed`.

Each kind of request is a class of its own, and the table at the end lists its fields and how each is read. A
request that is read here is well-formed; whether it can be done now is checked elsewhere. All texts in it can be put
into XML.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, NoReturn, TypeAlias

from game_masters.apologies.views import Mode
from ugs.wire.extensions import Visibility

MAX_TOKEN = 128
"""Characters behind the # of a handle: more than any token has."""
MAX_HANDLE = 25
SEATS = (2, 3, 4)
MAX_QUOTE = 40
"""At most this many characters of a wrong value are repeated to its sender."""

_HANDLE = re.compile(rf"[A-Za-z0-9_-]{{1,{MAX_HANDLE}}}")
_NO_HANDLE = "None"
"""Clients written in Python send this for a missing handle."""
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Malformed(ValueError):
    """A text is no request. The message is one line that may be shown to its sender."""

    def __init__(self, reason: str, logged: str = "") -> None:
        """``reason`` names field, value and what is allowed; ``logged`` is the same without the value, where there is
        one: it may be the id of a player, which is a secret, in the wrong place."""
        super().__init__(reason)
        self.reason = reason
        self.logged = logged or reason


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits that a server sets to the length of texts, in characters."""

    table_name: int = 40
    chat: int = 2000


USUAL = Limits()


# --- requests ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RegisterPlayer:
    """Register a new player under this handle; ``token`` is what follows the ``#`` behind it."""

    handle: str
    token: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class FromPlayer:
    """A request of a player. The player's id proves who sends it, so it is a secret."""

    player_id: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class ReregisterPlayer(FromPlayer):
    """The player is here, perhaps on another connection. A player who is not known is registered with the handle."""

    handle: str
    token: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class UnregisterPlayer(FromPlayer):
    """Remove a player for good."""


@dataclass(frozen=True, slots=True)
class ListPlayers(FromPlayer):
    """List the players."""


@dataclass(frozen=True, slots=True)
class AdvertiseGame(FromPlayer):
    """Set up a table. The handles are as they were sent, including unknown and repeated ones."""

    name: str
    mode: Mode
    players: int
    visibility: Visibility
    invited_handles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListAvailableGames(FromPlayer):
    """List the tables where the player could sit down."""


@dataclass(frozen=True, slots=True)
class JoinGame(FromPlayer):
    """Sit down at a table."""

    game_id: str


@dataclass(frozen=True, slots=True)
class QuitGame(FromPlayer):
    """Leave the table or the game."""


@dataclass(frozen=True, slots=True)
class StartGame(FromPlayer):
    """Begin with those who are here."""


@dataclass(frozen=True, slots=True)
class CancelGame(FromPlayer):
    """End a table or a game that the player has set up."""


@dataclass(frozen=True, slots=True)
class ExecuteMove(FromPlayer):
    """Make this one of the moves on offer."""

    move_id: str


@dataclass(frozen=True, slots=True)
class OptimalMove(FromPlayer):
    """Make the move that the computer player would make."""


@dataclass(frozen=True, slots=True)
class RetrieveGameState(FromPlayer):
    """Send the state of the game once more."""


@dataclass(frozen=True, slots=True)
class SendMessage(FromPlayer):
    """Send a message to these players, at least one."""

    message: str
    recipient_handles: tuple[str, ...]


Request: TypeAlias = (
    RegisterPlayer
    | ReregisterPlayer
    | UnregisterPlayer
    | ListPlayers
    | AdvertiseGame
    | ListAvailableGames
    | JoinGame
    | QuitGame
    | StartGame
    | CancelGame
    | ExecuteMove
    | OptimalMove
    | RetrieveGameState
    | SendMessage
)


# --- reading ----------------------------------------------------------------------------------------------------------


def read(text: str, limits: Limits = USUAL) -> Request:
    """Return the request in a text in JSON. Raises Malformed, and nothing else.

    Fields that no request has are ignored; null in place of an id or a context counts as missing.
    """
    request = _object("the request", _parse(text))
    name = request.get("message")
    shape = _SHAPES.get(name) if isinstance(name, str) else None
    if shape is None:
        raise _wrong("field message", name, f"the name of a request: {', '.join(_SHAPES)}")
    values: dict[str, object] = {}
    player_id, context = request.get("player_id"), request.get("context")
    if shape.from_player:
        values["player_id"] = _text("field player_id", player_id, limits)
    elif player_id is not None:
        raise Malformed(f"field player_id: {name} has none")
    if shape.fields:
        given = _object("field context", context)
        for key, reader in shape.fields.items():
            if key not in given:
                raise Malformed(f"field {key}: missing in the context; {name} has {', '.join(shape.fields)}")
            values[key] = reader(f"field {key}", given[key], limits)
    elif context is not None:
        raise Malformed(f"field context: {name} has none")
    return shape.make(**values)


def _parse(text: str) -> object:
    try:
        value: object = _JSON.decode(text)
    except Malformed:
        raise
    except json.JSONDecodeError as error:
        raise Malformed(f"the request is not JSON: {error.msg}, line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise Malformed("the request is nested too deeply") from None
    # Python reads no integer of more than 4,300 digits.
    except ValueError:
        raise Malformed("the request holds a number with too many digits") from None
    return value


def _no_number(word: str) -> NoReturn:
    raise Malformed(f"the request is not JSON: {word} is no number")


# Python would read NaN and Infinity, which JSON does not have.
_JSON = json.JSONDecoder(parse_constant=_no_number)


def _wrong(where: str, value: object, allowed: str) -> Malformed:
    return Malformed(f"{where}: {_quote(value)}; expected {allowed}", f"{where}: expected {allowed}")


def _quote(value: object) -> str:
    """Return any wrong value in a few words; null counts as missing."""
    if value is None:
        return "nothing"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, str) and len(value) > MAX_QUOTE:
        return f"{json.dumps(value[:MAX_QUOTE])} and {len(value) - MAX_QUOTE} characters more"
    # Only numbers are cut here; numbers with that many digits need no distinction.
    return json.dumps(value) if isinstance(value, str) else json.dumps(value)[:MAX_QUOTE]


# --- values: each reader takes where a value stands, the value, and the limits; raises Malformed ----------------------


def _object(where: str, value: object) -> Mapping[object, object]:
    if not isinstance(value, dict):
        raise _wrong(where, value, "an object")
    return value


def _text(where: str, value: object, limits: Limits) -> str:
    if not isinstance(value, str) or not value:
        raise _wrong(where, value, "a text that is not empty")
    if (odd := _NOT_IN_XML.search(value)) is not None:
        raise Malformed(
            f"{where}: the character U+{ord(odd[0]):04X} is not allowed; expected a text without control characters, "
            "halves of surrogate pairs, U+FFFE and U+FFFF"
        )
    return value


def _text_up_to(where: str, value: object, limits: Limits, longest: int) -> str:
    if isinstance(value, str) and len(value) > longest:
        raise Malformed(f"{where}: {len(value)} characters; expected 1 to {longest}")
    return _text(where, value, limits)


def _table_name(where: str, value: object, limits: Limits) -> str:
    return _text_up_to(where, value, limits, limits.table_name)


def _chat(where: str, value: object, limits: Limits) -> str:
    return _text_up_to(where, value, limits, limits.chat)


def _handle(where: str, value: object, limits: Limits) -> tuple[str, str]:
    """Read a handle, and the token that may stand behind it. No text shows what follows the ``#``."""
    handle, mark, token = value.partition("#") if isinstance(value, str) else (value, "", "")
    if not isinstance(handle, str) or _HANDLE.fullmatch(handle) is None or handle == _NO_HANDLE:
        allowed = f"1 to {MAX_HANDLE} of the characters A-Z, a-z, 0-9, _ and -, and not {_NO_HANDLE}"
        raise _wrong(where, handle, allowed)
    if mark and len(token) > MAX_TOKEN:
        raise Malformed(f"{where}: {len(token)} characters behind the #; expected at most {MAX_TOKEN}")
    return handle, _text(where, token, limits) if token else ""


def _register(handle: tuple[str, str]) -> RegisterPlayer:
    return RegisterPlayer(*handle)


def _reregister(player_id: str, handle: tuple[str, str]) -> ReregisterPlayer:
    return ReregisterPlayer(player_id, *handle)


def _seats(where: str, value: object, limits: Limits) -> int:
    # JSON makes no difference between 2 and 2.0. True would be 1, and is refused too.
    if not isinstance(value, int | float) or value not in SEATS:
        raise _wrong(where, value, "2, 3 or 4")
    return int(value)


def _handles(where: str, value: object, limits: Limits) -> tuple[str, ...]:
    """Read a list of handles. They need not belong to players: unknown handles do no harm."""
    if not isinstance(value, list):
        raise _wrong(where, value, "a list of handles")
    return tuple(_text(f"{where}[{number}]", handle, limits) for number, handle in enumerate(value))


def _some_handles(where: str, value: object, limits: Limits) -> tuple[str, ...]:
    handles = _handles(where, value, limits)
    if not handles:
        raise Malformed(f"{where}: an empty list; expected at least one handle")
    return handles


_Reader: TypeAlias = Callable[[str, object, Limits], object]


def _one_of(words: type[StrEnum]) -> _Reader:
    known = {str(word): word for word in words}

    def reader(where: str, value: object, limits: Limits) -> StrEnum:
        word = known.get(value) if isinstance(value, str) else None
        if word is None:
            raise _wrong(where, value, " or ".join(known))
        return word

    return reader


class _Shape(NamedTuple):
    """What a request consists of."""

    make: Callable[..., Request]
    from_player: bool
    fields: Mapping[str, _Reader]
    """The fields of its context, in the order of checking; without fields it has no context."""


_SHAPES: Mapping[str, _Shape] = {
    "REGISTER_PLAYER": _Shape(_register, False, {"handle": _handle}),
    "REREGISTER_PLAYER": _Shape(_reregister, True, {"handle": _handle}),
    "UNREGISTER_PLAYER": _Shape(UnregisterPlayer, True, {}),
    "LIST_PLAYERS": _Shape(ListPlayers, True, {}),
    "ADVERTISE_GAME": _Shape(
        AdvertiseGame,
        True,
        {
            "name": _table_name,
            "mode": _one_of(Mode),
            "players": _seats,
            "visibility": _one_of(Visibility),
            "invited_handles": _handles,
        },
    ),
    "LIST_AVAILABLE_GAMES": _Shape(ListAvailableGames, True, {}),
    "JOIN_GAME": _Shape(JoinGame, True, {"game_id": _text}),
    "QUIT_GAME": _Shape(QuitGame, True, {}),
    "START_GAME": _Shape(StartGame, True, {}),
    "CANCEL_GAME": _Shape(CancelGame, True, {}),
    "EXECUTE_MOVE": _Shape(ExecuteMove, True, {"move_id": _text}),
    "OPTIMAL_MOVE": _Shape(OptimalMove, True, {}),
    "RETRIEVE_GAME_STATE": _Shape(RetrieveGameState, True, {}),
    "SEND_MESSAGE": _Shape(SendMessage, True, {"message": _chat, "recipient_handles": _some_handles}),
}
"""Every request by its name."""
