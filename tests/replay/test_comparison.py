"""Whether two payloads are the same."""

import pytest
from hypothesis import given

from tests.record.strategies import BODIES
from ugs.replay.comparison import Similarity, difference, similarity


@pytest.mark.parametrize(
    ("recorded", "now", "alike"),
    [
        (b'<move a="1"/>', b'<move a="1"/>', Similarity.SAME),
        (b'<move a="1" b="2"/>', b"<move b='2'  a='1'></move>", Similarity.WRITING),
        (b"<move>\n  <a/>\n</move>", b"<move><a/></move>", Similarity.WRITING),
        (b"<move>&#65;</move>", b"<move><!-- that is --> A</move>", Similarity.WRITING),
        (b'<move a="1"/>', b'<move a="2"/>', Similarity.DIFFERENT),
        (b"<move>a b</move>", b"<move>ab</move>", Similarity.DIFFERENT),
        (b"<move><a/><b/></move>", b"<move><b/><a/></move>", Similarity.DIFFERENT),
        (b"<move>", b"<move", Similarity.DIFFERENT),
        (b"<move>\xff</move>", b"<move>\xfe</move>", Similarity.DIFFERENT),
        (b"<p:move/>", b"<p:move></p:move>", Similarity.DIFFERENT),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', b"<a>c</a>", Similarity.DIFFERENT),
    ],
)
def test_how_alike_two_payloads_are(recorded: bytes, now: bytes, alike: Similarity) -> None:
    assert similarity(recorded, now) is alike
    assert similarity(now, recorded) is alike


@given(BODIES, BODIES)
def test_any_two_payloads_can_be_compared(recorded: bytes, now: bytes) -> None:
    assert (similarity(recorded, now) is Similarity.SAME) == (recorded == now)
    assert all(line.isprintable() for line in difference(recorded, now))


def test_the_place_where_they_begin_to_differ_is_shown() -> None:
    assert difference(b'<tac x="3" y="4"/>', b'<tac x="3" y="5"/>') == [
        'recorded: <tac x="3" y="4"/>',
        'now:      <tac x="3" y="5"/>',
        "          " + " " * 14 + "^ byte 15",
    ]


def test_of_long_payloads_only_the_neighbourhood_is_shown() -> None:
    same = b"<gameState>" + b"a" * 1000
    recorded, now, place = difference(same + b"b" * 1000, same + b"c")
    assert recorded.startswith("recorded: …aaaa")
    assert recorded.endswith("bbbb…")
    assert len(recorded) < 100
    assert now == "now:      …" + "a" * 24 + "c"
    assert place.endswith("^ byte 1012")
    assert now[place.index("^")] == "c"


def test_a_payload_that_goes_on_differs_where_the_other_ends() -> None:
    assert difference(b"<a/>", b"<a/><b/>")[2].endswith("    ^ byte 5")
