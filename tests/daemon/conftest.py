"""The fixture of all tests of the shell that need no real network."""

from collections.abc import Callable

import pytest
import trio

from tests.daemon.shell import Shell


@pytest.fixture
def opens(nursery: trio.Nursery) -> Callable[..., Shell]:
    """Opens a server with these settings, all others at their defaults; it is gone when the test is over."""

    def open_shell(**settings: object) -> Shell:
        return Shell(nursery, **settings)

    return open_shell
