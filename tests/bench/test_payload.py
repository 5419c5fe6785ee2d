"""Payload filler: exact size, well-formed, and shaped like a game's XML."""

import xml.etree.ElementTree as ET

import pytest

from ugs.bench.payload import CHANGES, MOVE, STATE, PayloadBoard, element


@pytest.mark.parametrize("size", [*range(300), 4096, 61440, 999_999])
def test_filler_has_exactly_the_size_asked_for_and_is_well_formed(size: int) -> None:
    state = element(STATE, size)
    assert size == 0 or len(state) == size + len(b"<gameState></gameState>")
    ET.fromstring(state)


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
        element(MOVE, -1)


@pytest.mark.parametrize("size", [100, 4096, 61440])
def test_a_turn_changes_a_few_cells_and_nothing_else(size: int) -> None:
    board = PayloadBoard(STATE, size, seed=1)
    before = board.turn()
    for _ in range(20):
        after = board.turn()
        assert len(after) == len(before) == len(element(STATE, size))
        first, second = ET.fromstring(before), ET.fromstring(after)
        changed = [one for one, other in zip(first, second, strict=True) if ET.tostring(one) != ET.tostring(other)]
        assert len(changed) <= len(first) // CHANGES + 1
        assert all(cell.tag == "c" for cell in changed)
        before = after


def test_games_with_the_same_seed_are_alike_and_others_drift_apart() -> None:
    one, same, other = PayloadBoard(STATE, 4096, 1), PayloadBoard(STATE, 4096, 1), PayloadBoard(STATE, 4096, 2)
    assert [one.turn() for _ in range(9)] == [same.turn() for _ in range(9)]
    assert one.turn() != other.turn()


def test_an_empty_payload_stays_empty() -> None:
    assert PayloadBoard(MOVE, 0, 1).turn() == b"<move/>"
