"""How a game ended, whose fault it was, and what it counts for each seat. Sentences about it are made in
``verdict_sentences.py``.

A fault of a player counts against that player. A fault of the master or of the server makes the game void.
"""

from enum import StrEnum

from ugs.value import value


class Cause(StrEnum):
    """Why a game ended, or why one player left it early."""

    FINISHED = "finished"
    """The master sent who won."""
    DRAW = "draw"
    """The master gave all players who were still there the same result."""
    LEFT = "left"
    """A player sent leaveGame."""
    LOGOUT = "logout"
    """A player sent logout."""
    DISCONNECTED = "connection lost"
    """A player's connection was lost."""
    DOCUMENT_REFUSED = "document refused"
    """The server has closed a player's connection, since its bytes could not be read as documents."""
    WRONG_MESSAGES = "wrong messages"
    """The server has closed a player's connection, since it sent too many wrong messages."""
    FLOOD = "flood"
    """The server has closed a player's connection, since it sent more than the limits allow."""
    NOT_READ = "does not read"
    """The server has closed a player's connection, since the player did not read."""
    SILENT = "silent"
    """The server has closed a player's connection, since the player had sent nothing for too long."""
    TIMEOUT = "timeout"
    """A player did not move in time."""
    REMOVED = "removed"
    """The master took a player out."""
    ILLEGAL_MOVE = "illegal move"
    """A player broke a rule of the game, according to the master."""
    NO_BEGINNING = "no beginning"
    """The master declined beginGame, or did not answer it in time."""
    MASTER_SILENT = "master silent"
    """The master did not answer a move or a leave in time."""
    GIVEN_UP = "given up"
    """The master gave the game up in the middle."""
    MASTER_LOST = "master lost"
    """The master's connection was lost and did not come back in time."""
    TAKEOVERS_LOST = "takeovers lost"
    """Several masters in a row took the game over, and each was lost by that."""
    SHUTDOWN = "server shutdown"
    """The server was stopped in the middle of the game."""
    SERVER_BUG = "server bug"
    """A player's connection was lost by a bug in the server."""
    SERVER_LOST = "server lost"
    """The server was killed, and came back without the game."""
    FORFEIT = "forfeit"
    """It was not played: an entrant of the championship had left for good."""
    JOURNAL_LOST = "journal lost"
    """The server could not write its journal."""
    CANCELLED = "cancelled"
    """The owner of the table ended its game, or left it."""
    NOT_VIABLE = "not viable"
    """Too few seats of the table were left to go on."""
    INACTIVE = "inactive"
    """No player at the table had done anything for too long."""
    DECLINED = "declined"
    """The master cannot lead a game with these options or seats."""
    TOO_LARGE = "too large"
    """The moves and states of the game took more bytes than one game may."""
    MOVED_TOO_MUCH = "moves too large"
    """The same, and most of it were moves of one player."""
    STATES_TOO_LARGE = "states too large"
    """The master sent more states without a move between them than the players' lines can take."""
    EXPELLED = "expelled"
    """An organiser has removed a player from the server."""
    VOIDED = "voided"
    """An organiser has ended the game; it does not count."""
    ADJUDICATED = "adjudicated"
    """An organiser has decided who won."""


class Fault(StrEnum):
    """Whose fault an end was."""

    NONE = "nobody"
    PLAYER = "player"
    MASTER = "master"
    SERVER = "server"


class Outcome(StrEnum):
    """What the game counts for one seat."""

    WON = "won"
    LOST = "lost"
    DRAWN = "drawn"
    VOID = "void"


BY_MASTER = frozenset({Cause.REMOVED, Cause.ILLEGAL_MOVE})
"""Why a player left early, where it was the master that took it out (``playerLeftGame``)."""

CLOSED = frozenset({Cause.DOCUMENT_REFUSED, Cause.WRONG_MESSAGES, Cause.FLOOD, Cause.NOT_READ, Cause.SILENT})
"""Why the server has closed a player's connection for a mistake of the player; a :class:`Reason` has the details."""
MASTER_CLOSED = {
    Cause.DOCUMENT_REFUSED: "the game master's document was refused",
    Cause.WRONG_MESSAGES: "the game master sent too many wrong messages",
    Cause.FLOOD: "the game master sent more than the limits allow",
}
"""The same of a master, for the players of its games: not what was in its bytes."""
MASTER_GONE = frozenset({Cause.MASTER_LOST, Cause.TAKEOVERS_LOST})
"""Ends by the loss of a master's connection."""
MAX_TAKEOVERS_LOST = 3
"""A game is given up when this many masters in a row have taken it over and were lost by that, the last by it alone."""
BEYOND_LIMIT = frozenset({Cause.TOO_LARGE, Cause.MOVED_TOO_MUCH, Cause.STATES_TOO_LARGE})
"""Ends by a limit of the server; a :class:`Reason` names the limit and the value."""
GIVEN_BY_SERVER = CLOSED | BEYOND_LIMIT
"""Causes whose :class:`Reason` comes from the server, not the master."""
LINE_LOST = CLOSED | {Cause.DISCONNECTED, Cause.SERVER_BUG}
"""Why a player's connection was gone, without a farewell."""

POINTS: dict[Outcome, float] = {Outcome.WON: 1.0, Outcome.DRAWN: 0.5, Outcome.LOST: 0.0, Outcome.VOID: 0.0}
"""What an outcome is worth, wherever points are counted."""


@value
class CauseFacts:
    """All that follows from a cause. In the texts ``{culprit}`` stands for a nick or a master's id, ``{master}`` for
    the id of the game's master."""

    fault: Fault
    counts: bool
    """Whether a game with this cause counts; if not, it is void."""
    notice: str
    """For players, at once: why the game has ended, or why the player left."""
    account: str
    """For people who ask afterwards (``ugs why``), in the past tense."""


def complete(rows: dict[Cause, CauseFacts]) -> dict[Cause, CauseFacts]:
    """Return ``rows``. Raises LookupError when a cause has none: when this module is imported, not when a game ends."""
    missing = [cause.name for cause in Cause if cause not in rows]
    if missing:
        raise LookupError(f"the table of causes has no row for {', '.join(missing)}")
    return rows


ROWS: dict[Cause, CauseFacts] = {
    Cause.FINISHED: CauseFacts(
        Fault.NONE,
        True,
        "the game master has named the winner",
        "the game master {master} named the winner",
    ),
    Cause.DRAW: CauseFacts(
        Fault.NONE,
        True,
        "no player has won",
        "a draw: the game master {master} gave all who were still there the same result",
    ),
    Cause.LEFT: CauseFacts(
        Fault.PLAYER,
        True,
        "{culprit} has left",
        "{culprit} left the game (leaveGame)",
    ),
    Cause.LOGOUT: CauseFacts(
        Fault.PLAYER,
        True,
        "{culprit} has logged out",
        "{culprit} logged out in the middle of it",
    ),
    Cause.DISCONNECTED: CauseFacts(
        Fault.PLAYER,
        True,
        "the line of {culprit} is lost",
        "the connection of {culprit} was lost",
    ),
    Cause.DOCUMENT_REFUSED: CauseFacts(
        Fault.PLAYER,
        True,
        "the server has refused a document of {culprit} and closed its line",
        "the server refused a document of {culprit}, and closed its connection",
    ),
    Cause.WRONG_MESSAGES: CauseFacts(
        Fault.PLAYER,
        True,
        "the server has closed the line of {culprit} for too many wrong messages",
        "the server closed the connection of {culprit} for too many wrong messages",
    ),
    Cause.FLOOD: CauseFacts(
        Fault.PLAYER,
        True,
        "the server has closed the line of {culprit}, which sent too much",
        "the server closed the connection of {culprit}, which sent too much",
    ),
    Cause.NOT_READ: CauseFacts(
        Fault.PLAYER,
        True,
        "the server has closed the line of {culprit}, which did not read what it was sent",
        "the server closed the connection of {culprit}, which did not read what it was sent",
    ),
    Cause.SILENT: CauseFacts(
        Fault.PLAYER,
        True,
        "the server has closed the line of {culprit}, which had been silent for too long",
        "the server closed the connection of {culprit}, which had been silent for too long (player_inactive_s)",
    ),
    Cause.TIMEOUT: CauseFacts(
        Fault.PLAYER,
        True,
        "{culprit} has not moved in time",
        "{culprit} did not move in time",
    ),
    Cause.REMOVED: CauseFacts(
        Fault.PLAYER,
        True,
        "the game master has removed {culprit}",
        "the game master {master} took {culprit} out (playerLeftGame)",
    ),
    Cause.ILLEGAL_MOVE: CauseFacts(
        Fault.PLAYER,
        True,
        "{culprit} has broken a rule of the game",
        "{culprit} broke a rule of the game",
    ),
    Cause.NO_BEGINNING: CauseFacts(
        Fault.MASTER,
        False,
        "the game master did not begin it",
        "the game master {culprit} declined beginGame, or did not answer it in time",
    ),
    Cause.MASTER_SILENT: CauseFacts(
        Fault.MASTER,
        False,
        "the game master does not answer",
        "the game master {culprit} did not answer a move or a departure in time",
    ),
    Cause.GIVEN_UP: CauseFacts(
        Fault.MASTER,
        False,
        "the game master has given it up",
        "the game master {culprit} gave it up in the middle",
    ),
    Cause.MASTER_LOST: CauseFacts(
        Fault.MASTER,
        False,
        "the game master is gone",
        "the connection of the game master {culprit} was lost, and no other one took the game over in time",
    ),
    Cause.TAKEOVERS_LOST: CauseFacts(
        Fault.MASTER,
        False,
        "each game master that has taken it over was lost at once",
        f"the connection of its game master was lost; one took it over {MAX_TAKEOVERS_LOST} times in a row or more, at "
        "last {culprit}, and was lost each time before the game went on",
    ),
    Cause.SHUTDOWN: CauseFacts(
        Fault.SERVER,
        False,
        "the server is shutting down",
        "the server was stopped in the middle of it",
    ),
    Cause.SERVER_BUG: CauseFacts(
        Fault.SERVER,
        False,
        "the server has a bug, and has lost the line of a player",
        "a bug in the server lost the connection of a player; see its log",
    ),
    Cause.SERVER_LOST: CauseFacts(
        Fault.SERVER,
        False,
        "the server was lost and came back without it",
        "the server was gone all of a sudden, and came back without it",
    ),
    Cause.FORFEIT: CauseFacts(
        Fault.PLAYER,
        True,
        "it was not played: {culprit} had left the championship",
        "it was not played: {culprit} had left the championship",
    ),
    Cause.JOURNAL_LOST: CauseFacts(
        Fault.SERVER,
        False,
        "the server cannot write down what happens",
        "the server could not write down what happened",
    ),
    Cause.CANCELLED: CauseFacts(
        Fault.NONE,
        False,
        "{culprit} has cancelled it",
        "{culprit}, who had set up its table, ended it",
    ),
    Cause.NOT_VIABLE: CauseFacts(
        Fault.NONE,
        False,
        "too few are left",
        "too few seats were left at its table to go on",
    ),
    Cause.INACTIVE: CauseFacts(
        Fault.NONE,
        False,
        "nothing has happened for long",
        "no player at its table had done anything for long",
    ),
    Cause.DECLINED: CauseFacts(
        Fault.NONE,
        False,
        "the game master cannot lead this game",
        "the game master {master} cannot lead a game with these options or seats",
    ),
    Cause.TOO_LARGE: CauseFacts(
        Fault.NONE,
        False,
        "its moves and states have become too large",
        "its moves and states took more bytes than one game may (max_game_bytes), or the most when there was no more "
        "room for all games of its masters' address or of the server (max_held_bytes_per_ip, max_held_bytes)",
    ),
    Cause.MOVED_TOO_MUCH: CauseFacts(
        Fault.PLAYER,
        True,
        "the moves of {culprit} have become too large",
        "the moves of {culprit} took more than one player's share of the bytes that a game may take (max_game_bytes), "
        "or that there was room for (max_held_bytes)",
    ),
    Cause.STATES_TOO_LARGE: CauseFacts(
        Fault.MASTER,
        False,
        "the game master has sent too much",
        "the game master {culprit} sent more states, labels and sketches without a move between than the players' "
        "lines can take (half of max_outbox_bytes, or twice max_message_bytes)",
    ),
    Cause.EXPELLED: CauseFacts(
        Fault.PLAYER,
        True,
        "the organiser has removed {culprit}",
        "the organiser removed {culprit} from the server",
    ),
    # Like an end by the server: in a championship it is played again, any number of times.
    Cause.VOIDED: CauseFacts(
        Fault.SERVER,
        False,
        "the organiser has ended it",
        "the organiser ended it as void",
    ),
    Cause.ADJUDICATED: CauseFacts(
        Fault.NONE,
        True,
        "the organiser has decided it",
        "the organiser decided it",
    ),
}
"""Everything about each cause, once; a new one is a member of :class:`Cause` and a row here."""

CAUSES = complete(ROWS)


@value
class Verdict:
    """Why a game ended, through whom, and who decided. ``culprit`` is a nick or a master's id; None if no peer is to
    blame."""

    cause: Cause
    culprit: str | None = None
    by_server: bool = False
    """True when the server ended the game because the master did not."""

    @property
    def fault(self) -> Fault:
        """Whose fault the end was."""
        return CAUSES[self.cause].fault

    @property
    def void(self) -> bool:
        """True when the game does not count."""
        return not CAUSES[self.cause].counts


@value
class Reason:
    """A game master's reason for an end or a broken rule; or why the server has closed the connection of a player or
    ended the game (:data:`SAID_BY_SERVER`). ``text`` is one printable line."""

    code: str
    """A word of its rules, of letters, digits, ``-``, ``_`` and ``.``."""
    text: str
    nick: str = ""
    """The player who broke a rule; empty if none did."""
    draw: bool | None = None
    """Whether equal results are a draw; None if the master did not specify it."""


@value
class SeatResult:
    """One seat at the end of a game: its player, what the game counts for it, and why it left early, if it did."""

    nick: str
    outcome: Outcome
    departure: Cause | None = None
    refused: int = 0
    """How many of its moves the master has refused."""


@value
class GameResult:
    """A finished game as it is kept. ``seats`` in the order of beginGame; ``began_at`` and ``ended_at`` are seconds of
    the broker's clock."""

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
