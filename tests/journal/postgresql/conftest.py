from collections.abc import Iterator

import pytest

from tests.journal.postgresql.database_server import PROGRAMS, DatabaseServer, JournalUrl


@pytest.fixture(scope="session")
def shared_database() -> Iterator[DatabaseServer]:
    """One for all tests of a worker that leave it alive."""
    if not PROGRAMS:
        pytest.skip("no PostgreSQL here: make postgresql")
    server = DatabaseServer()
    yield server
    server.remove()


@pytest.fixture
def own_database() -> Iterator[DatabaseServer]:
    """One to be killed: its processes, not its machine, so its files need not reach the disk."""
    if not PROGRAMS:
        pytest.skip("no PostgreSQL here: make postgresql")
    server = DatabaseServer()
    yield server
    server.remove()


@pytest.fixture
def url(shared_database: DatabaseServer) -> JournalUrl:
    """The address of an empty journal."""
    return shared_database.journal()
