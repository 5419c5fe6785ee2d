"""Types of settings: what is allowed, and how the rest is refused."""

import math
from typing import Any

import pytest

from ugs.declared import Declared, WrongValues
from ugs.setting_types import Listening, Name, Seconds


def one_of(kind: Any) -> type[Declared]:
    """A table with one key."""
    return type("Table", (Declared,), {"__annotations__": {"one": kind}})


ALLOWED = [
    (Name, "n"),
    (Name, "n" * 64),
    (Seconds, 0.0),
    (Seconds, 31_536_000.0),
    (Listening, ""),
    (Listening, "[::1]:0"),
    (Listening, "localhost:65535"),
]


@pytest.mark.parametrize(("kind", "value"), ALLOWED)
def test_what_is_allowed_stays_as_it_is(kind: Any, value: object) -> None:
    assert one_of(kind)(one=value).plain() == {"one": value}


REFUSED = [
    (Name, "", "at least 1 character"),
    (Name, "n" * 65, "at most 64 characters"),
    (Seconds, -0.001, "a number, at least 0, at most 31536000"),
    (Seconds, 31_536_001.0, "at most 31536000"),
    (Seconds, math.inf, "at most 31536000"),
    (Seconds, math.nan, "at most 31536000"),
    (Listening, "localhost", "not HOST:PORT; allowed: an address with a port from 0 to 65535"),
    (Listening, "localhost:65536", "such as 127.0.0.1:9000, or empty"),
]


@pytest.mark.parametrize(("kind", "value", "words"), REFUSED)
def test_what_is_refused_is_told_with_what_is_allowed(kind: Any, value: object, words: str) -> None:
    with pytest.raises(WrongValues, match=words):
        one_of(kind)(one=value)
