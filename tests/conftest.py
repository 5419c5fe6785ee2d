"""What holds for all tests: property tests are repeatable, and no test hears the logger of another one."""

import os
from collections.abc import Iterator
from unittest import mock

import pytest
import structlog

from tests.profile import load_hypothesis

load_hypothesis()


@pytest.fixture(autouse=True, scope="session")
def _state_of_bots(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Bots keep their tokens among the files of the tests, not in the home of whoever runs them."""
    with mock.patch.dict(os.environ, {"XDG_STATE_HOME": str(tmp_path_factory.mktemp("state"))}):
        yield


@pytest.fixture(autouse=True)
def _fresh_logger() -> Iterator[None]:
    """Logging is set up once per process; a test that does so must not do it for the others."""
    yield
    structlog.reset_defaults()
