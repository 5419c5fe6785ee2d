"""Loading less."""

import gc
import subprocess
import sys
from contextlib import suppress

import pytest

from ugs.loading import entry_points, loading


@pytest.mark.parametrize("collects", [True, False])
def test_the_collector_rests_while_something_is_loaded_and_is_then_as_it_was(collects: bool) -> None:
    try:
        (gc.enable if collects else gc.disable)()
        with suppress(ImportError), loading():
            assert not gc.isenabled()
            raise ImportError
        assert gc.isenabled() is collects
    finally:
        gc.enable()


EXTRAS = """
import sys
if sys.argv[1:]: import rich
from ugs.loading import spare_extras
spare_extras()
spare_extras()
assert [name for name in ("rich", "colorama", "greenlet", "asyncio") if name in sys.modules] == sys.argv[1:]
import asyncio, rich, structlog
asyncio.run(structlog.wrap_logger(structlog.PrintLogger(), wrapper_class=structlog.stdlib.BoundLogger).ainfo("written"))
"""


@pytest.mark.parametrize("before", [(), ("rich",)])
def test_what_is_spared_can_be_loaded_later(before: tuple[str, ...]) -> None:
    done = subprocess.run([sys.executable, "-c", EXTRAS, *before], check=True, timeout=300, stdout=subprocess.PIPE)
    assert b"written" in done.stdout


def test_entry_points_are_found() -> None:
    assert "pytest11" not in {entry.group for entry in entry_points(group="ugs.games")}
    assert list(entry_points(group="ugs.games"))
