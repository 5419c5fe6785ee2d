"""What a player costs who is only there: memory of the server for each of many who wait for a game."""

import time
from contextlib import ExitStack
from dataclasses import dataclass

from ugs.bench.bystanders import BystandersDoing, BystandersPlan
from ugs.bench.connections import STANDARD_FILES
from ugs.bench.goals import BROKER, IDLE_BYTES, IDLE_PLAYERS
from ugs.bench.latency import PATIENT
from ugs.bench.load import PLAYERS_PER_GAME, Load
from ugs.bench.process import allow_open_files, resident_bytes
from ugs.bench.run import BenchFailed
from ugs.bench.targets import Target, TargetFailed, serving, started
from ugs.bench.watched import part_of_load

SETTLING_S = 1.0
"""Seconds after the last login for the server to send what is left and to give back what it no longer needs."""


@dataclass(frozen=True, slots=True)
class Idle:
    """The result."""

    players: int
    bytes_alone: int
    """Resident memory of the server before the first of them came."""
    bytes_with_all: int

    @property
    def bytes_per_player(self) -> float:
        """Return what one of them costs."""
        return (self.bytes_with_all - self.bytes_alone) / self.players

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None for fewer players than it is about."""
        return None if self.players < IDLE_PLAYERS else self.bytes_per_player <= IDLE_BYTES


def measure_idle(players: int) -> Idle:
    """Let ``players`` log in and wait, and look at the server's memory. Raises BenchFailed."""
    # Rounded up, for an odd number.
    room = Load(players // PLAYERS_PER_GAME + 1)
    try:
        allow_open_files(room.connections + STANDARD_FILES)
        with ExitStack() as stack:
            broker = stack.enter_context(started(Target(BROKER, "", serving(PATIENT)), room))
            plan = BystandersPlan(broker.ready.host, broker.ready.port, players, BystandersDoing.REST)
            stack.enter_context(part_of_load("ugs.bench.bystanders", plan, broker))
            time.sleep(SETTLING_S)
            broker.check()
            return Idle(players, broker.idle_bytes, resident_bytes(broker.ready.pid))
    except (TargetFailed, BenchFailed, OSError) as error:
        raise BenchFailed(f"{players} idle players: {error}") from error
