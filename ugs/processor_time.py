"""The processor time of a program with all that it has started, and how long it had to wait for a processor.

Linux counts for each thread what it has used and how long it was ready to run and had to wait
(``/proc/PID/task/TID/schedstat``). Where a control group can be made, what is used is read off that: it knows processes
that have ended, too. Elsewhere nothing is known, and both are 0.
"""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PROC: Final = Path("/proc")
CGROUPS: Final = Path("/sys/fs/cgroup")
NANO: Final = 1e-9
MAX_PROCESSES: Final = 1_000
"""Processes of one program that are looked at."""


@dataclass(frozen=True, slots=True)
class ProcessorUse:
    """Until some moment, in seconds."""

    used_s: float = 0.0
    waited_s: float = 0.0
    """Ready to run, and no processor was free."""

    def since(self, before: "ProcessorUse") -> "ProcessorUse":
        """What came after another moment."""
        return ProcessorUse(max(0.0, self.used_s - before.used_s), max(0.0, self.waited_s - before.waited_s))


class ProcessorTime:
    """Of one program. It only grows: what threads that have ended had used stays as it was seen last."""

    def __init__(self, pid: int, proc: Path = PROC, cgroups: Path = CGROUPS) -> None:
        self._pid = pid
        self._proc = proc
        self._threads: dict[str, tuple[int, int]] = {}
        self._group = ControlGroup.of(pid, cgroups)

    def read(self) -> ProcessorUse:
        """Until now."""
        for thread in _threads_of(self._proc, self._pid):
            counted = _counted(thread)
            if counted is not None:
                self._threads[str(thread)] = counted
        used = sum(used for used, _ in self._threads.values()) * NANO
        waited = sum(waited for _, waited in self._threads.values()) * NANO
        # The group also knows what ended between two looks; without one, threads are all there is.
        return ProcessorUse(max(used, self._group.used_s() if self._group is not None else 0.0), waited)

    def close(self) -> None:
        """The program has ended."""
        if self._group is not None:
            self._group.remove()


class ControlGroup:
    """A control group of one program, version 2 or 1."""

    def __init__(self, folder: Path, figure: str, unit_s: float) -> None:
        self._folder = folder
        self._figure = figure
        self._unit_s = unit_s

    @classmethod
    def of(cls, pid: int, cgroups: Path) -> "ControlGroup | None":
        """Put a program into a group of its own; None where that cannot be."""
        for parent, figure, unit_s in ((cgroups, "cpu.stat", 1e-6), (cgroups / "cpuacct", "cpuacct.usage", NANO)):
            folder = parent / f"ugs-match-{os.getpid()}-{pid}"
            if not (parent / "cgroup.procs").exists():
                continue
            try:
                folder.mkdir()
                (folder / "cgroup.procs").write_text(str(pid), encoding="ascii")
                if (folder / figure).exists():
                    return cls(folder, figure, unit_s)
            except OSError:
                with suppress(OSError):
                    folder.rmdir()
        return None

    def used_s(self) -> float:
        """What all processes in it have used."""
        with suppress(OSError, ValueError, IndexError):
            words = (self._folder / self._figure).read_text(encoding="ascii").split()
            return int(words[words.index("usage_usec") + 1] if "usage_usec" in words else words[0]) * self._unit_s
        return 0.0

    def remove(self) -> None:
        """Remove it, once nothing runs in it."""
        with suppress(OSError):
            self._folder.rmdir()


def thread_s(pid: int, proc: Path = PROC) -> float:
    """The processor time of the first thread of a process, in seconds; 0 where the system does not count it."""
    counted = _counted(proc / str(pid) / "task" / str(pid))
    return counted[0] * NANO if counted is not None else 0.0


def program_use(pid: int, proc: Path = PROC) -> ProcessorUse:
    """Of a process and all that it has started, as far as their threads still run; 0 where nothing is counted."""
    found = [counted for counted in map(_counted, _threads_of(proc, pid)) if counted is not None]
    return ProcessorUse(sum(used for used, _ in found) * NANO, sum(waited for _, waited in found) * NANO)


def processors_left_s(proc: Path = PROC) -> float:
    """For how many seconds this process and all that it has started could have used processors and have not, together.
    Only what comes between two looks means something; where nothing is counted, it is all there is."""
    found = map(_counted, _threads_of(proc, os.getpid()))
    used = sum(counted[0] for counted in found if counted is not None)
    return time.monotonic() * len(os.sched_getaffinity(0)) - used * NANO


def _counted(thread: Path) -> tuple[int, int] | None:
    """For how many nanoseconds a thread has run, and waited for a processor; None where the system does not count it,
    or the thread has ended meanwhile."""
    try:
        ran, waited = (thread / "schedstat").read_text(encoding="ascii").split()[:2]
        return int(ran), int(waited)
    except (OSError, ValueError):
        return None


def _threads_of(proc: Path, pid: int) -> Iterator[Path]:
    """The threads of a process and of all that it has started."""
    waiting, seen = [pid], set[int]()
    while waiting and len(seen) < MAX_PROCESSES:
        process = proc / str(waiting[-1])
        if waiting[-1] in seen:
            waiting.pop()
            continue
        seen.add(waiting.pop())
        with suppress(OSError):
            for thread in (process / "task").iterdir():
                yield thread
                with suppress(OSError, ValueError):
                    waiting += map(int, (thread / "children").read_text(encoding="ascii").split())
