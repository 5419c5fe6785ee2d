"""What peers need before any family, and with each: greeting, answers to requests, ping."""

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, Final

from ugs.wire.extensions.family import Family
from ugs.wire.extensions.form import Form, form
from ugs.wire.extensions.items import ANY_GAME_ID, REF
from ugs.wire.messages import Extension
from ugs.wire.parts import Attr, Content, Inside, Values, word


class Reason(StrEnum):
    """Why a request is refused."""

    INVALID_REQUEST = "INVALID_REQUEST"
    """It cannot be read, or holds a value that is not allowed."""
    INVALID_PLAYER = "INVALID_PLAYER"
    """Who asks is no player (or no spectator with a nick), or its session is not known."""
    DUPLICATE_USER = "DUPLICATE_USER"
    """The nick is taken."""
    USER_LIMIT = "USER_LIMIT"
    """As many as may be here are here already."""
    GAME_LIMIT = "GAME_LIMIT"
    """There are as many tables, or games at tables, as there may be."""
    INVALID_GAME = "INVALID_GAME"
    """No such game or table, not open to this player, or not in the state that the request needs."""
    NOT_PLAYING = "NOT_PLAYING"
    """Who asks sits at no table and in no game."""
    ALREADY_PLAYING = "ALREADY_PLAYING"
    """Who asks sits at a table or in a game already."""
    NOT_ADVERTISER = "NOT_ADVERTISER"
    """Only the one who set the table up may do that."""
    ADVERTISER_MAY_NOT_QUIT = "ADVERTISER_MAY_NOT_QUIT"
    """The one who set the table up has to cancel it instead."""
    NO_MASTER = "NO_MASTER"
    """No game master is here that could lead this game now."""
    RATE_LIMIT = "RATE_LIMIT"
    """Too many of these within a minute."""


@dataclass(frozen=True, slots=True)
class Hello(Extension):
    """First message of a connection: I can do this. The answer: these of them you may use here."""

    TYPE: ClassVar[str] = "x-hello"
    families: tuple[str, ...]
    program: str = ""
    version: str = ""
    """What it calls itself, for the journal and the log."""


@dataclass(frozen=True, slots=True)
class Ok(Extension):
    """Server to peer: that was done."""

    TYPE: ClassVar[str] = "x-ok"
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Failed(Extension):
    """Server to peer: that was not done, and why. Master to server, with ``game_id``: this game I cannot begin."""

    TYPE: ClassVar[str] = "x-failed"
    code: Reason
    text: str
    game_id: str = ""
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Ping(Extension):
    """Either side: are you there? Any player may send it; players with ``session`` or ``clock`` are sent it."""

    TYPE: ClassVar[str] = "x-ping"
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Pong(Extension):
    """The answer to a ping."""

    TYPE: ClassVar[str] = "x-pong"
    ref: str = ""


FORMS: Final[tuple[Form, ...]] = (
    # Every peer gets the answer to its own greeting.
    form(
        Hello,
        Values("families", "ext", "name"),
        Inside("program", (Attr("program", "name", default=""), Attr("version", "version", default="")), optional=True),
        sent_to=Family,
    ),
    form(Ok, REF, sent_to=Family),
    form(
        Failed,
        REF,
        ANY_GAME_ID,
        Inside("reason", (Attr("code", "code", word(Reason)), Content("text"))),
        sent_to=Family,
    ),
    form(Ping, REF, sent_to=(Family.SESSION, Family.CLOCK)),
    form(Pong, REF, sent_to=Family),
)
