"""The fixture of all tests of programs at a server."""

from functools import partial

import pytest
import trio

from tests.game_masters.programs import MemoryServer, Opens


@pytest.fixture
def opens_server(nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch) -> Opens:
    """Opens a server with these settings; it is gone when the test is over."""
    return partial(MemoryServer, nursery, monkeypatch)
