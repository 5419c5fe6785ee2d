"""Text of others can do nothing to whoever reads it."""

import csv
import io
import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ugs import printable
from ugs.printable import (
    MAX_SHOWN,
    meant,
    near,
    safe,
    safe_cell,
    safe_json,
    safe_lines,
    shortened,
    shown,
    shown_key,
    unknown,
)

OBEYED = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Unicode categories of which a terminal may do something, or show nothing."""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("ann", "ann"),
        ("Zoë 漢字 🎲", "Zoë 漢字 🎲"),
        ("a\x1b[2Jb", r"a\u{1b}[2Jb"),
        ("a\x9b2Jb", r"a\u{9b}2Jb"),
        ("a\x7f\x08b\x00", r"a\u{7f}\u{8}b\u{0}"),
        ("one\ntwo\r\tthree", r"one\ntwo\r\tthree"),
        ("an\u202en\u2066\u200f", r"an\u{202e}n\u{2066}\u{200f}"),
        ("a\u200bb\ufeffc\xadd", r"a\u{200b}b\u{feff}c\u{ad}d"),
        ("a\u2028b\u2029c\x85d", r"a\u{2028}b\u{2029}c\u{85}d"),
        ("a\xa0b\u3000c", r"a\u{a0}b\u{3000}c"),
        ("\ud800", r"\u{d800}"),
        ("a" + "\u0301" * 6 + "b\u0301", "a" + "\u0301" * 4 + r"\u{301}\u{301}" + "b\u0301"),
        (
            "\u0f62\u0f92\u0fb1\u0f74 ti\u1ebf\u0323ng \u0e17\u0e35\u0e48",
            "\u0f62\u0f92\u0fb1\u0f74 ti\u1ebf\u0323ng \u0e17\u0e35\u0e48",
        ),
        (r"C:\new", r"C:\new"),
    ],
)
def test_what_a_terminal_would_obey_or_hide_is_written_out(text: str, shown: str) -> None:
    assert safe(text) == shown


@given(st.text(st.characters()))
def test_any_text_is_safe_and_printable_text_stays(text: str) -> None:
    shown = safe(text)
    assert not any(unicodedata.category(character) in OBEYED for character in shown)
    assert safe(shown) == shown
    shown.encode("utf-8")
    if text.isprintable() and not any(unicodedata.category(character) in ("Mn", "Me") for character in text):
        assert shown == text


def test_an_unknown_name_is_told_with_the_one_that_was_meant_and_those_there_are() -> None:
    assert unknown("game type", "chest", ["chess", "go"]) == (
        "game type 'chest': unknown (did you mean 'chess'?); there are: chess, go"
    )
    assert unknown("championship", "x", []) == "championship 'x': unknown; there are: none"
    assert unknown("championship", "x", map(str, range(23))).endswith("18, 19 and 3 more")


@given(st.text(st.characters()))
def test_lines_stay_lines_and_each_is_safe(text: str) -> None:
    assert safe_lines(text).split("\n") == [safe(line) for line in text.split("\n")]


@given(
    st.recursive(
        st.none() | st.integers() | st.text(st.characters()),
        lambda some: st.lists(some) | st.dictionaries(st.text(), some),
    )
)
def test_json_keeps_its_meaning_and_is_printable(value: object) -> None:
    for indent in (None, 2):
        text = safe_json(json.dumps(value, ensure_ascii=False, indent=indent))
        assert all(line.isprintable() for line in text.split("\n"))
        assert json.loads(text) == value


def test_json_for_people_stays_readable() -> None:
    assert safe_json('{"nick": "Zoë 漢\u202e\U000e0001"}') == '{"nick": "Zoë 漢\\u202e\\udb40\\udc01"}'


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("ann", "ann"),
        ("=1+1", "'=1+1"),
        ("+41", "'+41"),
        ("-1", "'-1"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", r"\t=1"),
        ("\r=1", r"\r=1"),
        ("\x00=1", r"\u{0}=1"),
        ("a;=1", "a;'=1"),
        ("a,+1;b", "a,'+1;b"),
        ("a|-1:@x", "a|'-1:'@x"),
        (' =1;  "=1', "' =1;'  \"=1"),
        ("'=1", "''=1"),
        (";=;=", ";'=;'="),
        ("a;b", "a;b"),
        ("a\u3000;\xa0=1", r"a\u{3000};\u{a0}=1"),
        ("＝1", "'＝1"),
        ("a=1", "a=1"),
        ("an\u202en", r"an\u{202e}n"),
        ("", ""),
        (-1.5, -1.5),
        (7, 7),
        (None, None),
    ],
)
def test_a_cell_that_a_spreadsheet_would_run_is_defused_and_numbers_stay(value: object, cell: object) -> None:
    assert safe_cell(value) == cell


@given(st.text(st.sampled_from("ab =+-@;,|:\t\r\n\"'\x00＝＠")))
def test_no_separator_opens_a_cell_that_is_a_formula(text: str) -> None:
    row = io.StringIO()
    csv.writer(row).writerow([safe_cell(text), 1])
    for separator in ",;|:\t":
        for cell in row.getvalue().split(separator):
            assert not cell.lstrip(' "').startswith(("=", "+", "-", "@", "＝", "＠"))


@pytest.mark.parametrize(
    "value",
    ["x" * 10**6, [1] * 10**6, 1 << 10**6, -(1 << 10**6), b"x" * 10**6, ("x",) * 10**6, {"x": "x" * 10**6}],
    ids=["text", "list", "number", "negative number", "bytes", "tuple", "table"],
)
def test_a_wrong_value_is_shown_as_far_as_anybody_reads(value: object) -> None:
    assert 0 < len(shown(value)) <= MAX_SHOWN + 1
    assert shown("ann") == "'ann'"
    assert shown(7) == "7"


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("move_timeout", " (did you mean 'move_timeout_s'?)"),
        ("MOVE_TIMEOUT_S", " (did you mean 'move_timeout_s'?)"),
        ("sheep", ""),
        ("", ""),
        ("move_timeout_s" * 100_000, ""),
    ],
)
def test_what_was_meant_is_named_if_something_is_close(word: str, said: str) -> None:
    assert meant(word, ["port", "move_timeout_s"]) == said


def test_few_names_are_compared_and_what_was_found_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[list[str]] = []

    def close_matches(word: str, names: list[str], most: int, _cutoff: float) -> list[str]:
        assert max(map(len, [word, *names])) <= printable.MAX_COMPARED
        compared.append(names)
        return names[:most]

    monkeypatch.setattr(printable, "get_close_matches", close_matches)
    known = [f"{number} types of very long names {'x' * 300}" for number in range(5000)]
    for _ in range(3):
        assert meant(f"one of very long names {'x' * 300}", known)
    assert [len(names) for names in compared] == [printable.MAX_CANDIDATES]


def test_a_name_is_found_among_thousands() -> None:
    names = tuple([f"player {number}" for number in range(900)] + ["Smørrebrød"])
    assert near("smorrebrod", names) == ("Smørrebrød",)
    assert near("PLAYER 77", names) == ("player 77",)
    assert near("", names) == ()


def test_a_key_is_shown_in_one_line_as_far_as_anybody_reads() -> None:
    assert shown_key("\x1b[31m\n") == "\\u{1b}[31m\\n"
    assert shown_key("k" * (MAX_SHOWN + 1)) == "k" * MAX_SHOWN + "…"


def test_of_a_long_text_the_begin_and_the_end_are_shown() -> None:
    assert shortened("a" * MAX_SHOWN) == "a" * MAX_SHOWN
    assert shortened("abcdefgh", 4) == "ab… (4 characters more) …gh"
    assert shortened("abcdefgh", 5) == "ab… (3 characters more) …fgh"
