"""What holds for all tests: property tests are repeatable, no test hears the logger of another one, and the collector
of cycles leaves alone what was there before the first test."""

import gc
import os
import signal
import sys
from collections.abc import Iterator
from unittest import mock

import pytest
import structlog

from tests.profile import load_hypothesis

load_hypothesis()
if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
):  # in the background of a shell; what tests start would ignore it, too
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Find the tests without looking for cycles, and never look at what is found: a million objects that stay to the
    end. Looking took two fifths of the time to find the tests, and again with each test that makes garbage."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Property tests run at full speed: each line of the wire and the broker has an example elsewhere, and to watch
    every line of a hundred drawn examples takes longer than they do."""
    for item in items:
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker(pytest.mark.no_cover)


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """What is marked ``no_cover`` is not watched by workers either: pytest-cov measures twice in a worker, and when
    it stops the second for such a test, the first goes on. That took three times as long."""
    if item.get_closest_marker("no_cover") is None or not hasattr(item.config, "workerinput"):
        return (yield)
    watching = sys.gettrace()
    sys.settrace(None)
    try:
        return (yield)
    finally:
        sys.settrace(watching)


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
