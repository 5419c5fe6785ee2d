"""The fixture of the tests that hold messages against their schemas."""

import pytest

from ugs.wire.schema import MessageSchemas


@pytest.fixture(scope="session")
def schemas() -> MessageSchemas:
    """The schemas of all messages: reading them takes seconds, so it is done once."""
    return MessageSchemas()
