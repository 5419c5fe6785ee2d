"""Types of settings: what is allowed, and how the rest is refused."""

import math
from typing import Any

import pytest

from ugs.declared import Declared, WrongValues
from ugs.setting_types import (
    MAX_OPTION_CHARACTERS,
    MAX_OPTIONS,
    GameOptions,
    Listening,
    Name,
    Seconds,
    in_option_words,
)
from ugs.wire.extensions.common_parts import MAX_CHOICES
from ugs.wire.text_limits import MAX_NAME, MAX_VALUE


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
    (GameOptions, {"n" * MAX_NAME: "v" * MAX_VALUE, "empty": ""}),
    (GameOptions, {f"n{number}": "v" for number in range(MAX_CHOICES)}),
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
    (GameOptions, {"n" * (MAX_NAME + 1): "v"}, "at most 128 characters"),
    (GameOptions, {"": "v"}, "at least 1 character"),
    (GameOptions, {"n": "v" * (MAX_VALUE + 1)}, "a text of at most 1024 characters, a number, true or false"),
    (GameOptions, {"n": [1]}, "one.n = .1.: allowed: a text of"),
    (GameOptions, {"n": "a\0b"}, "allowed: one line of printable characters"),
    (GameOptions, {"n\n": "v"}, "allowed: one line of printable characters"),
    (GameOptions, {f"n{number}": "v" for number in range(MAX_OPTIONS + 1)}, "at most 128 keys"),
    (GameOptions, {f"n{number}": "v" * 1020 for number in range(5)}, "have 5110 characters; allowed: at most 4096"),
    (GameOptions, 7, "a table, at most 128 keys"),
]


@pytest.mark.parametrize(("kind", "value", "words"), REFUSED)
def test_what_is_refused_is_told_with_what_is_allowed(kind: Any, value: object, words: str) -> None:
    with pytest.raises(WrongValues, match=words):
        one_of(kind)(one=value)


def test_options_of_toml_have_the_words_of_the_wire() -> None:
    values = {"size": 7, "swap": True, "rated": False, "komi": 6.5, "handicap": 2.0, "mode": "ADULT", "much": 1 << 65}
    assert in_option_words(values) == {
        "size": "7", "swap": "yes", "rated": "no", "komi": "6.5", "handicap": "2", "mode": "ADULT", "much": 1 << 65,
    }  # fmt: skip
    assert in_option_words(7) == 7


def test_a_plan_has_as_many_options_as_a_master_may_offer() -> None:
    assert (MAX_OPTIONS, MAX_OPTION_CHARACTERS) == (MAX_CHOICES, 4096)
