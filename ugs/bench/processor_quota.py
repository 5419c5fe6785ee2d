"""A part of a processor for each process, so that a machine with few processors shows what more of them would do.

The Linux kernel sees to it (control groups, version 1 or 2): a process that has used its part waits for the next
period, as one on a slower processor would work meanwhile; and before that it goes before all processes without such a
part. It needs the right to make such groups: as root, mostly.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

PERIOD_US: Final = 10_000
"""Short, so that a process waits for milliseconds only; the kernel takes no quota below 1 ms."""
MOUNTS: Final = Path("/proc/self/mounts")
OWN_GROUPS: Final = Path("/proc/self/cgroup")
MOST_SHARES: Final = 262_144
"""The kernel's most in version 1, where a group has 1024 if nothing else is set."""
MOST_WEIGHT: Final = 10_000
"""The same in version 2, where it has 100."""


class NoQuota(Exception):
    """Processes cannot be given a quota here; the text gives the reason."""


class ProcessorQuota:
    """Gives processes ``percent`` of a processor each. They have to end before the block of :func:`quota` does."""

    def __init__(self, parent: Path, percent: int, *, version: int) -> None:
        self._parent = parent
        quota_us = PERIOD_US * percent // 100
        self._limits: dict[str, int | str] = (
            {"cpu.cfs_period_us": PERIOD_US, "cpu.cfs_quota_us": quota_us, "cpu.shares": MOST_SHARES}
            if version == 1
            else {"cpu.max": f"{quota_us} {PERIOD_US}", "cpu.weight": MOST_WEIGHT}
        )
        self._groups: list[Path] = []

    def limit(self, pid: int) -> None:
        """Limit a process from now on, all its threads together. Raises NoQuota."""
        group = self._parent / f"ugs-bench-{os.getpid()}-{pid}"
        try:
            group.mkdir()
            self._groups.append(group)
            for name, value in (*self._limits.items(), ("cgroup.procs", pid)):
                (group / name).write_text(str(value))
        except OSError as error:
            raise NoQuota(f"{group}: {error.strerror or error}") from error

    def close(self) -> None:
        """Remove the groups that are empty by now."""
        for group in self._groups:
            with suppress(OSError):
                group.rmdir()


@contextmanager
def quota(percent: int, mounts: Path = MOUNTS, own_groups: Path = OWN_GROUPS) -> Iterator[ProcessorQuota | None]:
    """What gives processes that much of a processor, while the block runs; None for 0 percent. Raises NoQuota."""
    if not percent:
        yield None
        return
    parent, version = _parent(mounts.read_text(), own_groups.read_text())
    found = ProcessorQuota(parent, percent, version=version)
    try:
        yield found
    finally:
        found.close()


def _parent(mounts: str, own_groups: str) -> tuple[Path, int]:
    """Return where a group can be made, and the version. Raises NoQuota."""
    own = {names: path for _, names, path in (line.split(":", 2) for line in own_groups.splitlines())}
    for line in mounts.splitlines():
        _, mounted, kind, options, *_ = line.split(" ")
        if kind == "cgroup" and "cpu" in options.split(","):
            at = next((path for names, path in own.items() if "cpu" in names.split(",")), "/")
            return Path(mounted + at), 1
    for line in mounts.splitlines():
        _, mounted, kind, *_ = line.split(" ")
        if kind == "cgroup2":
            # Beside our own group: one that has processes can have no groups with quotas below it.
            parent = Path(mounted + own.get("", "/")).parent if own.get("", "/") != "/" else Path(mounted)
            try:
                controllers = (parent / "cgroup.subtree_control").read_text().split()
            except OSError as error:
                raise NoQuota(f"{parent}: {error.strerror or error}") from error
            if "cpu" in controllers:
                return parent, 2
    raise NoQuota("this machine has no control groups for processors")
