"""What holds for all tests: property tests are repeatable, and no test hears the logger of another one."""

from collections.abc import Iterator

import pytest
import structlog

from tests.profile import load_hypothesis

load_hypothesis()


@pytest.fixture(autouse=True)
def _fresh_logger() -> Iterator[None]:
    """Logging is set up once per process; a test that does so must not do it for the others."""
    yield
    structlog.reset_defaults()
