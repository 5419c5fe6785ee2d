"""Servers in processes of their own."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import pytest

from tests.end_to_end.processes import Server


class Serves(Protocol):
    """Starts a server with this configuration file and these options; it is gone when the test is over."""

    def __call__(self, config: str = "", *arguments: str) -> Server: ...


@pytest.fixture
def serves(tmp_path: Path) -> Iterator[Serves]:
    """Servers of one test."""
    with ExitStack() as stack:

        def start(config: str = "", *arguments: str) -> Server:
            return stack.enter_context(Server(tmp_path, *arguments, config=config))

        yield start
