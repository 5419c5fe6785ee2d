"""What is said about a connection: what its peer can do, how requests are answered, how a player comes back."""

from dataclasses import dataclass
from typing import ClassVar

from ugs.wire.extension_words import Reason, WarningScope, WarningState
from ugs.wire.messages import Extension


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


@dataclass(frozen=True, slots=True)
class Session(Extension):
    """Server to player, after the loginResponse: with this token you may come back.

    ``turn`` is true when the server waits for a move of this player: after a resume it tells whether the last move
    has arrived.
    """

    TYPE: ClassVar[str] = "x-session"
    token: str
    nick: str
    resumed: bool
    grace_s: float
    turn: bool = False


@dataclass(frozen=True, slots=True)
class Resume(Extension):
    """Player to server in place of a login: I am back."""

    TYPE: ClassVar[str] = "x-resume"
    token: str


@dataclass(frozen=True, slots=True)
class Resend(Extension):
    """Player to server: my last gameState again, please."""

    TYPE: ClassVar[str] = "x-resend"
    game_id: str
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Warn(Extension):
    """Server to player: silent for long, or short of time. ``left_s`` is how long it may still go on."""

    TYPE: ClassVar[str] = "x-warning"
    scope: WarningScope
    state: WarningState
    left_s: float
    game_id: str = ""
