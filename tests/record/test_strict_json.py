"""JSON of others is read as it stands, or refused with the reason."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ugs.record.strict_json import decode

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**39), 10**39)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES)
def test_values_come_back(value: object) -> None:
    assert decode(json.dumps(value).encode()) == value


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b'{"a":1,"a":2}', "the same name twice in one object"),
        (b'{"a":NaN}', "NaN is not a number"),
        (b"[-Infinity]", "-Infinity is not a number"),
        (b"9" * 1_000_000, "a number of 1000000 digits"),
        (b"[" * 1_000_000, "nested too deep"),
        (b'{"a":' * 1_000_000, "nested too deep"),
        (b"{", "not JSON: Expecting property name enclosed in double quotes at character 2"),
        (b'"\xff"', "not UTF-8: invalid start byte at byte 2 of the line"),
    ],
)
def test_traps_are_refused(line: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(why)}$"):
        decode(line)
