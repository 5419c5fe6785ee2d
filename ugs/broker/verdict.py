"""How a game ended, whose fault it was, and what it counts for each seat.

Faults of a player count against that player; faults of a master or of the server count against nobody.
"""

from dataclasses import dataclass
from enum import StrEnum


class Cause(StrEnum):
    """Why a game ended, or why one player left it early."""

    FINISHED = "finished"
    """The master said who won."""
    DRAW = "draw"
    """The master gave everybody who was still there the same result."""
    LEFT = "left"
    """A player sent leaveGame."""
    LOGOUT = "logout"
    """A player sent logout."""
    DISCONNECTED = "connection lost"
    """A player's connection was lost."""
    TIMEOUT = "timeout"
    """A player did not move in time."""
    REMOVED = "removed"
    """The master took a player out."""
    NO_BEGINNING = "no beginning"
    """The master did not answer beginGame in time."""
    MASTER_SILENT = "master silent"
    """The master did not answer a move or a leave in time."""
    MASTER_LOST = "master lost"
    """The master's connection was lost and did not come back in time."""
    SHUTDOWN = "server shutdown"
    """The server was stopped in the middle of the game."""
    SERVER_LOST = "server lost"
    """The server was gone all of a sudden, and came back without the game."""
    FORFEIT = "forfeit"
    """There was no game: a participant of the championship had left for good."""
    JOURNAL_LOST = "journal lost"
    """The server could not write down what happened."""
    CANCELLED = "cancelled"
    """Whoever had set up the table ended its game, or left it."""
    NOT_VIABLE = "not viable"
    """Too few seats of a table were left to go on."""
    INACTIVE = "inactive"
    """Nobody at a table had done anything for long."""
    DECLINED = "declined"
    """The master cannot lead a game with these options or seats."""


class Fault(StrEnum):
    """Whose fault an end was."""

    NOBODY = "nobody"
    PLAYER = "player"
    MASTER = "master"
    SERVER = "server"


class Outcome(StrEnum):
    """What the game counts for one seat."""

    WON = "won"
    LOST = "lost"
    DRAWN = "drawn"
    VOID = "void"


FAULT_OF: dict[Cause, Fault] = {
    Cause.FINISHED: Fault.NOBODY,
    Cause.DRAW: Fault.NOBODY,
    Cause.LEFT: Fault.PLAYER,
    Cause.LOGOUT: Fault.PLAYER,
    Cause.DISCONNECTED: Fault.PLAYER,
    Cause.TIMEOUT: Fault.PLAYER,
    Cause.REMOVED: Fault.PLAYER,
    Cause.NO_BEGINNING: Fault.MASTER,
    Cause.MASTER_SILENT: Fault.MASTER,
    Cause.MASTER_LOST: Fault.MASTER,
    Cause.FORFEIT: Fault.PLAYER,
    Cause.SHUTDOWN: Fault.SERVER,
    Cause.SERVER_LOST: Fault.SERVER,
    Cause.JOURNAL_LOST: Fault.SERVER,
    Cause.CANCELLED: Fault.NOBODY,
    Cause.NOT_VIABLE: Fault.NOBODY,
    Cause.INACTIVE: Fault.NOBODY,
    Cause.DECLINED: Fault.NOBODY,
}

CANCELLING = frozenset({Cause.CANCELLED, Cause.NOT_VIABLE, Cause.INACTIVE, Cause.DECLINED})
"""Ends of games at tables that count for nobody although nobody is at fault."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The one sentence about the end of a game: why, through whom (a nick, a master's id, or nobody), who said so."""

    cause: Cause
    culprit: str | None = None
    by_server: bool = False
    """True when the server ended the game because the master did not."""

    @property
    def fault(self) -> Fault:
        """Whose fault the end was."""
        return FAULT_OF[self.cause]

    @property
    def void(self) -> bool:
        """True when the game counts for nobody."""
        return self.fault in (Fault.MASTER, Fault.SERVER) or self.cause in CANCELLING


@dataclass(frozen=True, slots=True)
class SeatResult:
    """One seat at the end: who sat there, what it counts, and why the player left early if it did."""

    nick: str
    outcome: Outcome
    departure: Cause | None = None


@dataclass(frozen=True, slots=True)
class GameResult:
    """A finished game as it is kept for ever; ``seats`` in the order of beginGame."""

    game_id: str
    game_type: str
    master: str
    seats: tuple[SeatResult, ...]
    verdict: Verdict
    moves: int
    began_at: float
    ended_at: float
    championship: str = ""
    """The name of the championship it belongs to; empty in open play."""
    fixture: int = 0
    """Its number in the schedule of that championship."""
