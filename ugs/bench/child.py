"""A process that a measurement starts: ``python -m MODULE PLAN``, where PLAN is a dataclass as JSON.

It speaks in lines: reports on stdout, orders on stdin. A failure is one line on stderr and exit code 1.
"""

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

P = TypeVar("P")


class PlanFailed(Exception):
    """What was planned cannot be done; the text gives the reason."""


def as_argument(plan: Any) -> str:
    """A plan as the one argument of a command line."""
    return msgspec.json.encode(plan).decode()


def run_plan(carry_out: Callable[[P], None], kind: type[P], argument: str | None = None) -> int:
    """Carry out the plan in the ``argument``, without one that of the command line. Returns the exit code."""
    try:
        carry_out(msgspec.json.decode(sys.argv[1] if argument is None else argument, type=kind))
    except (PlanFailed, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0
