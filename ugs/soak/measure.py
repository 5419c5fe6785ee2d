"""One attack on a server of its own: started, measured alone and attacked, and stopped."""

import json
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from ugs.bench.child import as_argument
from ugs.bench.process import resident_bytes
from ugs.log import JOIN_S
from ugs.soak.attacker import PREPARE_S, AttackPlan
from ugs.soak.attacks import Attack
from ugs.soak.findings import AttackFinding, ServerMemory, Trips
from ugs.soak.server_process import ServerProcess, SoakProgram, master, stopped_at_end
from ugs.soak.witness import GAME_TYPE, WitnessPlan

SAMPLE_S: Final = 0.05
"""Between two looks at the server's memory."""
REST_S: Final = 0.5
"""Seconds after an attack, before its memory is looked at for the last time."""
OVERHEAD_S: Final = 4.5
"""Seconds that an attack takes besides its own, on a quiet machine: to start, prepare, rest and stop."""
MIN_S: Final = 1.0
LATE_S: Final = 30.0
"""Seconds that an attacker may be late on a busy machine."""


def seconds_each(attacks: Sequence[Attack], minutes: float) -> float:
    """How long each of them may go on if all together shall take ``minutes``."""
    return max(MIN_S, minutes * 60 / len(attacks) - OVERHEAD_S) if attacks else MIN_S


def measure_all(
    attacks: Sequence[Attack], minutes: float, on_finding: Callable[[AttackFinding], None], alone_s: float = 1.0
) -> list[AttackFinding]:
    """Try one attack after the other. ``on_finding`` is called with each finding. Raises SoakFailed."""
    seconds = seconds_each(attacks, minutes)
    findings = []
    for attack in attacks:
        with TemporaryDirectory(prefix=f"ugs-soak-{attack.name}-") as directory:
            findings.append(measure(attack, seconds, alone_s, Path(directory)))
        on_finding(findings[-1])
    return findings


def measure(attack: Attack, seconds: float, alone_s: float, directory: Path) -> AttackFinding:
    """Try one attack on a server in ``directory``: let the witness play alone, then attack. Raises SoakFailed."""
    server = ServerProcess(directory, attack.settings, attack.plan, tls=attack.tls)
    with stopped_at_end(server):
        referee = master(server, GAME_TYPE, "referee")
        host, port = server.place.game
        plan = WitnessPlan(host, port, server.place.http)
        witness = SoakProgram("witness", ["-m", "ugs.soak.witness", as_argument(plan)], directory, spoken_to=True)
        with stopped_at_end(witness, referee):
            # It answers when all games have begun.
            witness.ask()
            # Thrown away: what was seen while they began.
            witness.ask("take")
            time.sleep(alone_s)
            alone = json.loads(witness.ask("take"))
            with memory_of(server) as samples, memory_of(server, workers_bytes) as workers:
                log_bytes = server.log_bytes()
                began = time.monotonic()
                dealt = _attack(attack, max(seconds, attack.least_s), server)
                attacked = json.loads(witness.ask("take"))
                lasted = time.monotonic() - began
                time.sleep(REST_S)
            logged = server.log_bytes() - log_bytes
            last = json.loads(witness.ask("take"))
            harm = [*alone["harm"], *attacked["harm"], *last["harm"]]
            if not server.running:
                harm.append(f"the server has ended with exit code {server.process.returncode}")
            if not referee.running:
                harm.append("the game master of the witness has ended")
    # A server that an attack has killed has no such line.
    if not server.log("stopped"):
        harm.append("the server has not stopped in order")
    hold_ms, holds, holder = longest_hold(server)
    return AttackFinding(
        attack.name,
        attack.what,
        lasted,
        Trips.of(alone["trips_ns"]),
        Trips.of(attacked["trips_ns"]),
        hold_ms,
        holds,
        holder,
        ServerMemory(samples[0], max(samples), samples[-1]),
        attacked["healthy"],
        attacked["unhealthy"],
        tuple(harm),
        dealt,
        logged / max(lasted, JOIN_S),
        max(workers),
    )


def _attack(attack: Attack, seconds: float, server: ServerProcess) -> dict[str, Any]:
    """Let an attacker do its worst; how the server dealt with it."""
    plan = AttackPlan(attack.name, server.place, seconds)
    attacker = SoakProgram("attacker", ["-m", "ugs.soak.attacker", as_argument(plan)], server.directory, spoken_to=True)
    with stopped_at_end(attacker):
        try:
            data, _ = attacker.process.communicate(timeout=PREPARE_S + seconds + LATE_S)
        except subprocess.TimeoutExpired:
            raise attacker.failure("does not end") from None
        if attacker.process.returncode:
            raise attacker.failure(f"has ended with exit code {attacker.process.returncode}")
    *begun, last = data.splitlines()
    dealt: dict[str, Any] = json.loads(last)
    return {**dealt, "unprepared": not begun}


@contextmanager
def memory_of(server: ServerProcess, bytes_of: Callable[[int], int] = resident_bytes) -> Iterator[list[int]]:
    """While the block runs, a list of the server's resident bytes grows: at its begin, every SAMPLE_S, at its end. What
    is looked at may be something else of the process."""
    samples = [bytes_of(server.pid)]
    over = threading.Event()

    def look() -> None:
        try:
            while not over.wait(SAMPLE_S):
                samples.append(bytes_of(server.pid))
            samples.append(bytes_of(server.pid))
        except (ProcessLookupError, ValueError):
            return  # it has ended

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield samples
    finally:
        over.set()
        thread.join()


def workers_bytes(pid: int) -> int:
    """The resident bytes of the largest process that this one has started; 0 if there is none."""
    largest = 0
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError, ValueError):  # a thread or a process that has just ended
            largest = max([largest, *(resident_bytes(int(child)) for child in children.read_text().split())])
    return largest


def longest_hold(server: ServerProcess) -> tuple[float, int, str]:
    """The longest hold of a server that has stopped, in milliseconds; how many there were; and who held it with what,
    as far as the log names them."""
    held = server.log("a peer held the server up")
    named = max(held, key=lambda line: line["milliseconds"], default=None)
    holder = f"{named['name'] or named['address']}: {named['message']}" if named else ""
    for stopped in server.log("stopped"):
        return stopped["longest_hold_ms"], stopped["holds"], holder
    return (named["milliseconds"] if named else 0.0), len(held), holder
