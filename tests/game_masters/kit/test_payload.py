"""Reading payloads from strangers."""

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game_masters.kit.payload import check_shape, integer, only_child, parse
from game_masters.kit.rules import Unreadable


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"text",
        b"<move>",
        b"<move></other>",
        b"<gameState/>",
        b"<move/><move/>",
        b"<!DOCTYPE move><move/>",
        *(
            '<!DOCTYPE move [<!ENTITY e "x">]><move>&e;</move>'.encode(name)
            for name in ("utf-16", "utf-16-le", "utf-8-sig")
        ),
        b'<!DOCTYPE move [<!ENTITY e "x">]><move>&e;</move>',
        b"<move>&unknown;</move>",
        b"<move>\xff\xfe</move>",
        b"<ns:move/>",
        b'<?xml version="1.0" encoding="no-such-code"?><move/>',
    ],
)
def test_what_is_not_the_expected_element_is_unreadable(payload: bytes) -> None:
    with pytest.raises(Unreadable):
        parse(payload, "move")


@given(st.binary() | st.text(alphabet="<move/>&;#x!D '\"=").map(str.encode))
def test_any_bytes_are_an_element_or_unreadable(payload: bytes) -> None:
    with suppress(Unreadable):
        assert parse(payload, "move").tag == "move"


def test_white_space_and_comments_do_not_matter() -> None:
    root = parse(b'<move> <!-- here --> \n<tic x="1"/>\t</move>', "move")
    assert only_child(root, "tic").attrib == {"x": "1"}


@pytest.mark.parametrize(
    "payload",
    [
        b"<move/>",
        b"<move><tac/></move>",
        b"<move><tic/><tic/></move>",
        b"<move>text<tic/></move>",
        b"<move><tic/>text</move>",
        b'<move a="1"><tic/></move>',
    ],
)
def test_an_only_child_is_neither_missing_nor_accompanied(payload: bytes) -> None:
    with pytest.raises(Unreadable, match="element move: "):
        only_child(parse(payload, "move"), "tic")


def test_attributes_are_exactly_the_expected_ones() -> None:
    element = parse(b'<move x="1" z="2"/>', "move")
    with pytest.raises(Unreadable, match="element move: attributes x, z; expected x, y"):
        check_shape(element, frozenset({"x", "y"}))
    check_shape(element, frozenset({"x", "z"}))


@pytest.mark.parametrize(("text", "value"), [("0", 0), ("-3", -3), ("+7", 7), (" 12\t", 12), ("007", 7)])
def test_integers_are_read_as_schemas_read_them(text: str, value: int) -> None:
    assert integer(parse(f'<move x="{text}"/>'.encode(), "move"), "x") == value


@pytest.mark.parametrize("text", ["", " ", "1.0", "0x1", "1_0", "--1", "1 2", "٣", "9999999999", "one"])
def test_other_numbers_are_unreadable(text: str) -> None:
    with pytest.raises(Unreadable, match=r"element move, attribute x: .* is not an integer"):
        integer(parse(f'<move x="{text}"/>'.encode(), "move"), "x")


LONG = "x" * 100_000


@pytest.mark.parametrize(
    "read",
    [
        lambda: parse(f"<{LONG}/>".encode(), "move"),
        lambda: integer(parse(f'<move n="{LONG}"/>'.encode(), "move"), "n"),
        lambda: check_shape(parse(f'<move {LONG}=""/>'.encode(), "move")),
    ],
)
def test_however_long_what_others_sent_is_an_error_stays_short(read: Callable[[], object]) -> None:
    with pytest.raises(Unreadable) as error:
        read()
    assert len(str(error.value)) < 200


def test_a_missing_attribute_is_unreadable() -> None:
    with pytest.raises(Unreadable, match="attribute x: None is not an integer"):
        integer(parse(b"<move/>", "move"), "x")
