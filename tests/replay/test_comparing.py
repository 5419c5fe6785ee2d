"""Are two payloads the same?"""

import pytest
from hypothesis import given

from tests.record.strategies import BODIES
from ugs.replay.comparing import Likeness, difference, likeness


@pytest.mark.parametrize(
    ("recorded", "now", "alike"),
    [
        (b'<move a="1"/>', b'<move a="1"/>', Likeness.SAME),
        (b'<move a="1" b="2"/>', b"<move b='2'  a='1'></move>", Likeness.WRITING),
        (b"<move>\n  <a/>\n</move>", b"<move><a/></move>", Likeness.WRITING),
        (b"<move>&#65;</move>", b"<move><!-- that is --> A</move>", Likeness.WRITING),
        (b'<move a="1"/>', b'<move a="2"/>', Likeness.DIFFERENT),
        (b"<move>a b</move>", b"<move>ab</move>", Likeness.DIFFERENT),
        (b"<move><a/><b/></move>", b"<move><b/><a/></move>", Likeness.DIFFERENT),
        (b"<move>", b"<move", Likeness.DIFFERENT),
        (b"<move>\xff</move>", b"<move>\xfe</move>", Likeness.DIFFERENT),
        (b"<p:move/>", b"<p:move></p:move>", Likeness.DIFFERENT),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', b"<a>c</a>", Likeness.DIFFERENT),
    ],
)
def test_how_alike_two_payloads_are(recorded: bytes, now: bytes, alike: Likeness) -> None:
    assert likeness(recorded, now) is alike
    assert likeness(now, recorded) is alike


@given(BODIES, BODIES)
def test_any_two_payloads_can_be_compared(recorded: bytes, now: bytes) -> None:
    assert (likeness(recorded, now) is Likeness.SAME) == (recorded == now)
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
