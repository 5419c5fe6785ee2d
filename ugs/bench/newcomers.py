"""Players who all log in at once, wait, and play when the master of their games comes. A process of its own.

Started as ``python -m ugs.bench.newcomers PLAN``, PLAN being the JSON of a :class:`NewcomersPlan`. It writes ``ready``,
waits for a line, and writes a :class:`Rush` as JSON when all logins were answered and the players have played. A
failure is one line on stderr and exit code 1.
"""

import sys
import time
from contextlib import closing
from dataclasses import dataclass

import msgspec

from ugs.bench.child import run_plan
from ugs.bench.connections import STANDARD_FILES, Connections
from ugs.bench.load import PLAYERS_PER_GAME, Load
from ugs.bench.message_counts import MessageTally
from ugs.bench.message_script import ScriptedMaster, ScriptedPlayer, accepts
from ugs.bench.process import allow_open_files


@dataclass(frozen=True, slots=True)
class NewcomersPlan:
    """Where the broker is, how many players come, and how many seconds they play when all are there."""

    host: str
    port: int
    players: int
    play_s: float


@dataclass(slots=True)
class Rush:
    """What came of it. Only ever grows."""

    answered: int = 0
    refused: int = 0
    answered_s: float = 0.0
    """Seconds from the first login to the last answer."""
    lists: int = 0
    list_bytes: int = 0
    """Bytes of ``championsList``."""
    received_bytes: int = 0
    """Bytes that players and master got."""
    states: int = 0


class RushingPlayer(ScriptedPlayer):
    """A player that counts what it is refused and what its tables cost."""

    def __init__(self, nick: bytes, load: Load, tally: MessageTally, rush: Rush) -> None:
        super().__init__(nick, load, tally)
        self._rush = rush

    def _login_answered(self, document: bytes) -> bytes:
        self.admitted = accepts(document)
        self.finished = not self.admitted  # a server closes the connection of a player that it has refused
        self._rush.answered += 1
        self._rush.refused += not self.admitted
        return b""

    def _table(self, document: bytes) -> bytes:
        self._rush.lists += 1
        self._rush.list_bytes += len(document)
        return b""


def play(plan: NewcomersPlan) -> None:
    """Wait for the order, let all players log in without waiting for one another; then bring the master, and play."""
    load = Load(plan.players // PLAYERS_PER_GAME)
    tally, rush = MessageTally(), Rush()
    with closing(Connections(plan.host, plan.port)) as connections:
        allow_open_files(plan.players + STANDARD_FILES)
        print("ready", flush=True)
        sys.stdin.readline()
        begun = time.monotonic()
        connections.rush(RushingPlayer(b"newcomer-%d" % number, load, tally, rush) for number in range(plan.players))
        while rush.answered < plan.players:
            connections.turn(-1)
        rush.answered_s = time.monotonic() - begun
        connections.admit([ScriptedMaster(b"master", load, tally)])
        until = time.monotonic() + plan.play_s
        while time.monotonic() < until:
            connections.turn(0.1)
        rush.received_bytes, rush.states = connections.received_bytes, tally.states
        print(msgspec.json.encode(rush).decode(), flush=True)


if __name__ == "__main__":
    sys.exit(run_plan(play, NewcomersPlan))
