"""The machine, judged by values that a test chooses."""

import resource
import time

import pytest

from ugs.config import load
from ugs.doctor.diagnosis import Grade
from ugs.doctor.machine_checks import clock, open_files, packages, read_packages, read_synchronized

NOW_S = 1_800_000_000.0


def test_what_is_installed_here_belongs_together() -> None:
    assert packages(read_packages()).grade is Grade.GOOD


@pytest.mark.parametrize(
    ("versions", "advice"),
    [
        ({"ugs": "1.1", "ugs-games": "1.0"}, "pip install --upgrade ugs ugs-games"),
        ({"ugs": "1.1", "trio": None}, "pip install trio"),
    ],
)
def test_packages_that_are_missing_or_do_not_fit_are_bad(versions: dict[str, str | None], advice: str) -> None:
    found = packages(versions)
    assert (found.grade, found.advice) == (Grade.BAD, advice)


def test_a_distribution_of_ours_may_be_absent() -> None:
    assert packages({"ugs": "1.1", "ugs-tools": None}).grade is Grade.GOOD


@pytest.mark.parametrize(
    ("limit", "grade"),
    [(1024, Grade.WARNING), (65_536, Grade.GOOD), (resource.RLIM_INFINITY, Grade.GOOD)],
)
def test_open_files_are_enough_for_all_connections(limit: int, grade: Grade) -> None:
    assert open_files(limit, load(None)).grade is grade


@pytest.mark.parametrize(
    ("synchronized", "now_s", "journal_s", "grade"),
    [
        (True, NOW_S, None, Grade.GOOD),
        (None, NOW_S, NOW_S - 5, Grade.GOOD),
        (False, NOW_S, None, Grade.WARNING),
        (True, 1000.0, None, Grade.BAD),
        (True, NOW_S, NOW_S + 3600, Grade.BAD),
    ],
)
def test_the_clock(synchronized: bool | None, now_s: float, journal_s: float | None, grade: Grade) -> None:
    assert clock(synchronized, now_s, journal_s).grade is grade


def test_the_system_is_asked_without_changing_it() -> None:
    before = time.time()
    assert read_synchronized() in (True, False, None)
    assert time.time() >= before
