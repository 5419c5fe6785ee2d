"""Processes that draw games at the same time, for a copy of the site.

They are copies of one process that has loaded all renderers and does nothing else: loading takes as long as drawing a
dozen games. That process is none of ours, since a fork would take over our locks.
"""

import gc
import os
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import forkserver, get_context, parent_process
from threading import Thread
from typing import Final

RENDERERS: Final = "ugs.page.worker.all_renderers"
"""The module whose import loads what draws."""
MIN_NEW_OBJECTS: Final = 50_000
"""So many objects have to be new before a process looks for those in circles: nearly all of a game go without that, and
looking took a twelfth of the time."""


def load_soon() -> None:
    """Start the process that loads all renderers; it loads them while others do something else."""
    forkserver.set_forkserver_preload([RENDERERS])
    forkserver.ensure_running()


@contextmanager
def drawing_processes(processes: int) -> Iterator[Executor]:
    """That many processes; what has not begun when this ends is left undone. They end when this process does, even if
    it is killed."""
    load_soon()
    pool = ProcessPoolExecutor(processes, get_context("forkserver"), _begin)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _begin() -> None:
    """What a process does before its first game."""
    gc.freeze()
    gc.set_threshold(MIN_NEW_OBJECTS, 20, 20)
    Thread(target=_end_with_parent, name="parent", daemon=True).start()


def _end_with_parent() -> None:
    """A pool waits for its next task for ever, whoever was to give it."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
