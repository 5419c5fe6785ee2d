"""Places at a round table."""

import pytest

from game_masters.bang.pictures.ring import PANEL, WIDTH, head, ring


@pytest.mark.parametrize("places", range(1, 9))
@pytest.mark.parametrize("tall", [62, 107])
def test_no_panel_lies_on_another_one_or_outside(places: int, tall: float) -> None:
    table = ring(places, tall)
    for place, (x, y) in enumerate(table.middles):
        assert PANEL / 2 <= x <= WIDTH - PANEL / 2
        assert tall / 2 - 0.01 <= y <= table.height - tall / 2 + 0.01
        for ox, oy in table.middles[:place]:
            assert abs(x - ox) >= PANEL or abs(y - oy) >= tall


def test_the_first_sits_at_the_bottom_and_the_next_one_to_the_left() -> None:
    (x, y), (left, _), *_ = ring(4, 62).middles
    assert (x, left < x) == (WIDTH / 2, True)
    assert y == max(y for _, y in ring(4, 62).middles)


def test_an_arrow_begins_and_ends_outside_of_both_panels() -> None:
    table = ring(5, 62)
    for source in range(5):
        for target in range(5):
            if source == target:
                continue
            way = table.arrow(source, target)
            assert len(way) > 2
            for place in (source, target):
                mx, my = table.middles[place]
                assert all(abs(x - mx) > PANEL / 2 or abs(y - my) > 31 for x, y in way)
            tip, *_ = head(way)
            assert tip == way[-1]
