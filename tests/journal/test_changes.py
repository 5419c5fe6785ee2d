"""Payloads as what is new in them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ugs.bench.payload import PayloadBoard
from ugs.journal.changes import MIN_BYTES, changed, changes

OLD = b"".join(b"<c>%d</c>" % number for number in range(400))
EDITS = st.lists(st.tuples(st.integers(0, 2**16), st.integers(0, 12), st.binary(max_size=12)), max_size=4)


@pytest.mark.parametrize("size", [MIN_BYTES, 2 * MIN_BYTES + 1, 20_000])
@given(edits=EDITS, back=st.booleans())
def test_edits_give_the_payload_that_they_were_made_of(
    size: int, edits: list[tuple[int, int, bytes]], back: bool
) -> None:
    old = (OLD * 8)[:size]
    new = bytearray(old)
    for place, gone, said in edits:
        place %= len(new)
        new[place : place + gone] = said
    pair = (bytes(new), old) if back else (old, bytes(new))
    found = changes(*pair)
    if found is not None:
        assert changed(pair[0], found) == pair[1]
        assert 2 * len(found) <= len(pair[1])


@given(st.binary(min_size=MIN_BYTES, max_size=2000), st.binary(min_size=MIN_BYTES, max_size=2000))
def test_any_payloads_are_changed_right_or_not_at_all(old: bytes, new: bytes) -> None:
    found = changes(old, new)
    assert found is None or changed(old, found) == new


@pytest.mark.parametrize(("size", "least_gain"), [(4096, 8), (61_440, 5)])
def test_a_turn_of_a_board_saves_most_of_it(size: int, least_gain: int) -> None:
    board = PayloadBoard(b"gameState", size, 1)
    old, new = board.turn(), board.turn()
    found = changes(old, new)
    assert found is not None
    assert len(found) * least_gain < len(new)


@pytest.mark.parametrize(
    "new",
    [OLD[:1000] + b"more" + OLD[1000:], OLD[:1000] + OLD[1004:], b"more" + OLD, OLD + b"more", OLD, OLD[:-4], OLD[4:]],
)
def test_one_change_of_the_length_is_one_edit(new: bytes) -> None:
    found = changes(OLD, new)
    assert found is not None
    assert len(found) < 40
    assert changed(OLD, found) == new


def test_short_and_strange_payloads_are_written_whole() -> None:
    assert changes(OLD[: MIN_BYTES - 1], OLD[: MIN_BYTES - 1]) is None
    assert changes(OLD[: MIN_BYTES - 1], OLD) is None
    assert changes(OLD, bytes(len(OLD))) is None
    assert changes(OLD, bytes(len(OLD) + 1)) is None


@pytest.mark.parametrize(
    ("edits", "why"),
    [
        (b"0 5", "no edit begins at byte 0"),
        (b"0 5\n", "no edit begins"),
        (b"0 9000 0\n", "beyond"),
        (b"-1 5 0\n", "beyond"),
        (b"0 -5 0\n", "beyond"),
        (b"0 5 3\nab", "beyond"),
        (b"0 5 1\nab", "no edit begins at byte 7"),
        (b"0 x 1\na", "invalid literal"),
    ],
)
def test_other_bytes_are_no_edits(edits: bytes, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        changed(OLD, edits)
