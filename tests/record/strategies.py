"""Game records for Hypothesis: any that do not contradict themselves."""

from dataclasses import replace
from typing import Final

from hypothesis import strategies as st

from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, GameResult, Outcome, SeatResult, Verdict
from ugs.record.game import Entry, GameRecord

TEXTS: Final = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from('\\"\n\r\t =[]{}<>\u2028\u202e\0x'), max_size=8
)
"""Any text, with many characters that need care; no halves of surrogate pairs."""

BODIES: Final = st.one_of(
    st.just(b""),
    TEXTS.map(str.encode),
    st.binary(max_size=8),
    st.binary(max_size=8).map(lambda inside: b"<move>" + inside + b"</move>"),
    st.sampled_from(
        [b'"text"', b"to 0,1 <a/>", b"0", b" ", b"<a/> ", b"\\x3c", b"\xc3", b"\xed\xa0\x80", "ż".encode()]
    ),
)

NUMBERS: Final = st.one_of(
    st.integers(0, 10_000_000),
    st.integers(1_900_000_000_000_000, 1_910_000_000_000_000),
    st.integers(-(2**63), 2**63 - 1),
)
"""Small numbers, present-day wall-clock times, and any of 64 bits."""

_BEGINNINGS: Final = st.integers(-60_000_000_000_000_000, 250_000_000_000_000_000)
_MOMENTS: Final = st.floats(allow_nan=False, allow_infinity=False)


def entries(seats: int) -> st.SearchStrategy[Entry]:
    """Events of a game with ``seats`` seats; any field may have any value, whatever the kind."""
    seat = st.none() | st.integers(0, seats - 1) if seats else st.none()
    audience = st.integers(0, 2**seats - 1)
    return st.builds(
        Entry, st.sampled_from(EntryKind), NUMBERS, NUMBERS, st.just(0) | NUMBERS, seat, audience, TEXTS, BODIES
    )


@st.composite
def records(draw: st.DrawFn) -> GameRecord:
    """A record, complete or with some of its parts missing."""
    seats = tuple(draw(st.lists(TEXTS, max_size=4)))
    head = GameRecord(
        draw(TEXTS),
        draw(TEXTS),
        draw(TEXTS),
        seats,
        draw(_BEGINNINGS),
        draw(st.dictionaries(TEXTS, TEXTS, max_size=2)),
        draw(TEXTS),
        draw(st.integers(0, 3) | NUMBERS),
        draw(TEXTS),
        tuple(draw(st.lists(NUMBERS, max_size=3))),
        tuple(draw(st.lists(entries(len(seats)), max_size=4))),
        seats_total=draw(st.just(0) | NUMBERS),
        counts=draw(st.booleans()),
        table=draw(st.dictionaries(TEXTS, TEXTS, max_size=2)),
    )
    if draw(st.booleans()):
        return replace(head, entries=tuple(entry for entry in head.entries if entry.kind is not EntryKind.SETUP))
    results = (
        SeatResult(
            nick,
            draw(st.sampled_from(Outcome)),
            draw(st.none() | st.sampled_from(Cause)),
            draw(st.sampled_from((0, 0, 3))),
        )
        for nick in seats
    )
    result = GameResult(
        head.game_id,
        head.game_type,
        head.master,
        tuple(results),
        Verdict(draw(st.sampled_from(Cause)), draw(st.none() | TEXTS), draw(st.booleans())),
        draw(NUMBERS),
        draw(_MOMENTS),
        draw(_MOMENTS),
        head.championship,
        head.fixture,
    )
    return replace(head, result=result, seed=draw(TEXTS))
