"""Every regular expression that reads what others write takes linear time, whatever they write."""

import random
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.patterns.sources import Site, compiled, sites
from tests.patterns.steps import Counted, Steps, TooDear
from tests.patterns.whose import HOW, MADE, READS, Whose
from tests.patterns.worst import MAX_GROWTH, dearest, letters
from tests.profile import sized

READ = [key for key, whose in READS.items() if whose is not Whose.OURS]
TRIED = sized(quick=60, deep=2000)

AS_IT_WAS = re.compile(rb"""[ \t\r\n]+([^ \t\r\n=<>/"']+)[ \t\r\n]*=[ \t\r\n]*("[^"<]*"|'[^'<]*')""")
"""An attribute, as it was once looked for in tags: 24 KB of blanks took 3.4 s."""
SQUARES = {
    "blanks that may begin anywhere": (AS_IT_WAS, "findall"),
    "two repetitions of the same": (re.compile("a*b?a*c"), "match"),
    "a tag that may not end": (re.compile("<a[^>]*>"), "finditer"),
    "a comment that may not end": (re.compile("(?s)<!--.*?-->"), "sub"),
    "a repetition of repetitions": (re.compile("(?:a+b?)+c"), "fullmatch"),
    "a name behind blanks": (re.compile(r"(?:\s*\w+\s*)+;"), "match"),
}
LINEAR = {
    "the same, where the last has ended": (AS_IT_WAS, "match"),
    "what gives nothing back": (re.compile("a*+b?a*+c"), "match"),
    "a limit": (re.compile("<a[^>]{0,9}>"), "finditer"),
    "to the end of the text": (re.compile(r"(?s)<!--.*?(?:-->|\Z)"), "sub"),
}


def the_pattern(site: Site) -> "re.Pattern[Any]":
    return compiled(site, MADE.get(site.key))


def test_the_table_names_each_expression_and_no_other() -> None:
    """A new one, or one that has changed its name, needs a line in ``tests/patterns/whose.py``."""
    assert set(READS) == set(sites())
    assert set(HOW) | set(MADE) <= set(sites())


@pytest.mark.parametrize("key", READ)
def test_it_takes_linear_time(key: str) -> None:
    site = sites()[key]
    asks = {HOW[site.key]} if site.key in HOW else site.asks
    assert asks, f"{site.key}: how is it asked? The sources do not tell, so HOW has to"
    for ask in sorted(asks):
        grows, worst = dearest(the_pattern(site), ask, TRIED)
        assert grows <= MAX_GROWTH, f"{site.key}, {ask}: eight times {worst} costs {grows:.0f} times as much"


@pytest.mark.parametrize(("pattern", "ask"), SQUARES.values(), ids=SQUARES)
def test_what_takes_more_is_found(pattern: "re.Pattern[Any]", ask: str) -> None:
    assert dearest(pattern, ask, TRIED)[0] > MAX_GROWTH


@pytest.mark.parametrize(("pattern", "ask"), LINEAR.values(), ids=LINEAR)
def test_what_takes_no_more_is_not(pattern: "re.Pattern[Any]", ask: str) -> None:
    assert dearest(pattern, ask, TRIED)[0] <= MAX_GROWTH


@pytest.mark.parametrize("key", READ)
def test_what_counts_finds_what_the_engine_finds(key: str) -> None:
    check_same(the_pattern(sites()[key]), random.Random(key), sized(quick=15, deep=1000))


@given(
    st.sampled_from([pattern for pattern, _ in (*SQUARES.values(), *LINEAR.values())]),
    st.randoms(use_true_random=False),
)
def test_and_so_for_these(pattern: "re.Pattern[Any]", chance: random.Random) -> None:
    check_same(pattern, chance, 1)


def check_same(pattern: "re.Pattern[Any]", chance: random.Random, number: int) -> None:
    """The counting engine and ``re`` find the same in texts of the letters of the expression."""
    counted = Counted(pattern)
    alphabet = letters(counted)
    for _ in range(number):
        text: Any = "".join(chance.choices(alphabet, k=chance.randint(0, 12)))
        text = text.encode("latin-1") if counted.is_bytes else text
        for whole, ask in ((False, pattern.match), (True, pattern.fullmatch)):
            found = ask(text)
            assert counted.match(text, Steps(), whole=whole) == (found.end() if found else None)
        assert list(counted.all(text, Steps())) == [found.span() for found in pattern.finditer(text)]


def test_it_stops_where_it_is_told_to() -> None:
    with pytest.raises(TooDear):
        Counted(re.compile("a*b")).search("a" * 100, Steps(most=50))
