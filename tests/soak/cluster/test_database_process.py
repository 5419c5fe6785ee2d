"""A database as a process: what fails says why, and a killed one leaves nothing behind."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.profile import ONLY_DEEP
from ugs.soak.cluster.database_process import PROGRAMS, DatabaseFailed, DatabaseProcess

NEEDS_IT = pytest.mark.skipif(not PROGRAMS, reason="no PostgreSQL here: make postgresql")


@NEEDS_IT
def test_what_is_asked_of_a_database_that_is_not_there_fails_with_its_words(tmp_path: Path) -> None:
    with pytest.raises(DatabaseFailed, match=r"psql in .* failed: \w"):
        DatabaseProcess(tmp_path).sql("SELECT 1")


@ONLY_DEEP
@NEEDS_IT
def test_a_killed_database_comes_back_with_what_it_has_confirmed_and_its_replica_can_take_over() -> None:
    with TemporaryDirectory(prefix="ugs-", dir="/tmp") as one, TemporaryDirectory(prefix="ugs-", dir="/tmp") as two:
        first, second = DatabaseProcess(Path(one)), DatabaseProcess(Path(two))
        try:
            first.create()
            first.start()
            first.sql("CREATE TABLE kept AS SELECT 7 AS number")
            first.kill()
            assert not first.answers()
            first.start()
            second.copy(first)
            second.start()
            first.follow_only("*")
            first.sql("UPDATE kept SET number = 8")
            first.kill()
            second.promote()
            second.follow_only("")
            second.sql("UPDATE kept SET number = number + 1")
            assert second.sql("SELECT number FROM kept") == "9"
        finally:
            first.kill()
            second.kill()
