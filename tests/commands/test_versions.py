"""``ugs --version --verbose`` says what a report of a fault needs."""

import sqlite3

import pytest

from tests.commands.line import ugs
from ugs import __version__
from ugs.commands.versions import report


def test_versions_of_everything_that_matters_are_there() -> None:
    lines = dict.fromkeys(line.split(maxsplit=1)[0] for line in report().splitlines())
    assert {"ugs", "journal", "Python", "SQLite", "OpenSSL", "expat", "library", "ugs.games"} <= set(lines)
    assert f"SQLite        {sqlite3.sqlite_version}" in report()
    assert "missing" not in report()


@pytest.mark.parametrize("order", [("--version", "--verbose"), ("--verbose", "--version")])
def test_the_options_may_stand_in_any_order(order: tuple[str, str]) -> None:
    assert ugs(*order).stdout == report()


def test_without_verbose_it_is_one_line() -> None:
    assert ugs("--version").stdout == f"ugs {__version__}\n"


def test_verbose_alone_is_refused() -> None:
    said = ugs("--verbose", "config")
    assert (said.exit_code, said.stdout, "only goes with --version" in said.stderr) == (2, "", True)
