"""The fixture of the tests that hold messages against their schemas."""

import sys

import pytest

from ugs.wire.schema import MessageSchemas


@pytest.fixture(scope="session")
def schemas() -> MessageSchemas:
    """The schemas of all messages: reading them takes seconds, so it is done once, and not watched line by line."""
    watching = sys.gettrace()
    sys.settrace(None)
    try:
        return MessageSchemas()
    finally:
        sys.settrace(watching)
