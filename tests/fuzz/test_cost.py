"""The short profile of the fuzzer for cost: it finds a square, and none where one peer is heard."""

import re

import pytest

from tests.fuzz import cost
from tests.fuzz.cost import CostTarget, Part, find, rendered
from tests.profile import sized

SQUARE = re.compile(rb" +=")
"""It begins again at each blank."""
TRIES = sized(quick=80, deep=3000)


def square(data: bytes) -> None:
    SQUARE.search(data)


def test_a_square_is_found_and_its_cost_is_the_same_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    begins = ((Part(b"a b"),),)
    target = CostTarget("tests.fuzz.test_cost:square", ("tests.fuzz.test_cost",), (b"x",), begins=begins)
    monkeypatch.setitem(cost.TARGETS, "square", target)
    found, tried = find("square", float("inf"), tries=TRIES)
    assert found is not None
    assert (found, tried) == find("square", float("inf"), tries=TRIES)


@pytest.mark.parametrize("name", ["framing", "requests"])
def test_what_one_peer_says_costs_no_more_by_the_byte_the_longer_it_is(name: str) -> None:
    found, _ = find(name, float("inf"), tries=TRIES)
    assert found is None, str(found)


def test_copies_have_numbers() -> None:
    assert rendered((Part(b"{all}:"), Part(b"p{n} ", 3))) == b"3:p0 p1 p2 "
