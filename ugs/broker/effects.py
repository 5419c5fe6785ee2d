"""What the broker may ask of the shell. Effects are carried out in the order in which they are given."""

from collections.abc import Mapping
from dataclasses import field
from typing import TypeAlias

from ugs.broker.events import Timer
from ugs.broker.verdict import GameResult
from ugs.value import value
from ugs.wire.messages import Message


@value
class Send:
    """Hand this message to each of these connections."""

    to: tuple[int, ...]
    message: Message


@value
class Admit:
    """This connection has logged in: from now on the larger message limit holds for it."""

    conn: int


@value
class Close:
    """Close this connection once all that was sent to it has gone out. The broker has forgotten it already."""

    conn: int


@value
class StartTimer:
    """Fire ``timer`` in so many seconds, counted from now or, with ``after``, from the moment at which everything
    sent to that connection so far has been handed to the network."""

    timer: Timer
    seconds: float
    after: int | None = None


@value
class StopTimer:
    """Forget this timer; it need not be running."""

    timer: Timer


@value
class RecordResult:
    """A game has ended; this is for ever. It comes before the messages that announce it."""

    result: GameResult


@value
class Note:
    """Something happened that people may want to read in the log."""

    event: str
    fields: Mapping[str, object] = field(default_factory=dict)
    warning: bool = False


@value
class Stopped:
    """Everybody has been told; the shell may end once the outboxes are empty."""


Effect: TypeAlias = Send | Admit | Close | StartTimer | StopTimer | RecordResult | Note | Stopped
