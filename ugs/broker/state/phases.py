"""The phases of a game, and what can happen to it::

    BEGUN   the master has got beginGame and must answer
    TURN    a player must move
    ANSWER  the master must answer a move, or the leaving of the player whose turn it was
    ALONE   all but one player have left; the master must report who won
    AWAY    the master's connection is lost; another one may take the game over within the grace
    TAKING  another master has been asked to take it over and must answer
    CLOSING the result is known to the server and on its way to the disk; no peer knows it yet
    OVER    all players have got the result; thank yous are awaited

One clock runs for the peer that must act, in every phase except CLOSING, where the disk must act, and TURN while the
players who must move have not come back since the server was lost: then their sessions run out.
"""

from enum import StrEnum


class Phase(StrEnum):
    """Where a game stands; see the top of this module."""

    __hash__ = str.__hash__  # that of an enumeration is written in Python, and asked for with every message

    BEGUN = "begun"
    TURN = "turn"
    ANSWER = "answer"
    ALONE = "alone"
    AWAY = "away"
    TAKING = "taking"
    CLOSING = "closing"
    OVER = "over"


class Happening(StrEnum):
    """What can happen to a game, after the message or event itself was found to be in order."""

    __hash__ = str.__hash__  # that of an enumeration is written in Python, and asked for with every message

    STATE = "state"
    """The master named the next player."""
    GAME_OVER = "game over"
    """The master sent the results of all players."""
    MOVE = "move"
    """The player whose turn it is moved."""
    FAULT = "fault"
    """The master refused the move that it was given last."""
    LEFT = "left"
    """A player is no longer in the game (and the master knows, if it can)."""
    CLOCK = "clock"
    """The peer that must act did not in time."""
    GIVEN_UP = "given up"
    """The master gives the game up."""
    MASTER_GONE = "master gone"
    """The master's connection is lost."""
    KEPT = "kept"
    """The result is on disk."""
    HANDED_OVER = "handed over"
    """A master that can take the game over has been found."""
    REVIVED = "revived"
    """The server was lost, and is back with the game."""
    SERVER_DECIDES = "server decides"
    """The server decides who won, since the master does not."""
    ADJUDICATED = "adjudicated"
    """An organiser decides who won."""
    CANCELLED = "cancelled"
    """The game at a table ends without a result."""
    VOIDED = "voided"
    """The game ends and does not count."""
