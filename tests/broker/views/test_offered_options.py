"""Which values an offered option takes."""

import pytest

from ugs.broker.views.offered_options import fits
from ugs.wire.extensions import OfferedOption


@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [
        (OfferedOption("a", "x", "x y"), "y", True),
        (OfferedOption("a", "x", "x y"), "x y", False),
        (OfferedOption("a", "x", "x y"), "", False),
        (OfferedOption("a", "x"), "", True),
        (OfferedOption("a", "x"), "anything at all", True),
        (OfferedOption("a", "1", "", 1, 9), "9", True),
        (OfferedOption("a", "1", "", 1, 9), "10", False),
        (OfferedOption("a", "1", "", 1, 9), "0", False),
        (OfferedOption("a", "1", "", 1, 9), "5.0", False),
        (OfferedOption("a", "1", "", 1, 9), " 5", False),
        (OfferedOption("a", "1", "", 1, 9), "٥", False),
        (OfferedOption("a", "1", "", 1, 9), "5" * 40, False),
        (OfferedOption("a", "1", "", 1), "5" * 18, True),
        (OfferedOption("a", "1", "", None, 9), "-5", True),
        (OfferedOption("a", "1", "many", 1, 9), "many", True),
        (OfferedOption("a", "1", "many", 1, 9), "few", False),
    ],
)
def test_a_value_fits_an_option(option: OfferedOption, value: str, allowed: bool) -> None:
    assert fits(option, value) is allowed
