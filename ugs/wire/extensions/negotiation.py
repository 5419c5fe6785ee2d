"""What peers need to use any family: greeting, answers to requests, ping."""

from dataclasses import field
from enum import StrEnum
from typing import ClassVar, Final

from ugs.value import value
from ugs.wire.extensions.common_parts import ANY_GAME_ID, ID, NAME, REF, VALUE
from ugs.wire.extensions.family import Family
from ugs.wire.extensions.form import MAX_ELEMENTS, Form, request
from ugs.wire.messages import Extension
from ugs.wire.parts import SECONDS, Attr, Content, Inside, Values, word
from ugs.wire.text_limits import MAX_REFUSAL

BANNED: Final = "is banned from this server"
"""Stands in the text of a refusal that an organiser has ordered: no token and no waiting helps."""


class RefusalReason(StrEnum):
    """Why a request is refused."""

    INVALID_REQUEST = "INVALID_REQUEST"
    """The request cannot be read, or holds a value that is not allowed."""
    INVALID_PLAYER = "INVALID_PLAYER"
    """The sender is no player (or no spectator with a nick), or its session is unknown."""
    DUPLICATE_USER = "DUPLICATE_USER"
    """The nick is taken."""
    USER_LIMIT = "USER_LIMIT"
    """The limit of players is reached."""
    GAME_LIMIT = "GAME_LIMIT"
    """The limit of tables, or of games at tables, is reached."""
    INVALID_GAME = "INVALID_GAME"
    """No such game or table, not open to this player, or not in the state that the request needs."""
    NOT_PLAYING = "NOT_PLAYING"
    """The sender sits at no table and is in no game."""
    ALREADY_PLAYING = "ALREADY_PLAYING"
    """The sender already sits at a table or is in a game."""
    NOT_ADVERTISER = "NOT_ADVERTISER"
    """Only the player who set up the table may do that."""
    ADVERTISER_MAY_NOT_QUIT = "ADVERTISER_MAY_NOT_QUIT"
    """The player who set up the table has to cancel it instead."""
    NO_MASTER = "NO_MASTER"
    """No game master is here that could lead this game now."""
    RATE_LIMIT = "RATE_LIMIT"
    """More requests of this kind than are allowed in a minute."""


@value
class Hello(Extension):
    """Peer to server, as the first message of a connection: the families I know, and the token of the name that I will
    log in with. The answer: the families that you may use here."""

    TYPE: ClassVar[str] = "x-hello"
    families: tuple[str, ...]
    program: str = ""
    version: str = ""
    """The name of the peer's program, for the journal and the log."""
    ref: str = ""
    token: str = field(default="", repr=False)
    """Secret: never shown or logged. The server never sends one."""


@value
class Ok(Extension):
    """Server to peer: the request was carried out."""

    TYPE: ClassVar[str] = "x-ok"
    ref: str = ""


@value
class Failed(Extension):
    """Server to peer: the request was refused, and why; ``wait_s``: ask again after that many seconds. Master to
    server, with ``game_id``: I cannot begin this game, or lead it any further."""

    TYPE: ClassVar[str] = "x-failed"
    code: RefusalReason
    text: str
    game_id: str = ""
    ref: str = ""
    wait_s: float = 0.0


@value
class Ping(Extension):
    """Either side: are you there? Any player may send it. The server sends it to players with ``session`` or
    ``clock``."""

    TYPE: ClassVar[str] = "x-ping"
    ref: str = ""


@value
class Pong(Extension):
    """The answer to a ping."""

    TYPE: ClassVar[str] = "x-pong"
    ref: str = ""


MAX_FAMILIES: Final = 64
"""Families that a peer may name: several times as many as exist."""

FORMS: Final[tuple[Form, ...]] = (
    # Every peer gets the answer to its own greeting.
    request(
        Hello,
        REF,
        Values("families", "ext", "name", NAME, most=MAX_FAMILIES),
        Inside(
            "program",
            (Attr("program", "name", VALUE, default=""), Attr("version", "version", VALUE, default="")),
            optional=True,
        ),
        Inside("identity", (Attr("token", "token", ID, default=""),), optional=True),
        sent_to=Family,
        most_elements=MAX_ELEMENTS + MAX_FAMILIES,
    ),
    request(Ok, REF, sent_to=Family),
    request(
        Failed,
        REF,
        ANY_GAME_ID,
        Inside(
            "reason",
            (
                Attr("code", "code", word(RefusalReason)),
                Attr("wait_s", "waitSec", SECONDS, default=0.0),
                Content("text", most=MAX_REFUSAL),
            ),
        ),
        sent_to=Family,
    ),
    request(Ping, REF, sent_to=(Family.SESSION, Family.CLOCK)),
    request(Pong, REF, sent_to=Family),
)
