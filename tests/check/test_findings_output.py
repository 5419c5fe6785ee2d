"""What has come of a check, written for people and for programs."""

from xml.etree import ElementTree

import pytest

from ugs.check.case import Case, CaseFinding, CaseVerdict, Chunk, Level, failures
from ugs.check.findings_output import (
    MAX_CHUNKS,
    as_junit,
    as_tap,
    dialogue_lines,
    finding_lines,
    left_out,
    summary,
    table_of_cases,
    written,
)
from ugs.check.suites import SUITES

ALL_BYTES = bytes(range(256))
CASE = Case("turn/one", "a | b", "It says so.")
DIALOGUE = (Chunk(0.5, True, ALL_BYTES), Chunk(1, False, b"<a'\"/>"))
BAD = CaseFinding(CASE, CaseVerdict.FAILED, "expected a\x00b\ud800\nmove", DIALOGUE, ("it wrote \x1b[31m",))
FOUND = [
    BAD,
    CaseFinding(Case("turn/two", "x", "s", level=Level.SHOULD), CaseVerdict.FAILED, "too # late"),
    CaseFinding(Case("turn/three", "x #1", "s"), CaseVerdict.PASSED, took_s=0.25),
    CaseFinding(Case("turn/four", "x", "s"), CaseVerdict.SKIPPED, "not for\x07 it"),
    CaseFinding(Case("turn/five", "x", "s"), CaseVerdict.BLOCKED, "turn/one failed"),
]


def test_bytes_are_written_exactly_and_as_plain_letters() -> None:
    text = written(ALL_BYTES)
    assert text.isascii()
    assert text.isprintable()
    assert eval('b"' + text.replace('"', '\\"') + '"') == ALL_BYTES


def test_junit_is_valid_whatever_the_bytes_were() -> None:
    root = ElementTree.fromstring(as_junit(FOUND, "ugs check \x00 bot"))
    assert (root.get("tests"), root.get("failures"), root.get("skipped")) == ("5", "2", "2")
    failure = root.find("testcase[@name='one']/failure")
    assert failure is not None
    assert "\\x00\\x01" in (failure.text or "")
    assert failure.get("type") == "must"
    assert root.find("testcase[@name='four']/skipped") is not None


def test_tap_has_a_line_for_each_case() -> None:
    lines = as_tap(FOUND).splitlines()
    assert lines[:3] == ["TAP version 13", "1..5", "not ok 1 - turn/one: a | b"]
    assert "ok 3 - turn/three: x \\#1" in lines
    assert "ok 5 - turn/five: x # SKIP turn/one failed" in lines
    assert all(line.isprintable() for line in lines)
    assert all(line.startswith(("TAP", "1..", "ok ", "not ok ", "# ")) for line in lines)


def test_a_failure_names_the_sentence_and_shows_the_dialogue() -> None:
    lines = list(finding_lines(BAD))
    assert lines[0] == "FAILED turn/one (must): a | b"
    assert lines[1] == "  protocol.md: It says so."
    assert "      1.000 s < <a'\"/>" in lines
    assert all(line.isprintable() for line in lines)


def test_of_a_long_dialogue_the_beginning_and_the_end_are_shown() -> None:
    lines = list(dialogue_lines([Chunk(number, False, b"x" * 3000) for number in range(100)]))
    assert len(lines) == MAX_CHUNKS + 1
    assert f"… {100 - MAX_CHUNKS} more …" in lines
    assert lines[0].endswith("x … (3000 bytes)")


def test_on_a_terminal_all_but_the_last_messages_are_cut() -> None:
    """The failure of a long game took many screens."""
    sent = tuple(Chunk(1, True, letter * 1500) for letter in (b"a", b"b", b"c", b"d"))
    long = CaseFinding(CASE, CaseVerdict.FAILED, "x", sent)
    assert list(finding_lines(long, brief=True))[-4:] == [
        *(f"      1.000 s > {letter * 120} … (1500 bytes; --output tap shows more)" for letter in "ab"),
        *(f"      1.000 s > {letter * 1500}" for letter in "cd"),
    ]
    assert list(finding_lines(long))[-4:] == [f"      1.000 s > {letter * 1500}" for letter in "abcd"]


def test_the_summary_counts() -> None:
    assert summary(FOUND) == "5 cases: 1 passed, 2 failed (1 must, 1 should), 1 skipped, 1 blocked"
    assert summary(FOUND[2:3]) == "1 cases: 1 passed, 0 failed"
    assert (failures(FOUND), failures(FOUND, Level.MUST)) == (2, 1)


def test_what_was_left_out_is_named_behind_its_reason() -> None:
    skipped = [CaseFinding(Case(f"turn/{n}", "x", "s"), CaseVerdict.SKIPPED, "no rules") for n in range(8)]
    assert list(left_out([*FOUND, *skipped])) == [
        "skipped: not for\\u{7} it (1: turn/four)",
        "blocked: turn/one failed (1: turn/five)",
        "skipped: no rules (8: turn/0, turn/1, turn/2, turn/3, turn/4, turn/5 and 2 more)",
    ]


@pytest.mark.parametrize("side", SUITES)
def test_the_table_of_cases_has_a_row_for_each(side: str) -> None:
    cases = SUITES[side]()
    lines = table_of_cases(cases).splitlines()
    assert len(lines) == len(cases) + 2
    assert table_of_cases([CASE]).splitlines()[-1] == "| `turn/one` | must | a \\| b | It says so. |"
