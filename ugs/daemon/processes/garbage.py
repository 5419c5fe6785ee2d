"""Looks for old garbage when nobody waits.

Peers, games and messages leave no cycles behind, so they are freed at once; a test sees to that. Libraries for HTTP and
WebSockets may leave some. To look for old ones takes a tenth of a second with thousands of peers, in which everything
stands still. So that is done while no game runs, when the process has grown much, or when it has not been done for
long.
"""

import gc
from collections.abc import Callable

import trio

from ugs.daemon.processes.process import resident_bytes

LOOK_S = 10.0
"""Seconds between two looks at whether a game runs, and how large the process is."""
QUIET_S = 60.0
"""Seconds between two collections while no game runs."""
AT_MIN_S = 3600.0
"""Seconds after which old garbage is looked for although games run."""
MUCH_BYTES = 67_108_864
"""Bytes by which the process may grow before it is looked for although games run."""


async def collect_in_quiet_moments(busy: Callable[[], bool], size: Callable[[], int] = resident_bytes) -> None:
    """Collect old garbage once a minute while nobody is ``busy``, and in any case once an hour and when ``size``, that
    of the process, has grown by MUCH_BYTES; for ever."""
    collected_at, size_then = trio.current_time(), size()
    while True:
        await trio.sleep(LOOK_S)
        now = trio.current_time()
        if now - collected_at >= (AT_MIN_S if busy() else QUIET_S) or size() > size_then + MUCH_BYTES:
            gc.collect()
            collected_at, size_then = now, size()
