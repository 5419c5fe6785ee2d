"""Processor time and memory of another process, as the Linux kernel accounts for them."""

import os
import resource
import time
from pathlib import Path

_SCHEDULER_CLOCK = 2
"""The kernel's CPUCLOCK_SCHED: user and system time of all threads, including ended ones, in nanoseconds."""

_RESIDENT = "VmRSS:"


def cpu_nanoseconds(pid: int) -> int:
    """Return the user and system time that process ``pid`` has used so far, all its threads together.

    Clock ticks (``/proc/<pid>/stat``) are 10 ms, too coarse for a window of seconds; the process's own clock counts
    nanoseconds. Raises ProcessLookupError when there is no such process.
    """
    try:
        return time.clock_gettime_ns(_clock_of(pid))
    except OSError as error:
        raise ProcessLookupError(f"process {pid} has no processor clock: it is gone") from error


def _clock_of(pid: int) -> int:
    """Return the clock id of a process, made as clock_getcpuclockid(3) makes it on Linux."""
    return (~pid << 3) | _SCHEDULER_CLOCK


def resident_bytes(pid: int) -> int:
    """Return the memory in bytes that process ``pid`` occupies now. Raises ProcessLookupError when there is no such
    process."""
    try:
        return parse_resident(Path(f"/proc/{pid}/status").read_text())
    except FileNotFoundError as error:
        raise ProcessLookupError(f"process {pid} is gone") from error


def open_files(pid: int) -> int:
    """Return how many files process ``pid`` has open, sockets among them. Raises OSError when there is no such
    process."""
    return len(os.listdir(f"/proc/{pid}/fd"))


def parse_resident(status: str) -> int:
    """Return the resident set in bytes, from the text of a ``/proc/<pid>/status``.

    Raises ValueError when the line is missing (a zombie has none) or has another unit than kB.
    """
    for line in status.splitlines():
        if line.startswith(_RESIDENT):
            amount, _, unit = line.removeprefix(_RESIDENT).strip().partition(" ")
            if unit != "kB":
                raise ValueError(f"unit of {line!r} is not kB")
            return int(amount) * 1024
    raise ValueError(f"no line {_RESIDENT!r}: the process has ended")


def allow_open_files(wanted: int) -> None:
    """Raise this process's limit of open files to ``wanted``, if it is lower; children inherit it.

    Raises OSError, with advice, when the machine does not allow that.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return
    try:
        # RLIM_INFINITY is -1: a hard limit without an end stays as it is.
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, max(hard, wanted) if hard >= 0 else hard))
    except (ValueError, OSError) as error:
        raise OSError(f"{wanted} open files are needed and {hard} allowed: `ulimit -n`, or fewer games") from error
