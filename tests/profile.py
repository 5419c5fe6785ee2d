"""How much the tests try: ``quick`` in every run (`make test`), ``deep`` before a release (`make test-deep`).

``UGS_TESTS`` in the environment chooses, so that workers and processes which tests start choose the same. A test whose
work can grow states both amounts side by side, and proves the same claim with either::

    GAMES = sized(quick=300, deep=4600)

    @settings(max_examples=sized(quick=20, deep=100))

Both profiles are deterministic: whatever fails once fails again.
"""

import os
from typing import Final, TypeVar

import pytest
from hypothesis import settings

QUICK: Final = "quick"
DEEP: Final = "deep"
VARIABLE: Final = "UGS_TESTS"
EXAMPLES: Final = {QUICK: 40, DEEP: 200}
"""Examples of a property test that names no number of its own."""

T = TypeVar("T")


def chosen() -> str:
    """The profile that the environment names, ``quick`` if it names none. Raises ValueError for any other."""
    name = os.environ.get(VARIABLE) or QUICK
    if name not in EXAMPLES:
        raise ValueError(f"{VARIABLE}={name!r}: allowed: {', '.join(EXAMPLES)}")
    return name


def sized(*, quick: T, deep: T) -> T:
    """The amount for the profile that is chosen."""
    return deep if chosen() == DEEP else quick


ONLY_DEEP: Final = pytest.mark.skipif(chosen() != DEEP, reason="a quick run asks the same at a lower level")
"""For a test of real processes that repeats what other tests have asked in memory, or of other processes."""


def load_hypothesis() -> None:
    """Load the chosen profile into Hypothesis: derandomized, and without a deadline, since machines may be busy."""
    for name, examples in EXAMPLES.items():
        settings.register_profile(name, derandomize=True, deadline=None, database=None, max_examples=examples)
    settings.load_profile(chosen())
