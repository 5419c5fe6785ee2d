"""What game masters can do beyond v4: the families ``views``, ``movers``, ``table`` and ``restore``."""

from dataclasses import dataclass
from typing import ClassVar

from ugs.wire.extension_lobby import OfferedOption
from ugs.wire.extension_words import SeatKind
from ugs.wire.messages import Choice, Extension, PlayerResult


@dataclass(frozen=True, slots=True)
class View:
    """What one player sees, or (``nick`` empty) everybody who is not named: the ``<gameState>`` element."""

    nick: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class Views(Extension):
    """Master to server in place of gameState. Exactly one of ``next_players`` and ``game_over`` is not empty.

    Several next players may act at the same time; that takes ``movers``, named views take ``views``.
    """

    TYPE: ClassVar[str] = "x-views"
    game_id: str
    next_players: tuple[str, ...]
    game_over: tuple[PlayerResult, ...]
    views: tuple[View, ...]


@dataclass(frozen=True, slots=True)
class Moved(Extension):
    """Server to a master with ``movers`` in place of move: who moved, and what."""

    TYPE: ClassVar[str] = "x-moved"
    game_id: str
    nick: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class Offers(Extension):
    """Master to server after its login: games of mine can be played like this."""

    TYPE: ClassVar[str] = "x-offers"
    options: tuple[OfferedOption, ...]


@dataclass(frozen=True, slots=True)
class Label:
    """What a master says of one seat, its own among them, in the order of the seats."""

    nick: str
    label: str
    kind: SeatKind


@dataclass(frozen=True, slots=True)
class Labels(Extension):
    """Master to server: who plays what."""

    TYPE: ClassVar[str] = "x-labels"
    game_id: str
    seats: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Stop(Extension):
    """Server to master: this game has been ended. ``reason`` as in x-gameEnded."""

    TYPE: ClassVar[str] = "x-stop"
    game_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class PastMove:
    """A move that was made before: who, and the ``<move>`` element."""

    nick: str
    payload: bytes


@dataclass(frozen=True, slots=True)
class PastLeft:
    """A player left before."""

    nick: str
    cause: str


@dataclass(frozen=True, slots=True)
class Restore(Extension):
    """Server to master: take this game over. Begin it again, make every move, and send the state it is in now."""

    TYPE: ClassVar[str] = "x-restore"
    game_id: str
    players: tuple[str, ...]
    options: tuple[Choice, ...]
    seats: int
    seed: str
    happened: tuple[PastMove | PastLeft, ...]
