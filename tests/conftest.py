"""What holds for all tests: property tests are repeatable, and no test hears the logger of another one."""

from collections.abc import Iterator

import hypothesis
import pytest
import structlog

hypothesis.settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
hypothesis.settings.load_profile("repeatable")


@pytest.fixture(autouse=True)
def _fresh_logger() -> Iterator[None]:
    """Logging is set up once per process; a test that does so must not do it for the others."""
    yield
    structlog.reset_defaults()
