"""What is written down about a game while it runs, so that it can be told again.

Seats are numbered from 0 in the order of ``beginGame``; an audience is a whole number whose bit ``seat`` is set for
every seat that was told.
"""

from collections.abc import Sequence
from enum import StrEnum


class EntryKind(StrEnum):
    """What happened. Which of seat, audience, text and body an entry has is said with each."""

    BEGIN = "begin"
    """The master was asked to lead the game. None of them: who sits where is the head of the record."""
    STATE = "state"
    """The master told a state and named the player to move: ``seat``. ``audience``; ``body`` is the payload."""
    OVER = "over"
    """The master (or, without a body, the server) told the result: ``text`` is :func:`results_text`. ``audience``;
    ``body`` is the payload."""
    MOVE = "move"
    """The player at ``seat`` moved; ``body`` is the payload."""
    LEFT = "left"
    """The player at ``seat`` is out of the game; ``text`` is the cause, a word of :class:`ugs.broker.verdict.Cause`."""
    ERROR = "error"
    """The player at ``seat`` reported an error; ``text`` is what it said."""
    REFUSED = "refused"
    """The player at ``seat``, or the master (no seat), said something wrong; ``text`` is what it was told."""
    AWAY = "away"
    """The master's connection was lost; the game waits for it."""
    VERDICT = "verdict"
    """The game has ended. ``text`` is the verdict in words; what it counts is the head of the record."""


def results_text(results: Sequence[tuple[int, str]]) -> str:
    """The results of a ``gameOver`` in its order, as ``seat:word`` with blanks between: ``1:winner 0:loser``."""
    return " ".join(f"{seat}:{word}" for seat, word in results)


def read_results(text: str) -> list[tuple[int, str]]:
    """:func:`results_text` read back. Raises ValueError for any other text."""
    pairs = [part.split(":", 1) for part in text.split()]
    return [(int(seat), word) for seat, word in pairs]
