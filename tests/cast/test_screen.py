"""A small terminal."""

import pytest

from tests.cast.screen import Screen, Style


def shown(*texts: str, height: int = 4) -> list[str]:
    screen = Screen(10, height)
    for text in texts:
        screen.feed(text)
    return ["".join(cell.text for cell in row).rstrip() for row in screen.rows()]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("one\r\ntwo", ["one", "two"]),
        ("one\rtw", ["twe"]),
        ("one\r\ntwo\x1b[1A\r\x1b[2Knew", ["new", "two"]),
        ("0123456789ab", ["0123456789", "ab"]),
        ("a\r\nb\r\nc\r\nd\r\ne", ["b", "c", "d", "e"]),
        ("gone\r\x1b[Khere\x1b[?25l", ["here"]),
    ],
)
def test_what_a_program_writes_is_shown(text: str, rows: list[str]) -> None:
    assert shown(text) == rows


def test_an_order_may_come_in_pieces() -> None:
    assert shown(*"one\r\ntwo\x1b[1A\r\x1b[2Knew") == ["new", "two"]


def test_colours_belong_to_letters() -> None:
    screen = Screen(10, 2)
    screen.feed("\x1b[1;31mab\x1b[0mc\x1b[92md")
    assert [cell.style for cell in screen.rows()[0]] == [
        *[Style("red", bold=True)] * 2,
        Style(),
        Style("green"),
    ]
