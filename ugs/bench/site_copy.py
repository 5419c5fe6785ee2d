"""How long a copy of the site takes, the first one and one more into the same directory.

``ugs site export`` runs as a process of its own, as an organiser runs it; its processor time is that of all processes
which it starts. Those that draw end after it, so this process adopts them: only then does the system count them.
"""

import ctypes
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from ugs.bench.run import BenchFailed
from ugs.places import Place
from ugs.value import value

GOAL_S = 20.0
"""At most this many seconds for a first copy with :data:`GOAL_GAMES` replays; for others in proportion."""
GOAL_GAMES = 438
MIN_GAMES = 200
"""With fewer replays the start of the process counts for too much."""
ADOPTS = 36
"""PR_SET_CHILD_SUBREAPER of Linux."""
PAGES = "*.html"
RECORDS = "*.ugsg"


@value
class Copied:
    """One run of ``ugs site export``: seconds that it took, and of processor time."""

    seconds: float
    processor_s: float


@value
class SiteCopies:
    """The result of a measurement, one run of each kind per round."""

    games: int
    pages: int
    size: int
    """Bytes of all files."""
    first: tuple[Copied, ...]
    again: tuple[Copied, ...]

    @property
    def goal_s(self) -> float | None:
        """How long a first copy may take; None for too few games."""
        return GOAL_S * self.games / GOAL_GAMES if self.games >= MIN_GAMES else None

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None where there is none."""
        return None if self.goal_s is None else min(one.seconds for one in self.first) <= self.goal_s

    def as_text(self) -> str:
        """The result as lines for people."""
        verdict = "met" if self.met else "MISSED"
        goal = f" (goal: {self.goal_s:.1f} s, {verdict})" if self.goal_s is not None else ""
        return "\n".join(
            [
                f"site of {self.games} games with a replay: {self.pages} pages, {self.size / 1e6:.0f} MB",
                f"first copy: {_times(self.first)}{goal}",
                f"one more into the same directory: {_times(self.again)}",
            ]
        )

    def as_dict(self, machine: Mapping[str, object]) -> dict[str, object]:
        """The result for programs."""
        runs = {
            name: [{"seconds": one.seconds, "processor_s": one.processor_s} for one in copies]
            for name, copies in (("first", self.first), ("again", self.again))
        }
        counts = {"games": self.games, "pages": self.pages, "bytes": self.size}
        return {"machine": dict(machine), **counts, **runs, "goal_s": self.goal_s, "goal_met": self.met}


def measure_site(place: Place, rounds: int, on_progress: Callable[[int], None]) -> SiteCopies:
    """Copy the site of a journal ``rounds`` times into an empty directory, and once more each time. ``on_progress`` is
    called with the number of rounds that are done. Raises BenchFailed with what the export says when it fails."""
    ctypes.CDLL(None).prctl(ADOPTS, 1, 0, 0, 0)
    first, again = [], []
    for done in range(1, rounds + 1):
        with TemporaryDirectory(prefix="ugs-bench-site-") as name:
            directory = Path(name)
            first.append(_copied(place, directory))
            again.append(_copied(place, directory))
            games, pages = (len(list(directory.glob(files))) for files in (RECORDS, PAGES))
            size = sum(file.stat().st_size for file in directory.rglob("*") if file.is_file())
        on_progress(done)
    return SiteCopies(games, pages, size, tuple(first), tuple(again))


def _copied(place: Place, directory: Path) -> Copied:
    command = [sys.executable, "-m", "ugs", "site", "export", str(directory), "--data-dir", str(place)]
    before = os.times()
    begun = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - begun
    if done.returncode:
        raise BenchFailed(done.stderr.strip() or f"ugs site export ended with exit code {done.returncode}")
    _wait_for_adopted()
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return Copied(seconds, spent)


def _wait_for_adopted() -> None:
    """Until no process is left that the export has started."""
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)


def _times(copies: tuple[Copied, ...]) -> str:
    took = ", ".join(f"{one.seconds:.1f}" for one in copies)
    return f"{took} s, with {median(one.processor_s for one in copies):.1f} s of processor time"
