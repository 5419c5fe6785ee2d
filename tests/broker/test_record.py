"""What entries of a record say in numbers."""

import pytest

from ugs.broker.record import audience_of, seats_of


def test_an_audience_is_a_number_and_a_list_of_seats() -> None:
    assert seats_of(0b1101) == [0, 2, 3]
    assert audience_of([0, 2, 3]) == 0b1101
    for seats in ([1, 0], [1, 1]):
        with pytest.raises(ValueError, match="ascend"):
            audience_of(seats)
