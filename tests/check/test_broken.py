"""Programs that are broken on purpose fail in the cases in which they should, and in no others; right ones in none."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from xml.etree.ElementTree import Element

import pytest

from tests.check import broken_bots, broken_masters, unusual
from tests.check.bots import Bot
from tests.check.counting import Forgiving, SecondBegins
from tests.check.masters import Draws, Master
from tests.check.room import RunsOn, names, try_bot, try_master
from tests.profile import sized
from ugs.check.case import Case, CaseVerdict
from ugs.check.suites import of_bots, of_masters

EVERY = sized(quick=7, deep=1)
"""Of the cases in which nothing should fail, each so many-th is tried."""


def some(cases: Sequence[Case], patterns: Sequence[str] = ()) -> list[Case]:
    """Some of the cases, and all of these names; with what they build on."""
    wanted = {
        case.name
        for number, case in enumerate(cases)
        if number % EVERY == 0 or case.basic or any(fnmatchcase(case.name, pattern) for pattern in patterns)
    }
    for _ in range(3):  # no case builds on more than two others, one on the other
        wanted |= {case.builds_on for case in cases if case.name in wanted}
    return [case for case in cases if case.run is None or case.name in wanted]


def only(failed: Sequence[str], patterns: Sequence[str]) -> None:
    """Each pattern has a case that failed, and each of these a pattern."""
    assert [name for name in failed if not any(fnmatchcase(name, pattern) for pattern in patterns)] == []
    assert [pattern for pattern in patterns if not any(fnmatchcase(name, pattern) for name in failed)] == []


def test_there_are_many() -> None:
    assert len(broken_bots.BROKEN) + len(broken_masters.BROKEN) >= 40


@pytest.mark.parametrize("kind", broken_bots.BROKEN, ids=lambda kind: kind.__name__)
def test_a_broken_bot_fails_where_it_should(kind: type[Bot]) -> None:
    patterns = broken_bots.BROKEN[kind]
    only(names(try_bot(kind, some(of_bots(), patterns))), patterns)


@pytest.mark.parametrize("kind", broken_masters.BROKEN, ids=lambda kind: kind.__name__)
def test_a_broken_master_fails_where_it_should(kind: type[Master]) -> None:
    patterns = broken_masters.BROKEN[kind]
    only(names(try_master(kind, some(of_masters(), patterns))), patterns)


def test_a_bot_that_runs_on_is_let_in_for_each_case_though_it_knows_its_session() -> None:
    wanted = {"session/waiting", "session/move-arrived", "session/move-lost"}
    cases = [case for case in of_bots() if case.run is None or case.name in wanted]
    findings = try_bot(Bot, cases, brings=RunsOn)
    assert names(findings) == []
    assert wanted <= set(names(findings, CaseVerdict.PASSED))


def test_a_right_bot_passes_all_cases() -> None:
    findings = try_bot(Bot)
    assert {one.verdict for one in findings} == {CaseVerdict.PASSED}
    assert len(findings) >= 200


def test_a_right_bot_passes_where_the_first_seat_does_not_begin() -> None:
    findings = try_bot(Bot, some(of_bots(), ("entry/*", "turn/*")), SecondBegins)
    assert names(findings) == names(findings, CaseVerdict.BLOCKED) == []


class Guesses(Bot):
    """Its first guess is wrong each time."""

    wrong = False

    def number(self, message: Element) -> int:
        self.wrong = not self.wrong
        return 9 if self.wrong else super().number(message)


def test_a_bot_that_guesses_passes_where_it_is_asked_again() -> None:
    cases = some(of_bots(), ("turn/legal-*",))
    assert names(try_bot(Guesses, cases, Forgiving)) == []
    assert "turn/legal-1" in names(try_bot(Guesses, cases))


def test_a_right_master_passes_all_cases_but_those_for_other_games() -> None:
    findings = try_master(Master)
    assert names(findings) == names(findings, CaseVerdict.BLOCKED) == []
    assert sorted(names(findings, CaseVerdict.SKIPPED)) == [
        "movers/last-first",
        "restore/left",
        "sketch/accepted",
        "sketch/offers",
    ]
    assert len(findings) >= 200


def test_a_master_of_a_game_that_is_not_installed_passes_what_needs_no_moves() -> None:
    findings = try_master(Master, rules=False)
    assert names(findings) == names(findings, CaseVerdict.BLOCKED) == []
    assert len(names(findings, CaseVerdict.PASSED)) > 120
    (verdicts,) = [one for one in findings if one.case.name == "rules/verdicts"]
    assert verdicts.text == (
        "the rules of counting are not installed here, so there is nothing to compare with; to run these cases, "
        "install its package beside ugs (ugs games lists it then)"
    )
    (whole,) = [one for one in findings if one.case.name == "over/whole-1"]
    assert "draw the legal moves as offers in a sketch" in whole.text


class WithoutSeed(Draws):
    """It does not ask for restore."""

    families = ("table", "reason", "sketch")


def test_who_takes_no_seed_reads_how_the_cases_that_compare_two_games_are_run() -> None:
    findings = try_master(WithoutSeed, some(of_masters(), ("payload/*",)), rules=False)
    texts = {one.text for one in findings if one.case.name.startswith("payload/")}
    assert texts == {
        "the game may have chance, and the master takes no seed; to run these cases, let it ask for restore and take "
        "all chance of a game from its seed"
    }


def test_the_moves_that_a_master_offers_in_sketches_are_played_where_its_rules_are_not_installed() -> None:
    findings = try_master(Draws, rules=False)
    assert names(findings) == names(findings, CaseVerdict.BLOCKED) == []
    assert {"sketch/accepted", "over/whole-1", "payload/single-quotes"} <= set(names(findings, CaseVerdict.PASSED))
    assert len(names(findings, CaseVerdict.SKIPPED)) < 6


def test_a_sketch_that_a_server_refuses_fails_its_case_with_the_reason() -> None:
    findings = try_master(broken_masters.Crimson, rules=False)
    (failed,) = [one for one in findings if one.verdict is CaseVerdict.FAILED]
    assert failed.case.name == "sketch/accepted"
    assert "x-sketch: pieces colour 'crimson': expected one of" in failed.text
    (whole,) = [one for one in findings if one.case.name == "over/whole-1"]
    assert whole.text.endswith("see sketch/accepted")


@pytest.mark.parametrize("kind", unusual.BOTS, ids=lambda kind: kind.__name__)
def test_an_unusual_bot_that_is_right_fails_nowhere(kind: type[Bot]) -> None:
    findings = try_bot(kind, some(of_bots(), ("entry/*", "hello/*", "end/*")))
    assert names(findings) == names(findings, CaseVerdict.BLOCKED) == []


@pytest.mark.parametrize("kind", unusual.MASTERS, ids=lambda kind: kind.__name__)
def test_an_unusual_master_that_is_right_fails_nowhere(kind: type[Master]) -> None:
    findings = try_master(kind, some(of_masters(), ("left/*", "hello/*", "rules/verdicts")))
    assert names(findings) == names(findings, CaseVerdict.BLOCKED) == []
