"""Bots and masters of the kit at a real broker, with connections that can be cut; no I/O, no clock.

What a client sends stays on its line until it arrives, and what it is sent stays in its box until it reads. A seeded
draw decides who is next, so that a seed gives the same story each time. A cut line loses what is on it, and its client
comes back.
"""

import random
from collections import deque
from collections.abc import Sequence

from game_masters.kit.client import Client, Effect, Finish, Note, Pause, Reconnect, Send
from tests.broker.house import House, Peer
from ugs.wire.messages import Message

MAX_STORY = 20_000
"""At most this many steps."""
CHANCE_OF_A_CUT = 0.03
MOMENT_S = 0.01
"""Seconds from one step to the next."""


class Line:
    """A client and its connection."""

    def __init__(self, house: House, client: Client) -> None:
        self.client = client
        self.exit_code: int | None = None
        self.notes: list[str] = []
        self._house = house
        self._peer: Peer
        self._to_do: deque[Effect]
        self._under_way: deque[Message]
        self._wakes_at = 0.0
        self.dials()

    def dials(self) -> None:
        """Begin a new connection."""
        self._peer = self._house.connects()
        self._to_do = deque(self.client.connected())
        self._under_way = deque()
        self._wakes_at = 0.0

    @property
    def has_session(self) -> bool:
        """Return whether the client could come back, as far as it knows."""
        return "session" in self.notes

    def is_cut(self) -> None:
        """Cut the connection, and drop what is on it."""
        self.is_lost()
        self.dials()

    def is_lost(self) -> None:
        """Cut the connection for good: the client does not come back."""
        self._to_do.clear()
        self._under_way.clear()
        if not self._peer.is_closed():
            self._peer.is_lost()

    def steps(self, rng: random.Random) -> bool:
        """Do one thing, if there is any."""
        can_work = bool(self._to_do) and self._house.now >= self._wakes_at
        if self._under_way and (not can_work or rng.random() < 0.5):
            message = self._under_way.popleft()
            if not self._peer.is_closed():
                self._peer.says(message)
        elif can_work:
            self._works(self._to_do.popleft())
        elif not self._to_do and self._peer.mail:
            self._to_do.extend(self.client.received(self._peer.mail.pop(0)))
        else:
            return False
        return True

    def _works(self, effect: Effect) -> None:
        match effect:
            case Send(message=message):
                self._under_way.append(message)
            case Pause(seconds=seconds):
                self._wakes_at = self._house.now + seconds
            case Note(event=event):
                self.notes.append(event)
            case Finish(exit_code=exit_code):
                self.exit_code = exit_code
            case Reconnect():
                self.is_cut()


def play(house: House, rng: random.Random, lines: Sequence[Line], players: Sequence[Line], cuts: int = 0) -> None:
    """Let things happen, with ``cuts`` cuts at random moments, until all these players have ended."""
    for _ in range(MAX_STORY):
        waiting = [line for line in players if line.exit_code is None]
        if not waiting:
            return
        can_come_back = [line for line in waiting if line.has_session]
        if cuts and can_come_back and rng.random() < CHANCE_OF_A_CUT:
            cuts -= 1
            rng.choice(can_come_back).is_cut()
        if not any(line.steps(rng) for line in rng.sample(lines, len(lines))):
            house.passes(0.5)
        house.passes(MOMENT_S)
    raise AssertionError(f"it does not end; what they say last: {[line.notes[-5:] for line in players]}")
