"""Payload filler: exact size, well-formed, and shaped like a game's XML."""

import xml.etree.ElementTree as ET

import pytest

from ugs.bench.payload import MOVE, STATE, TURNS, element, filler


@pytest.mark.parametrize("size", [*range(300), 4096, 61440, 999_999])
def test_filler_has_exactly_the_size_asked_for_and_is_well_formed(size: int) -> None:
    content = filler(size)
    assert len(content) == size
    ET.fromstring(b"<gameState>" + content + b"</gameState>")


def test_filler_is_many_small_elements_with_and_without_text() -> None:
    state = ET.fromstring(element(STATE, 4096))
    cells, lines = state.findall("c"), state.findall("p")
    assert len(cells) > 100
    assert len(lines) > 30
    assert all(cell.attrib.keys() == {"x", "y", "v"} for cell in cells)
    assert max(len(text) for text in state.itertext()) < 100


def test_no_payload_is_an_empty_element() -> None:
    assert element(MOVE, 0) == b"<move/>"


def test_a_negative_size_is_refused() -> None:
    with pytest.raises(ValueError, match="-1 bytes"):
        filler(-1)


@pytest.mark.parametrize("size", [100, 4096, 61440])
def test_a_turn_changes_a_few_cells_and_nothing_else(size: int) -> None:
    first, second = (ET.fromstring(element(STATE, size, turn)) for turn in (0, 1))
    assert len(element(STATE, size)) == len(element(STATE, size, 1))
    changed = [one for one, other in zip(first, second, strict=True) if ET.tostring(one) != ET.tostring(other)]
    assert 0 < len(changed) <= 2 * (len(first) // TURNS + 1)
    assert element(STATE, size, 3) == element(STATE, size, 3 + TURNS)
