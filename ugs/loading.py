"""Loading Python modules without their unused parts: most of what a start costs is loading.

What a plain ``ugs serve`` must not load is listed in ``tests/commands/test_app.py``.
"""

import gc
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

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


class _LoadedLater(ModuleType):
    """Stands for a module until one of its attributes is wanted."""

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self.__name__), name)


def spare_extras() -> None:
    """Load ``structlog`` without ``rich`` and ``colorama``, which it would want for colours, and without ``asyncio``
    and ``greenlet``, which it needs for what only programs of these use. Call this before ``structlog`` is loaded;
    later it does nothing."""
    if "structlog" in sys.modules:
        return
    # None is Python's mark for a module that does not exist.
    without = {"rich": None, "colorama": None, "greenlet": None, "asyncio": _LoadedLater("asyncio")}
    spared = [name for name in without if name not in sys.modules]
    for name in spared:
        sys.modules[name] = without[name]  # type: ignore[assignment]
    try:
        import structlog  # noqa: F401
    finally:
        for name in spared:
            del sys.modules[name]


def entry_points(*, group: str) -> "Iterable[EntryPoint]":
    """What installed packages name in a group of entry points. The library that finds it is loaded with the first
    call: it brings all that e-mail needs."""
    from importlib import metadata

    return metadata.entry_points(group=group)
