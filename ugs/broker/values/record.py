"""What is recorded of a running game, so that it can be shown, replayed and taken over.

Seats are numbered from 0 in the order of ``beginGame``. An audience is a whole number: bit ``seat`` is set for each
seat that got the body.
"""

import json
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Protocol

from ugs.broker.verdict import Reason, Verdict
from ugs.wire.extensions import Label, SeatKind


class EntryKind(StrEnum):
    """What happened. Each member lists which of seat, audience, text and body its entries have."""

    BEGIN = "begin"
    """The master was asked to lead the game. None of the four: the seats are in the head of the record."""
    STATE = "state"
    """The master sent a state and named the player to move: ``seat``, or several: then ``seat`` is the first, and
    ``text`` is :func:`movers_text`. ``audience`` got ``body``, the payload, which spectators see as well."""
    VIEW = "view"
    """The players in ``audience`` get ``body`` instead of the body of the STATE or OVER that follows. No other player
    or spectator may ever see it."""
    SKETCH = "sketch"
    """``body`` is how the master has drawn the STATE or OVER that follows, for all who have no OWNSKETCH."""
    OWNSKETCH = "ownsketch"
    """``body`` is how that looks for the players in ``audience``. No other player or spectator may ever see it."""
    OVER = "over"
    """The master sent the result, or the server decided it: then there is no body. ``text`` is :func:`results_text`;
    ``audience`` got ``body``, the payload."""
    MOVE = "move"
    """The player at ``seat`` moved; ``body`` is the payload."""
    FAULT = "fault"
    """The last move, of the player at ``seat``, was refused by the master: it has changed nothing, and the server has
    decided what follows."""
    REMARK = "remark"
    """The player at ``seat`` remarked something; ``body`` is :func:`~ugs.broker.values.remark_json.remark_body`. While
    the game runs, no other player or spectator may see it."""
    OPENREMARK = "openremark"
    """The same, for spectators to read while the game runs; no other player is sent it."""
    LEFT = "left"
    """The player at ``seat`` is out of the game; ``text`` is the cause, a word of :class:`ugs.broker.verdict.Cause`."""
    REJOINED = "rejoined"
    """The player at ``seat``, who was out of the game, has its seat again."""
    ERROR = "error"
    """The player at ``seat`` reported an error; ``text`` is its text."""
    REFUSED = "refused"
    """The player at ``seat``, or the master (no seat), sent a wrong message; ``text`` is the error that it got."""
    REASON = "reason"
    """The master gave the reason of its next message: ``text`` is :func:`reason_text`. With ``seat`` this player broke
    a rule."""
    AWAY = "away"
    """The master's connection was lost; the game waits for it."""
    RESTORED = "restored"
    """A master has taken the game over: ``text`` is its id."""
    CUT = "cut"
    """The connection of the player at ``seat`` is lost; the seat is kept for it."""
    BACK = "back"
    """The player at ``seat`` has come back."""
    LABELS = "labels"
    """The master labelled the seats, those it plays itself included: ``text`` is :func:`labels_text`."""
    SETUP = "setup"
    """How the game begins is not left to chance: ``text`` is the set-up in the master's format. It is secret while the
    game runs."""
    VERDICT = "verdict"
    """The game has ended. ``text`` is the verdict in words; the outcomes are in the head of the record."""


BESIDE = frozenset({EntryKind.VIEW, EntryKind.SKETCH, EntryKind.OWNSKETCH})
"""Entries that belong to the STATE or OVER that follows."""

REMARKS = frozenset({EntryKind.REMARK, EntryKind.OPENREMARK})
"""Entries that a player adds before its move. They change nothing in the game."""


def places_of_refused(entries: Iterable["Happened"]) -> set[int]:
    """Return the indices of the MOVE entries that were refused with a FAULT."""
    refused: set[int] = set()
    last: dict[int | None, int] = {}
    for place, entry in enumerate(entries):
        if entry.kind is EntryKind.MOVE:
            last[entry.seat] = place
        elif entry.kind is EntryKind.FAULT and entry.seat in last:
            refused.add(last.pop(entry.seat))
    return refused


class Happened(Protocol):
    """An entry, as far as it shows who is in a game."""

    @property
    def kind(self) -> EntryKind:
        """What happened."""

    @property
    def seat(self) -> int | None:
        """To whom."""

    @property
    def text(self) -> str:
        """Why."""


def departed(entries: Iterable[Happened]) -> dict[int | None, str]:
    """Return the seats whose players are out of the game after these entries, in the order of leaving, each with the
    cause."""
    gone: dict[int | None, str] = {}
    for entry in entries:
        if entry.kind is EntryKind.LEFT:
            gone[entry.seat] = entry.text
        elif entry.kind is EntryKind.REJOINED:
            gone.pop(entry.seat, None)
    return gone


def results_text(results: Sequence[tuple[int, str]]) -> str:
    """The results of a ``gameOver`` (seat and word of each), in its order: ``1:winner 0:loser``."""
    return " ".join(f"{seat}:{word}" for seat, word in results)


def read_results(text: str) -> list[tuple[int, str]]:
    """:func:`results_text` read back. Raises ValueError for any other text."""
    pairs = [part.split(":", 1) for part in text.split()]
    return [(int(seat), word) for seat, word in pairs]


def movers_text(seats: Sequence[int]) -> str:
    """The seats that may move, with blanks between: ``0 2 3``; empty when there are fewer than two."""
    return " ".join(map(str, seats)) if len(seats) > 1 else ""


def read_movers(seat: int | None, text: str) -> list[int]:
    """The seats that may move, of a STATE entry with this seat and text. Raises ValueError for any other text."""
    if text:
        return [int(part) for part in text.split()]
    return [] if seat is None else [seat]


def labels_text(labels: Sequence[Label]) -> str:
    """The labels of the seats as a JSON list of [nick, label, kind]."""
    return json.dumps([[label.nick, label.label, label.kind.value] for label in labels], ensure_ascii=False)


def read_labels(text: str) -> tuple[Label, ...]:
    """:func:`labels_text` read back. Raises ValueError for any other text."""
    return tuple([Label(nick, label, SeatKind(kind)) for nick, label, kind in json.loads(text)])


def reason_text(code: str, text: str) -> str:
    """Return a master's reason as text: ``illegal-move: 99,18 is outside the board``. No code has a colon in it."""
    return f"{code}: {text}" if text else code


def read_reason(text: str) -> tuple[str, str]:
    """:func:`reason_text` read back: code and text. Of any other text there is no code."""
    code, colon, words = text.partition(": ")
    return (code, words) if colon or not text else (text, "")


def verdict_text(verdict: Verdict, reason: Reason | None = None) -> str:
    """Return a verdict with the master's reason as text: ``illegal move, fault: player of ann; taken: the field is
    taken``."""
    words = f"; {reason_text(reason.code, reason.text)}" if reason is not None else ""
    return f"{_judged(verdict)}{words}"


def read_verdict_reason(text: str, verdict: Verdict) -> tuple[str, str] | None:
    """Code and text of the reason in a :func:`verdict_text` of this verdict; None if there is none in it."""
    head = f"{_judged(verdict)}; "
    return read_reason(text.removeprefix(head)) if text.startswith(head) else None


def _judged(verdict: Verdict) -> str:
    culprit = f" of {verdict.culprit}" if verdict.culprit is not None else ""
    by_server = ", by the server" if verdict.by_server else ""
    return f"{verdict.cause}, fault: {verdict.fault}{culprit}{by_server}"


def seats_of(audience: int) -> list[int]:
    """The seats in an audience, ascending. ``audience`` must not be negative."""
    return [seat for seat in range(audience.bit_length()) if audience >> seat & 1]


def audience_of(seats: Iterable[int]) -> int:
    """The audience of these seats. Raises ValueError unless they ascend and none is negative."""
    audience = 0
    for seat in seats:
        # Any bit here or above means that this seat is not the largest so far.
        if audience >> seat:
            raise ValueError("the seats of an audience must ascend")
        audience |= 1 << seat
    return audience
