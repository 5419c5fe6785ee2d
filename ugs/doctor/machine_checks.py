"""The machine: Python and packages, the limit of open files, the clock."""

import ctypes
import platform
import resource
import time
from collections.abc import Mapping
from typing import Final

from ugs import __version__
from ugs.config import Config
from ugs.distributions import OURS, needed_by_ours, version_of
from ugs.doctor.diagnosis import Diagnosis, bad, good, warning

SPARE_FILES: Final = 200
"""Files that a server has open besides connections: journal, workers, listeners, what libraries open for a moment."""
NOT_SYNCHRONIZED: Final = 5
"""What the C library's ``adjtimex`` returns while nothing keeps the clock right."""
TIMEX_BYTES: Final = 512
"""More than its structure has on any machine; all zero, it only reads."""
EARLIEST_S: Final = 1_767_225_600.0
"""1 January 2026: a clock that shows less was never set."""
MAX_AHEAD_S: Final = 60.0
"""A journal may be younger than the clock by this many seconds: file systems round."""


def packages(versions: Mapping[str, str | None]) -> Diagnosis:
    """Judge the versions of our distributions and of what they need; None is one that is missing."""
    missing = sorted(name for name, found in versions.items() if found is None and name not in OURS)
    if missing:
        return bad("packages", f"missing: {', '.join(missing)}", f"pip install {' '.join(missing)}")
    ours = {name: found for name in OURS if (found := versions.get(name)) is not None}
    if len(set(ours.values())) > 1:
        listed = ", ".join(f"{name} {found}" for name, found in ours.items())
        return bad("packages", f"versions differ: {listed}", f"pip install --upgrade {' '.join(ours)}")
    return good("packages", f"ugs {__version__}, Python {platform.python_version()}, {len(versions)} looked at")


def read_packages() -> dict[str, str | None]:
    """The versions of our distributions and of what the server needs."""
    return {name: version_of(name) for name in (*OURS, *needed_by_ours())}


def open_files(limit: int, config: Config) -> Diagnosis:
    """Judge the hard limit of open files of this process; the server raises its own to that."""
    wanted = config.max_connections + config.max_http_connections + SPARE_FILES
    if limit == resource.RLIM_INFINITY or limit >= wanted:
        return good(
            "open files", f"{'no limit' if limit == resource.RLIM_INFINITY else limit}, {wanted} needed at most"
        )
    return warning(
        "open files",
        f"{limit} at most, and {wanted} are needed when max_connections and max_http_connections are reached",
        "LimitNOFILE=65536 in the systemd unit, `ulimit -Hn 65536` as root, or lower max_connections in [limits]",
    )


def read_open_files() -> int:
    """The hard limit of open files."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[1]


def clock(synchronized: bool | None, now_s: float, journal_s: float | None) -> Diagnosis:
    """Judge the clock: whether something keeps it right (None: that cannot be known here), what it shows, and when the
    journal was last written, if there is one; both in seconds since 1970."""
    if now_s < EARLIEST_S:
        return bad("clock", f"it shows {_day(now_s)}", "set it: timedatectl set-ntp true")
    if journal_s is not None and journal_s > now_s + MAX_AHEAD_S:
        return bad(
            "clock",
            f"it shows {_day(now_s)}, and the journal was written {journal_s - now_s:.0f} s later",
            "set the clock before the server starts, else championships and tokens see time go back",
        )
    if synchronized is False:
        return warning("clock", "nothing keeps it right", "timedatectl set-ntp true, or install chrony")
    kept = "" if synchronized is None else ", kept right by the system"
    return good("clock", f"{_day(now_s)}{kept}")


def read_synchronized() -> bool | None:
    """Whether the system keeps its clock right; None where it cannot be asked."""
    try:
        # None is this program itself, with the C library that it has loaded.
        adjtimex = ctypes.CDLL(None).adjtimex
    except (OSError, AttributeError):
        return None
    state = int(adjtimex(ctypes.create_string_buffer(TIMEX_BYTES)))
    return None if state < 0 else state != NOT_SYNCHRONIZED


def _day(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
