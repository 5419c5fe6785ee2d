"""All cases, of bots and of game masters."""

from collections.abc import Iterable
from typing import Final

from ugs.check import bot_cases, bot_extension_cases, master_cases, master_extension_cases, master_sketch_cases
from ugs.check.case import Case


def of_bots() -> list[Case]:
    """The cases of bots."""
    return _in_order([*bot_cases.v4_cases(), *bot_extension_cases.extension_cases()])


def of_masters() -> list[Case]:
    """The cases of game masters."""
    return _in_order(
        [*master_cases.v4_cases(), *master_extension_cases.extension_cases(), *master_sketch_cases.sketch_cases()]
    )


SUITES: Final = {"bot": of_bots, "master": of_masters}
"""By the word on the command line."""


def _in_order(cases: Iterable[Case]) -> list[Case]:
    """What all else stands on first; those that need a new process each last, since they take longest."""
    # The basic ones that are fresh come before all: one of them is the login.
    return sorted(cases, key=lambda case: (not case.basic, case.fresh != case.basic))
