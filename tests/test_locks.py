"""A demonstration is installed with what it needs, and no test tools."""

from tests.locks import LOCK, RUNS, runs


def test_the_lock_of_a_demonstration_is_the_part_that_it_needs() -> None:
    assert RUNS.read_text("utf-8") == runs(), "python -m tests.locks > requirements-run.lock"


def test_test_tools_are_not_in_it() -> None:
    names = {line.partition("==")[0] for line in RUNS.read_text("utf-8").splitlines() if "==" in line}
    assert {"trio", "rich", "hatchling"} <= names
    assert names.isdisjoint({"pytest", "mypy", "playwright", "hypothesis", "atheris", "schemathesis"})
    assert len(names) < len([line for line in LOCK.read_text("utf-8").splitlines() if "==" in line]) / 2
