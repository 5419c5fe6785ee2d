"""A clock on the wall that can be set for one server and for what it starts, while the machine's own goes on as it is.

Python runs ``sitecustomize`` when it starts, where ``PYTHONPATH`` names a folder that has one: there ``time.time`` and
``time.time_ns`` get the offset that stands in a file. What asks the system itself (``datetime.now``, SQLite) sees no
jump.
"""

import mmap
import os
import random
import struct
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import ugs

VARIABLE: Final = "UGS_SOAK_CLOCK"
"""Names the file."""
OFFSET: Final = struct.Struct("<q")
"""Nanoseconds to add to the machine's clock."""
HOURS: Final = (-31, -13, -7, 0, 6, 18)
"""Hours that the clock may be off by. Two of these are further apart than a soak is long, so that the shown time
reveals when something really happened."""
HOUR_US: Final = 3_600_000_000
BOOT: Final = "from ugs.soak import set_clock\n\nset_clock.follow()\n"


class SetClock:
    """The clock of a server, seen by the program that sets it; it is right at first."""

    def __init__(self, directory: Path) -> None:
        """Make its files in ``directory``."""
        folder = directory / "clock"
        folder.mkdir(exist_ok=True)
        (folder / "sitecustomize.py").write_text(BOOT, encoding="utf-8")
        self._folder = folder
        self._file = folder / "offset"
        self._file.write_bytes(OFFSET.pack(0))
        self._settings: list[tuple[int, int]] = [(time.time_ns() // 1000, 0)]
        """Since when (microseconds since 1970, really) it is off by how many microseconds."""

    def environment(self) -> Mapping[str, str]:
        """The environment that shows this clock to a process."""
        # Ours comes first: Python runs only the first sitecustomize that it finds.
        folders = [str(self._folder), str(Path(ugs.__file__).parents[1]), *os.environ.get("PYTHONPATH", "").split(":")]
        return {**os.environ, "PYTHONPATH": ":".join(filter(None, folders)), VARIABLE: str(self._file)}

    def jumps(self, chance: random.Random) -> None:
        """Set it, by hours."""
        _, now_us = self._settings[-1]
        self.set(chance.choice([hours for hours in HOURS if hours * HOUR_US != now_us]))

    def set(self, hours: int) -> None:
        """Let it be off by ``hours`` from now on."""
        # In place: the server has mapped this file, and a new one would be another file.
        with self._file.open("r+b") as file:
            file.write(OFFSET.pack(hours * HOUR_US * 1000))
        self._settings.append((time.time_ns() // 1000, hours * HOUR_US))

    def really_us(self, shown_us: int) -> int:
        """When it really was what the clock showed as ``shown_us``, both in microseconds since 1970."""
        ends = [since for since, _ in self._settings[1:]]
        found = []
        for (since, off), end in zip(self._settings, [*ends, time.time_ns() // 1000], strict=True):
            really = shown_us - off
            found.append((max(since - really, really - end, 0), really))  # how far outside of that time, if at all
        return min(found)[1]


def follow() -> None:
    """Let this process see the clock that its environment names, if it names one."""
    path = os.environ.get(VARIABLE)
    if not path:
        return
    with open(path, "rb") as file:
        # Mapped: a look costs no system call, and a server looks at its clock all the time.
        shared = mmap.mmap(file.fileno(), OFFSET.size, access=mmap.ACCESS_READ)
    time.time, time.time_ns = shown_by(shared, time.time_ns)


def shown_by(shared: mmap.mmap, really_ns: Callable[[], int]) -> tuple[Callable[[], float], Callable[[], int]]:
    """``time.time`` and ``time.time_ns`` with the offset that stands in ``shared``."""

    def time_ns() -> int:
        return really_ns() + int(OFFSET.unpack_from(shared)[0])

    return lambda: time_ns() / 1e9, time_ns
