"""Peers that are there and do nothing, beside those who play. A process of its own.

Started as ``python -m ugs.bench.bystanders PLAN``, PLAN being the JSON of a :class:`BystandersPlan`. It writes
``there`` when all are where they should be, goes on reading, and ends with its input. A failure is one line on stderr
and exit code 1.
"""

import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum

from ugs.bench.child import run_plan
from ugs.bench.connections import STANDARD_FILES, Connections
from ugs.bench.load import PLAYERS_PER_GAME, Load
from ugs.bench.message_counts import MessageTally
from ugs.bench.message_script import PacedPlayer, Script, ScriptedMaster, ScriptedPlayer
from ugs.bench.orders import Orders
from ugs.bench.process import allow_open_files

STILL = b"still"


class BystandersDoing(StrEnum):
    """What they do."""

    THINK = "think"
    """They sit in games of a type of their own, without any moves."""
    WAIT = "wait"
    """Each waits for a game of a type of its own, which has no master."""
    REST = "rest"
    """All wait for a game of one type, which has no master."""


@dataclass(frozen=True, slots=True)
class BystandersPlan:
    """Where the broker is, how many players come, and what they do there."""

    host: str
    port: int
    players: int
    doing: str

    @property
    def games(self) -> int:
        """How many games they play."""
        return self.players // PLAYERS_PER_GAME if self.doing == BystandersDoing.THINK else 0


def thinkers(plan: BystandersPlan, tally: MessageTally) -> Iterator[Script]:
    """Players whose moves are never due, and their master."""
    load = Load(plan.games)
    for number in range(load.players):
        yield PacedPlayer(b"thinker-%d" % number, load, tally, deque(), STILL)
    yield ScriptedMaster(b"still", load, tally, game_type=STILL)


def waiters(plan: BystandersPlan, tally: MessageTally) -> Iterator[Script]:
    """A player for each of very many game types."""
    for number in range(plan.players):
        yield ScriptedPlayer(b"waiter-%d" % number, Load(), tally, game_type=b"type-%d" % number)


def resters(plan: BystandersPlan, tally: MessageTally) -> Iterator[Script]:
    """Players of one game type."""
    for number in range(plan.players):
        yield ScriptedPlayer(b"rester-%d" % number, Load(), tally, game_type=STILL)


SCRIPTS: dict[str, Callable[[BystandersPlan, MessageTally], Iterator[Script]]] = {
    BystandersDoing.THINK: thinkers,
    BystandersDoing.WAIT: waiters,
    BystandersDoing.REST: resters,
}


def play(plan: BystandersPlan) -> None:
    """Let the players come, report that all are there, and keep them until the order to end."""
    tally = MessageTally()
    with closing(Connections(plan.host, plan.port)) as connections:
        allow_open_files(plan.players + STANDARD_FILES)
        connections.admit(SCRIPTS[plan.doing](plan, tally))
        while tally.states < plan.games * PLAYERS_PER_GAME:
            connections.turn(-1)
        print("there", flush=True)
        orders = Orders(sys.stdin.fileno())
        connections.listen_to(sys.stdin.fileno())
        while not connections.turn(-1, sys.stdin.fileno()) or ["end"] not in orders.read():
            pass


if __name__ == "__main__":
    sys.exit(run_plan(play, BystandersPlan))
