"""The past of a running game is on disk, not in memory: what the broker asks to be read again, and what is found.

A public event has the number of its place in the game, from 1. What is in memory of a game are its last events
(:mod:`ugs.broker.state.history`); a wish is for earlier ones.
"""

import math
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final, NamedTuple

from ugs.broker.values.record import EntryKind
from ugs.value import value

PUBLIC: Final = frozenset(
    {
        EntryKind.BEGIN,
        EntryKind.SKETCH,
        EntryKind.STATE,
        EntryKind.MOVE,
        EntryKind.OPENREMARK,
        EntryKind.FAULT,
        EntryKind.LEFT,
        EntryKind.REJOINED,
        EntryKind.OVER,
        EntryKind.VERDICT,
    }
)
"""The entries of a game that are its public events."""
SENT_AGAIN: Final = frozenset({EntryKind.MOVE, EntryKind.FAULT, EntryKind.LEFT, EntryKind.REJOINED})
"""The past events that a successor of the master gets, except for moves that were refused with a FAULT."""


MAX_LISTED_BYTES: Final = 262_144
"""All states of a game that a player gets at once have at most this many bytes."""


class Use(StrEnum):
    """Why the past is read again."""

    TAKEOVER = "takeover"
    """Another master takes the game over: all past events for it. The game waits until then; subject: the game id."""
    SPECTATOR = "spectator"
    """A spectator gets the past; subject: its conn."""
    SHOWING = "showing"
    """A spectator begins in the middle: how the game stood then. Subject: its conn."""
    CHANNEL = "channel"
    """Spectators with a delay get events that are old enough; subject: the name of the channel."""
    PLAYER = "player"
    """A player gets all past states; subject: its conn."""
    PAGE = "page"
    """The page shows the game; subject: nothing."""


@value
class Wish:
    """Read the past events of a game after number ``after`` up to number ``until``; none later than ``until_s`` seconds
    after the begin, and at most about ``most_events`` and ``most_bytes``, but at least one."""

    use: Use
    subject: str
    game_id: str
    until: int
    after: int = 0
    until_s: float = math.inf
    most_events: int = 200
    most_bytes: int = 262_144


class PastEvent(NamedTuple):
    """A public event of a game."""

    number: int
    after_s: float
    """Seconds from the begin of the game."""
    kind: EntryKind
    seat: int | None
    text: str
    body: bytes


@value
class Recollected:
    """What was found. If the past of the game is no longer kept: ``forgotten``, and no events."""

    events: tuple[PastEvent, ...] = ()
    number: int = 0
    """Of the last event that was looked at; for :attr:`Use.SHOWING` that of the moment."""
    next_s: float | None = None
    """When the next event came, in seconds from the begin, where that is too young."""
    forgotten: bool = False


def select(wish: Wish, events: Iterable[PastEvent]) -> Recollected:
    """What a wish finds in the events of its game, which come in order, those up to ``wish.after`` or not."""
    events = (event for event in events if event.number > wish.after)
    if wish.use is Use.TAKEOVER:
        return _to_be_sent_again(wish, events)
    if wish.use is Use.SHOWING:
        return _as_it_stood(wish, events)
    taken: list[PastEvent] = []
    size = 0
    for event in _until(wish, events):
        if event.after_s > wish.until_s:
            return Recollected(tuple(taken), event.number - 1, event.after_s)
        # At least one: a state larger than a piece could never be read otherwise.
        if taken and (len(taken) >= wish.most_events or size + len(event.body) > wish.most_bytes):
            break
        taken.append(event)
        size += len(event.body)
    return Recollected(tuple(taken), taken[-1].number if taken else wish.after)


def _until(wish: Wish, events: Iterable[PastEvent]) -> Iterator[PastEvent]:
    for event in events:
        yield event
        if event.number >= wish.until:
            return


def _to_be_sent_again(wish: Wish, events: Iterable[PastEvent]) -> Recollected:
    number = wish.after
    events_again = []
    for event in _until(wish, events):
        number = event.number
        if event.kind in SENT_AGAIN:
            events_again.append(event)
    return Recollected(tuple(events_again), number)


def _as_it_stood(wish: Wish, events: Iterable[PastEvent]) -> Recollected:
    """Return the position of a game at a time: who had left, the last state before with its sketch, and later
    events."""
    number = wish.after
    left: dict[int | None, PastEvent] = {}
    latest: list[PastEvent] = []
    sketch: list[PastEvent] = []
    for event in _until(wish, events):
        if event.after_s > wish.until_s:
            break
        number = event.number
        if event.kind is EntryKind.STATE:
            # A sketch comes right before the state that it belongs to.
            latest = sketch
        elif event.kind is EntryKind.LEFT:
            left[event.seat] = event
        elif event.kind is EntryKind.REJOINED:
            left.pop(event.seat, None)
        latest.append(event)
        sketch = [event] if event.kind is EntryKind.SKETCH else []
    return Recollected((*left.values(), *latest), number)
