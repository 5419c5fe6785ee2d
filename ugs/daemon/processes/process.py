"""What a server does with its whole process: open files, the garbage collector, signals."""

import ctypes
import gc
import os
import resource
import signal
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

YOUNG, NEVER = 5_000, 2**30
"""The collector of cycles runs after this many new objects and takes at most about 3 ms. It never looks on its own at
objects that have survived that (:mod:`ugs.daemon.processes.garbage`)."""
LARGE_BYTES, M_MMAP_THRESHOLD = 131_072, -3
"""Buffers from this size on are given back to the system as soon as they are freed, and leave no holes while they grow;
the number of that option."""
SWITCH_S = 0.001
"""Seconds after which a thread that waits for the interpreter's lock gets it; 0.005 where nothing is set."""


def spare_the_collector() -> None:
    """Make the collector of cycles look only at what is new. What has been loaded by now stays; messages, peers and
    games are freed without the collector, so it finds next to nothing."""
    gc.freeze()
    gc.set_threshold(YOUNG, NEVER, NEVER)


def share_the_interpreter() -> None:
    """Let other threads have the interpreter's lock sooner: players wait for results until the journal's thread, which
    needs the lock several times for a transaction, has them on disk."""
    sys.setswitchinterval(SWITCH_S)


def give_memory_back() -> None:
    """Keep the C library from holding on to large buffers once they are freed: peers that together make the server hold
    much must not leave it large. Does nothing where the library has no such option."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE_BYTES)


def allow_many_connections() -> None:
    """Raise the soft limit of open files to the hard one: each connection is a file."""
    # The soft limit is usually 1024, and each connection is a file.
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def stop_signals(reads_again: bool = False) -> tuple[signal.Signals, ...]:
    """The signals that ask a server to stop. A server started with ``nohup`` is to outlive its terminal, and ignores
    SIGHUP. One that ``reads_again`` what has changed does so on SIGHUP, instead of stopping."""
    if reads_again:
        return (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    asked = (signal.SIGTERM, signal.SIGINT)
    return asked if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN else (*asked, signal.SIGHUP)


CGROUPS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
"""Where Linux keeps how much memory a container may have: control groups of version 2, and of version 1."""


def memory_bytes(files: Iterable[Path] = CGROUPS) -> int:
    """How much memory this process may have: that of the machine, or less where its control group sets a limit in one
    of ``files``."""
    limits = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    for file in files:
        with suppress(OSError, ValueError):  # there is no such file, or it holds "max"
            limits.append(int(file.read_text()))
    return min(limits)


def resident_bytes() -> int:
    """How much memory this process has at present; 0 where the system does not report it."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0


def peak_bytes() -> int:
    """The most memory that this process ever had."""
    # The two are counted in different ways, and the peak is brought up to date more rarely.
    return max(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, resident_bytes())


def open_files() -> tuple[int, int]:
    """How many files this process has open, and how many it may have; the first is 0 where the system does not report
    it."""
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:  # newer systems report it at once; listing ten thousand takes milliseconds
        return os.stat("/proc/self/fd").st_size or len(os.listdir("/proc/self/fd")), limit
    except OSError:
        return 0, limit
