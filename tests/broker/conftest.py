"""The fixture of all tests of the broker."""

import pytest

from tests.broker.house import House


@pytest.fixture
def house() -> House:
    """A house with every setting at its default; tests that need others open one of their own."""
    return House()
