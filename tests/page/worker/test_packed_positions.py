"""A game as one script: nothing is lost, and what stays the same is written once."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ugs.page.played import Position
from ugs.page.worker import packed_positions
from ugs.page.worker.packed_positions import EVERY, NAME, as_script
from ugs.pictures.svg import DrawnParts

PIECES = st.sampled_from(["<g>", '<rect x="1"/>', "<text>ann, ben; cy. </text>", "</g>", "plain", "</svg>", "é<", ""])
TEXTS = st.lists(PIECES, max_size=12).map("".join)


def read(script: bytes) -> dict[str, Any]:
    start, end = f"window.{NAME}=", ";\n"
    text = script.decode()
    assert text.startswith(start)
    assert text.endswith(end)
    whole: dict[str, Any] = json.loads(text[len(start) : -len(end)])
    return whole


def unpacked(whole: dict[str, Any], number: int, name: str) -> str:
    """As the page does it: from the last position of which all is listed."""
    last = number - 1
    pieces: list[int] = []
    for place in range(last - last % whole["every"], last + 1):
        for at, dropped, *new in reversed(whole["positions"][place][name]):
            pieces[at : at + dropped] = new
    return "".join(whole["pieces"][piece] for piece in pieces)


def played(pictures: Sequence[tuple[str, str]]) -> list[Position]:
    return [
        Position(number, svg, words, [f"line {number}"], ["ann"], float(number))
        for number, (svg, words) in enumerate(pictures, 1)
    ]


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=8), st.integers(0, 2 * EVERY))
def test_every_position_comes_back_as_it_was(pictures: list[tuple[str, str]], more: int) -> None:
    positions = played([*pictures, *[("<g/>", "again")] * more, *pictures])
    whole = read(as_script(positions))
    assert len(whole["positions"]) == len(positions)
    for one, packed in zip(positions, whole["positions"], strict=True):
        assert (unpacked(whole, one.number, "svg"), unpacked(whole, one.number, "words")) == (one.svg, one.words)
        assert (packed["news"], packed["next"], packed["since_s"]) == (one.news, one.next, one.since_s)


@given(st.lists(st.tuples(st.lists(TEXTS, max_size=6), TEXTS), max_size=8))
def test_parts_of_pictures_come_back_wherever_they_were_cut(pictures: list[tuple[list[str], str]]) -> None:
    whole = read(as_script(played([(DrawnParts(parts), words) for parts, words in pictures])))
    for number, (parts, words) in enumerate(pictures, 1):
        assert (unpacked(whole, number, "svg"), unpacked(whole, number, "words")) == ("".join(parts), words)


def test_a_board_that_stays_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading the tags of all pictures took a third of the time of a copy of a site."""
    cut: list[str] = []

    def counted(text: str) -> list[str]:
        cut.append(text)
        return [text]

    monkeypatch.setattr(packed_positions, "_cut", counted)
    board = "".join(f'<rect x="{place}"/>' for place in range(200))
    as_script(played([(DrawnParts(["<svg>", board, f"<g>{number}", "</svg>"]), "words") for number in range(20)]))
    assert len(cut) == 200 + 2 + 20 + 1


def test_words_are_compared_once_with_those_of_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []
    edits = packed_positions._edits

    def counted(old: Sequence[int], new: Sequence[int]) -> list[packed_positions.Edit]:
        compared.append(len(new))
        return edits(old, new)

    monkeypatch.setattr(packed_positions, "_edits", counted)
    said = [f"Ann has {number} points. Ben is to move." for number in range(3)]
    as_script(played([(DrawnParts(["<svg>", words, "</svg>"]), words) for words in said]))
    assert len(compared) == 2 * 1 + 2, "the first position has nothing to compare with"


def test_what_stays_the_same_is_written_once() -> None:
    board = "".join(f'<rect x="{place}" y="0" width="20" height="20" class="f-field s-line"/>' for place in range(200))
    pictures = [(f"<svg>{board}<circle r='{number}'/></svg>", "a pawn") for number in range(100)]
    size = sum(len(svg) for svg, _ in pictures)
    assert len(as_script(played(pictures))) < size / 20


def test_parts_that_come_go_and_change_are_written_alone() -> None:
    fields = [f'<rect x="{place}"/>' for place in range(100)]
    pictures = [
        ("<svg>" + "".join(fields), ""),
        ("<svg>" + "".join([*fields[:20], "<g/>", *fields[20:70], *fields[71:]]), ""),
    ]
    pictures += [("<svg>" + "".join([*fields[:20], "<g/>", *fields[20:70], "<a/>", *fields[72:]]), "")]
    whole = read(as_script(played([*pictures, (pictures[-1][0] + "</svg>", "")])))
    new = {whole["pieces"].index(piece): piece for piece in ("<g/>", "<a/>", "</svg>")}
    edits = [
        [(at, dropped, *(new[one] for one in added)) for at, dropped, *added in packed["svg"]]
        for packed in whole["positions"][1:]
    ]
    assert edits == [[(21, 0, "<g/>"), (71, 1)], [(72, 1, "<a/>")], [(101, 0, "</svg>")]]
