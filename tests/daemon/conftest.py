"""The fixture of all tests of the shell that need no real network."""

import math
from collections.abc import Callable
from dataclasses import replace

import pytest
import trio

from tests.daemon.shell import Shell
from ugs.daemon import intake
from ugs.daemon.fairness import watchdog
from ugs.daemon.fairness.fair_queue import SHARE


@pytest.fixture(autouse=True)
def turns_as_long_as_they_take(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns end after so many documents or bytes, and nobody holds the server up, however slow this machine is."""
    monkeypatch.setattr(intake, "SHARE", replace(SHARE, seconds=math.inf))
    monkeypatch.setattr(watchdog, "thread_time", lambda: 0.0)


@pytest.fixture
def opens(nursery: trio.Nursery) -> Callable[..., Shell]:
    """Opens a server with these settings, all others at their defaults; it is gone when the test is over."""

    def open_shell(**settings: object) -> Shell:
        return Shell(nursery, **settings)

    return open_shell
