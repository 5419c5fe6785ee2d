"""Loading Python modules without their unused parts: most of what a start costs is loading.

What a plain ``ugs serve`` must not load is listed in ``tests/commands/test_app.py``.
"""

import gc
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@contextmanager
def loading() -> Iterator[None]:
    """Within the block the collector of cycles rests: modules are not freed, and looking at them takes a tenth of the
    time that loading them does."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def spare_extras() -> None:
    """Load ``structlog`` without ``rich``, which it would want for tracebacks in colours. Call it before it is loaded;
    later it does nothing."""
    if "rich" in sys.modules or "structlog" in sys.modules:
        return
    sys.modules["rich"] = None  # type: ignore[assignment]  # Python's mark for a module that does not exist
    try:
        import structlog  # noqa: F401
    finally:
        del sys.modules["rich"]


def entry_points(*, group: str) -> "Iterable[EntryPoint]":
    """What installed packages name in a group of entry points. The library that finds it is loaded with the first
    call: it brings all that e-mail needs."""
    from importlib import metadata

    return metadata.entry_points(group=group)
