"""The application with the commands of this package alone, and a run that is only remembered."""

from collections.abc import Iterator
from typing import Any

import pytest
import structlog
import typer

from game_masters.commands import playing, register
from game_masters.commands.options import LineOptions
from game_masters.kit.client import Client
from tests.game_masters.commands.line import Started
from ugs.commands.lazy import LazyGroup


@pytest.fixture
def app() -> typer.Typer:
    app = typer.Typer(cls=LazyGroup)
    register(app)
    return app


@pytest.fixture
def logging_afresh() -> Iterator[None]:
    """For tests in which a command sets up logging to a stream that is gone afterwards."""
    yield
    structlog.reset_defaults()


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    started = Started()

    def remember(client: Client, to: playing.Dialled, line: LineOptions, **_: Any) -> None:
        started.client, started.to, started.line = client, to, line

    monkeypatch.setattr(playing, "run", remember)
    return started
