"""Lengths of time as people type and read them."""

import math
import re
from itertools import pairwise

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
SPOKEN = "90s, 20m, 2h, 3d or 1w"
_NAMES = ((86_400, "d"), (3600, "h"), (60, "min"), (1, "s"))
_LARGEST_FIRST = tuple(unit for unit, _name in _NAMES)
_DURATION = re.compile(r"([0-9]{1,9})([smhdw])")


class WrongDuration(ValueError):
    """A text that is no length of time; the message lists what is allowed."""


def read_duration(text: str) -> float:
    """Seconds of a text such as ``90s``, ``20m``, ``2h``, ``3d`` or ``1w``. Raises WrongDuration."""
    found = _DURATION.fullmatch(text.strip())
    if found is None:
        raise WrongDuration(f"{text!r} is no length of time; allowed: {SPOKEN}")
    return float(int(found[1]) * UNITS[found[2]])


def duration_text(seconds: float, *, up: bool = False) -> str:
    """Seconds for people, in their two largest units: ``45 s``, ``1 h 30 min``, ``2 d``; the fraction of a second is
    left out. With ``up`` the text is no shorter than the time, for what is still to come."""
    whole = math.ceil(seconds) if up else int(seconds)
    # What is below the second unit is rounded: a day less a second is a day.
    step = next((small for large, small in pairwise(_LARGEST_FIRST) if whole >= large), 1)
    left = (whole + (step - 1 if up else step // 2)) // step * step
    parts = []
    for unit, name in _NAMES:
        number, left = divmod(left, unit)
        if number:
            parts.append(f"{number} {name}")
    return " ".join(parts) or "0 s"


def elapsed_text(seconds: float) -> str:
    """Seconds that have been measured, for people: with tenths below 100, else as :func:`duration_text`."""
    return f"{seconds:.1f} s" if seconds < 100 else duration_text(seconds)
