"""Looks for old garbage in quiet moments.

Peers, games and messages leave no cycles behind, so they are freed at once; a test sees to that. Libraries for HTTP and
WebSockets may leave some. Looking for old cycles takes a tenth of a second with thousands of peers, and everything
stands still meanwhile. So it is done while no game runs, when the process has grown much, or when it has not been done
for long.
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
"""After this many seconds old garbage is looked for even while games run."""
MUCH_BYTES = 67_108_864
"""Bytes that the process may grow by before it is looked for even while games run."""


async def collect_in_quiet_moments(busy: Callable[[], bool], size: Callable[[], int] = resident_bytes) -> None:
    """Collect old garbage for ever: once a minute while the server is not ``busy``, and in any case once an hour and
    when ``size``, that of the process, has grown by MUCH_BYTES."""
    collected_at, size_then = trio.current_time(), size()
    while True:
        await trio.sleep(LOOK_S)
        now = trio.current_time()
        if now - collected_at >= (AT_MIN_S if busy() else QUIET_S) or size() > size_then + MUCH_BYTES:
            gc.collect()
            collected_at, size_then = now, size()
