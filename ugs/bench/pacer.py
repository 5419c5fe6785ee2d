"""Games at a natural pace: two players who think, and their master. A process of its own.

Started as ``python -m ugs.bench.pacer PLAN``, PLAN being the JSON of a :class:`PacerPlan`. It writes ``playing`` when
the games have begun. On ``play SECONDS`` it plays that long and writes the round trips as one line of JSON: nanoseconds
from sending a move to receiving the state that answers it. Between two orders the games stand still. It ends with its
input. A failure is one line on stderr and exit code 1.

Moves are made one after the other, each when its player has thought: one thing to wait for at a time, so this is a
dialogue with blocking sockets.
"""

import json
import random
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from heapq import heapify, heapreplace

from ugs.bench import payload
from ugs.bench.child import PlanFailed, run_plan
from ugs.bench.message_script import DOCUMENT_END, GAME_TYPE, Cutter
from ugs.wire.codec import DECLARATION

PATIENCE_S = 30.0
"""The longest time to wait for a message."""
RECEIVE_BYTES = 256 * 1024
PLAYERS = (b"ann", b"bob")
UNEVENNESS = 0.5
"""Players think up to this share of their usual time longer or shorter; otherwise all would happen in step."""


class PacerFailed(PlanFailed):
    """The game cannot be played; the text gives the reason."""


@dataclass(frozen=True, slots=True)
class PacerPlan:
    """Where the broker is, how long players think, how large their payloads are."""

    host: str
    port: int
    think_ms: float
    payload_bytes: int = 0
    games: int = 1
    """Each of a game type of its own."""


class PacedLine:
    """One connection, used in turns: send, then wait for an answer."""

    def __init__(self, plan: PacerPlan) -> None:
        self._socket = socket.create_connection((plan.host, plan.port), PATIENCE_S)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._cutter = Cutter()
        self._received: list[bytes] = []

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def send(self, document: bytes) -> None:
        """Send one document."""
        self._socket.sendall(DECLARATION + document)

    def receive(self, kind: bytes) -> bytes:
        """Return the next document, which must be of type ``kind``, without its end tag; skip ``championsList``
        documents. Raises PacerFailed when none comes or it has another type."""
        while True:
            while not self._received:
                data = self._socket.recv(RECEIVE_BYTES)
                if not data:
                    raise PacerFailed("the broker closed a connection in the middle of play")
                self._received = self._cutter.feed(data)
            document = self._received.pop(0)
            if b'type="%b"' % kind in document[:100]:
                return document
            if b'type="championsList"' not in document[:100]:
                raise PacerFailed(f"not {kind.decode()}: {document[:400].decode(errors='replace')!r}")


class Pacer:
    """One game, from the logins on; ``number`` distinguishes several."""

    def __init__(self, plan: PacerPlan, number: int = 0) -> None:
        self._think_s = plan.think_ms / 1000
        self._chance = random.Random(number + 1)
        self._moves = 0
        self._master, *players = [PacedLine(plan) for _ in range(3)]
        mark = b"%d" % number if number else b""
        self._nicks = [nick + mark for nick in PLAYERS]
        game_type = GAME_TYPE + mark
        self._players = dict(zip(self._nicks, players, strict=True))
        self._state_tail = payload.element(payload.STATE, plan.payload_bytes) + DOCUMENT_END
        self._move_tail = payload.element(payload.MOVE, plan.payload_bytes) + DOCUMENT_END
        self._master.send(
            b'<message type="gameMasterLogin"><gameMasterLogin id="pacer%b" gameType="%b" playersMin="2" '
            b'playersMax="2"/></message>' % (mark, game_type)
        )
        self._master.receive(b"loginResponse")
        for nick, player in self._players.items():
            login = b'<message type="playerLogin"><playerLogin nick="%b" gameType="%b"/></message>' % (nick, game_type)
            player.send(login)
            player.receive(b"loginResponse")
        begin = self._master.receive(b"beginGame")
        self._game = b'<gameId id="%b"/>' % begin.partition(b'<gameId id="')[2].partition(b'"')[0]
        self._show()

    def close(self) -> None:
        """Close all connections."""
        for line in (self._master, *self._players.values()):
            line.close()

    def think_s(self) -> float:
        """Return how long the player who has to move thinks now."""
        return self._think_s * self._chance.uniform(1 - UNEVENNESS, 1 + UNEVENNESS)

    @property
    def _mover(self) -> bytes:
        return self._nicks[self._moves % 2]

    def move(self) -> int:
        """Make the next move; return its round trip."""
        player = self._players[self._mover]
        moved_at = time.monotonic_ns()
        player.send(b'<message type="move">' + self._game + self._move_tail)
        self._master.receive(b"move")
        self._moves += 1
        return self._show(player) - moved_at

    def _show(self, waiting: PacedLine | None = None) -> int:
        """Send a state from the master. Return the moment when the waiting player has it; the others read it after
        that."""
        turn = b'<nextPlayer nick="%b"/>' % self._mover
        self._master.send(b'<message type="gameState">' + self._game + turn + self._state_tail)
        others = [player for player in self._players.values() if player is not waiting]
        if waiting is not None:
            waiting.receive(b"gameState")
        sent_at = time.monotonic_ns()
        for player in others:
            player.receive(b"gameState")
        return sent_at


def play(pacers: Sequence[Pacer], seconds: float) -> list[int]:
    """Play these games for ``seconds``; return the round trips of all moves, in order."""
    now = time.monotonic()
    end = now + seconds
    # Spread over the first period, so that the games are not in step.
    due = [(now + pacer.think_s() * number / len(pacers), number) for number, pacer in enumerate(pacers, 1)]
    heapify(due)
    trips = []
    while due[0][0] < end:
        moment, number = due[0]
        time.sleep(max(0.0, moment - time.monotonic()))
        trips.append(pacers[number - 1].move())
        # From now on, not from when it was due: players think after they have seen the state.
        heapreplace(due, (time.monotonic() + pacers[number - 1].think_s(), number))
    return trips


def play_windows(plan: PacerPlan) -> None:
    """Play as long as each order asks, and print the round trips."""
    with ExitStack() as stack:
        pacers = [stack.enter_context(closing(Pacer(plan, number))) for number in range(plan.games)]
        print("playing", flush=True)
        for line in sys.stdin:
            _, seconds = line.split()
            print(json.dumps(play(pacers, float(seconds))), flush=True)


if __name__ == "__main__":
    sys.exit(run_plan(play_windows, PacerPlan))
