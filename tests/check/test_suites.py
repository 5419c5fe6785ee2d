"""The cases: each has a name of its own and stands on a sentence of the protocol's page."""

import re
from pathlib import Path

import pytest

from ugs.check.case import Level
from ugs.check.sentences import S
from ugs.check.suites import SUITES

PAGE = " ".join((Path(__file__).parents[2] / "schemas" / "README.md").read_text(encoding="utf-8").split())
NAME = re.compile(r"[a-z0-9-]+/[a-z0-9-]+")


@pytest.mark.parametrize("side", SUITES)
def test_there_are_at_least_two_hundred_each_with_a_name_of_its_own(side: str) -> None:
    names = [case.name for case in SUITES[side]()]
    assert len(names) == len(set(names)) >= 200
    assert [name for name in names if not NAME.fullmatch(name)] == []


@pytest.mark.parametrize("side", SUITES)
def test_each_stands_on_a_sentence_of_the_page(side: str) -> None:
    assert [case.name for case in SUITES[side]() if case.sentence not in PAGE] == []


def test_no_sentence_is_kept_for_nothing() -> None:
    known = set(S)
    assert known - {case.sentence for suite in SUITES.values() for case in suite()} == set()


@pytest.mark.parametrize("side", SUITES)
def test_what_a_case_builds_on_comes_before_it(side: str) -> None:
    seen: set[str] = {""}
    for case in SUITES[side]():
        assert case.builds_on in seen
        seen.add(case.name)


@pytest.mark.parametrize("side", SUITES)
def test_basic_cases_are_ones_that_a_program_must_pass(side: str) -> None:
    basic = [case for case in SUITES[side]() if case.basic]
    assert basic
    assert all(case.level is Level.MUST and case.run is not None for case in basic)
