"""Types of settings: what is allowed, and how the rest is refused."""

import math
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from ugs.setting_types import Listening, Name, Seconds

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
    assert TypeAdapter(kind).validate_python(value) == value


REFUSED = [
    (Name, "", "at least 1 character"),
    (Name, "n" * 65, "at most 64 characters"),
    (Seconds, -0.001, "greater than or equal to 0"),
    (Seconds, 31_536_001.0, "less than or equal to 31536000"),
    (Seconds, math.inf, "finite number"),
    (Seconds, math.nan, "finite number"),
    (Listening, "localhost", "not HOST:PORT; allowed: an address with a port from 0 to 65535"),
    (Listening, "localhost:65536", "such as 127.0.0.1:9000, or empty"),
]


@pytest.mark.parametrize(("kind", "value", "words"), REFUSED)
def test_what_is_refused_is_told_with_what_is_allowed(kind: Any, value: object, words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        TypeAdapter(kind).validate_python(value)
