"""What is asked of a journal in a directory is asked of one in PostgreSQL: the same tests, with another place."""

from collections.abc import Callable
from types import ModuleType
from typing import Any, Final

import pytest

from tests.journal import (
    test_continuing_games,
    test_forgotten,
    test_importing,
    test_journal,
    test_past,
    test_recovery,
    test_tokens,
)
from tests.journal.postgresql.database_server import JournalUrl
from tests.profile import DEEP, chosen

QUICK: Final = (
    "test_a_game_is_found_as_it_was_written",
    "test_many_results_at_once_are_kept_in_their_order",
    "test_a_new_broker_is_told_every_entry_of_a_game_that_can_continue",
)
MODULES: Final = (
    test_continuing_games,
    test_forgotten,
    test_importing,
    test_journal,
    test_past,
    test_recovery,
    test_tokens,
)
OTHERWISE: Final = (
    # what happens to files, or what SQLite does with them
    "with_a_nul_are",
    "same_directory",
    "cannot_be_opened",
    "closing_twice",
    "cannot_be_read",
    "damage",
    "pages_written_over",
    "missing_table",
    "version_before",
    "without_a_list",
    "a_new_row_takes_the_hash",
    "its_owner_alone",
    "is_no_list",
    "directory_that_cannot",
    "several_processes",
    "written_twice",
    "logins_and_the_life",
    "nothing_is_imported",
    # what a lost server leaves in its write-ahead files
    "whose_journal_is_lost",
    "through_the_fault_of_the_server",
    "nothing_but_the_beginning",
    "told_to_play_the_game_again",
    "without_end_get_one",
    "not_closed_again",
    # a directory that a fixture or a drawn example makes
    "sum_of_all_results",
    "of_too_many_players",
    "as_old_as_it_is",
    "no_token_is_in_the_files",
)
"""Parts of the names of tests that need a directory."""


@pytest.fixture
def tmp_path(url: JournalUrl) -> JournalUrl:
    """In the place of a directory."""
    return url


def _asked(module: ModuleType) -> dict[str, Callable[..., Any]]:
    """The tests of a module that only need a place, by name."""
    return {
        name: test
        for name, test in vars(module).items()
        if name.startswith("test_") and callable(test) and not any(words in name for words in OTHERWISE)
        if chosen() == DEEP or name in QUICK
    }


for each in MODULES:
    globals().update(_asked(each))
