"""What happens when very many players log in at once, while the machine has other work."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Final

import msgspec

from ugs.bench.connections import STANDARD_FILES
from ugs.bench.goals import BROKER, LIST_SHARE, LOGINS
from ugs.bench.load import PLAYERS_PER_GAME, Load
from ugs.bench.newcomers import NewcomersPlan, Rush
from ugs.bench.process import allow_open_files
from ugs.bench.run import BenchFailed
from ugs.bench.targets import Target, TargetFailed, serving, started
from ugs.bench.watched import part_of_load

PLAY_S: Final = 30.0
"""Seconds that the players play when all are there."""
BURNER: Final = "import time; end = time.monotonic() + 120\nwhile time.monotonic() < end: pass"
"""A program that wants a whole processor. It ends by itself, should the bench be killed."""


@dataclass(frozen=True, slots=True)
class LoginRush:
    """The result."""

    players: int
    neighbours: int
    """Programs beside it; each of them wanted a whole processor."""
    rush: Rush

    @property
    def list_share(self) -> float:
        """Return which part of all bytes sent were standings."""
        return self.rush.list_bytes / self.rush.received_bytes

    @property
    def met(self) -> bool | None:
        """Whether the goals are met; None for fewer players than they are about."""
        return None if self.players < LOGINS else self.rush.refused == 0 and self.list_share <= LIST_SHARE


def measure_logins(players: int, neighbours: int, play_s: float = PLAY_S) -> LoginRush:
    """Let ``players`` log in at once and play, beside as many programs that want a processor. Raises BenchFailed."""
    room = Load(players // PLAYERS_PER_GAME + 1)
    try:
        allow_open_files(room.connections + STANDARD_FILES)
        with ExitStack() as stack:
            # 0: one master may lead all games.
            broker = stack.enter_context(started(Target(BROKER, "", serving({"max_games_per_master": 0})), room))
            plan = NewcomersPlan(broker.ready.host, broker.ready.port, players, play_s)
            newcomers = stack.enter_context(part_of_load("ugs.bench.newcomers", plan, broker))
            stack.enter_context(burning(neighbours))
            newcomers.send_order("come")
            rush = msgspec.json.decode(newcomers.line(), type=Rush)
            broker.check()
            return LoginRush(players, neighbours, rush)
    except (TargetFailed, BenchFailed, OSError) as error:
        raise BenchFailed(f"{players} logins: {error}") from error


@contextmanager
def burning(programs: int) -> Iterator[None]:
    """Keep that many programs busy for the time of the block."""
    burners = [subprocess.Popen([sys.executable, "-c", BURNER]) for _ in range(programs)]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()
