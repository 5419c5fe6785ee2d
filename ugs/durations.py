"""Lengths of time as people type and read them."""

import re

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
SPOKEN = "90s, 20m, 2h, 3d or 1w"
_DURATION = re.compile(r"([0-9]{1,9})([smhdw])")


class WrongDuration(ValueError):
    """A text that is no length of time; the message lists what is allowed."""


def read_duration(text: str) -> float:
    """Seconds of a text such as ``90s``, ``20m``, ``2h``, ``3d`` or ``1w``. Raises WrongDuration."""
    found = _DURATION.fullmatch(text.strip())
    if found is None:
        raise WrongDuration(f"{text!r} is no length of time; allowed: {SPOKEN}")
    return float(int(found[1]) * UNITS[found[2]])


def duration_text(seconds: float) -> str:
    """Seconds for people: ``45 s``, ``1 h 30 min``, ``2 d``; the fraction of a second is left out."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = [(days, "d"), (hours, "h"), (minutes, "min"), (rest, "s")]
    return " ".join(f"{number} {unit}" for number, unit in parts if number) or "0 s"
