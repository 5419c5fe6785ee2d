"""What is written down about a game while it runs, so that it can be told again.

Seats are numbered from 0 in the order of ``beginGame``; an audience is a whole number whose bit ``seat`` is set for
every seat that was told.
"""

import json
from collections.abc import Sequence
from enum import StrEnum

from ugs.wire.extensions import Label, SeatKind


class EntryKind(StrEnum):
    """What happened. Which of seat, audience, text and body an entry has is said with each."""

    BEGIN = "begin"
    """The master was asked to lead the game. None of them: who sits where is the head of the record."""
    STATE = "state"
    """The master told a state and named the player to move: ``seat``; ``text`` is :func:`movers_text` when it named
    several, else empty. ``audience`` are those who got ``body``, the payload, which is also what spectators see."""
    VIEW = "view"
    """The players in ``audience`` get ``body`` in place of that of the STATE or OVER which follows. Nobody else may
    ever see it."""
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
    RESTORED = "restored"
    """A master has taken the game over: ``text`` is its id."""
    CUT = "cut"
    """The line of the player at ``seat`` is cut; the seat waits for it."""
    BACK = "back"
    """The player at ``seat`` is there again."""
    LABELS = "labels"
    """The master named the seats, its own among them: ``text`` is :func:`labels_text`."""
    VERDICT = "verdict"
    """The game has ended. ``text`` is the verdict in words; what it counts is the head of the record."""


def results_text(results: Sequence[tuple[int, str]]) -> str:
    """The results of a ``gameOver`` in its order, as ``seat:word`` with blanks between: ``1:winner 0:loser``."""
    return " ".join(f"{seat}:{word}" for seat, word in results)


def read_results(text: str) -> list[tuple[int, str]]:
    """:func:`results_text` read back. Raises ValueError for any other text."""
    pairs = [part.split(":", 1) for part in text.split()]
    return [(int(seat), word) for seat, word in pairs]


def movers_text(seats: Sequence[int]) -> str:
    """Several seats that may move, with blanks between: ``0 2 3``; a single one is not written."""
    return " ".join(map(str, seats)) if len(seats) > 1 else ""


def read_movers(seat: int | None, text: str) -> list[int]:
    """The seats that may move, of a STATE entry with this seat and text. Raises ValueError for any other text."""
    if text:
        return [int(part) for part in text.split()]
    return [] if seat is None else [seat]


def labels_text(labels: Sequence[Label]) -> str:
    """What a master says of its seats, as a JSON list of nick, label and kind."""
    return json.dumps([[label.nick, label.label, label.kind.value] for label in labels], ensure_ascii=False)


def read_labels(text: str) -> tuple[Label, ...]:
    """:func:`labels_text` read back. Raises ValueError for any other text."""
    return tuple([Label(nick, label, SeatKind(kind)) for nick, label, kind in json.loads(text)])
