"""Times as readable text, exact to the microsecond."""

import re
import time
from datetime import UTC, datetime, timedelta
from typing import Final

from ugs.printable import shown

MICRO: Final = 1_000_000
"""Microseconds of a second."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_TIME: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")
_SECONDS: Final = re.compile(r"([+-]?)([0-9]{1,20})\.([0-9]{6})")


def wall_us() -> int:
    """The time now, in microseconds since 1970 (UTC)."""
    return time.time_ns() // 1000


def written_time(wall_us: int) -> str:
    """Microseconds since 1970 as ``2030-05-01T20:00:00.123456Z``. Raises OverflowError outside the years 1 to 9999."""
    # In whole numbers, which are exact in all years; a float of seconds is not.
    moment = _EPOCH + wall_us * _MICROSECOND
    return f"{moment.replace(tzinfo=None).isoformat(timespec='microseconds')}Z"


def read_time(text: str) -> int:
    """Read back :func:`written_time`. Raises ValueError."""
    # fromisoformat reads many other forms, which would not be written back as they were.
    if not _TIME.fullmatch(text):
        raise ValueError("not a time such as 2030-05-01T20:00:00.123456Z")
    return (datetime.fromisoformat(text) - _EPOCH) // _MICROSECOND


def written_seconds(microseconds: int) -> str:
    """Microseconds as seconds with six decimals: ``-0.000123``."""
    sign, whole = ("-", -microseconds) if microseconds < 0 else ("", microseconds)
    return f"{sign}{whole // 1_000_000}.{whole % 1_000_000:06}"


def written_hours(microseconds: int) -> str:
    """Microseconds as ``00:00:01.234567``; hours may have more than two digits."""
    sign, whole = ("-", -microseconds) if microseconds < 0 else ("", microseconds)
    minutes, rest = divmod(whole, 60_000_000)
    return f"{sign}{minutes // 60:02}:{minutes % 60:02}:{rest // 1_000_000:02}.{rest % 1_000_000:06}"


def read_seconds(text: str) -> int:
    """Read back :func:`written_seconds`; a leading plus is allowed. Raises ValueError."""
    found = _SECONDS.fullmatch(text)
    if found is None:
        raise ValueError(f"{shown(text)} is not a number of seconds with 6 decimals")
    return _signed(found[1], int(found[2]) * 1_000_000 + int(found[3]))


def _signed(sign: str, number: int) -> int:
    return -number if sign == "-" else number
