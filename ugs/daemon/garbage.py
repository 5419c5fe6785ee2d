"""Looks for old garbage when nobody waits.

Peers, games and messages leave no cycles behind, so they are freed at once; a test sees to that. Libraries for HTTP and
WebSockets may leave some. To look for old ones takes a tenth of a second with thousands of peers, in which everything
stands still. So that is done while no game runs, or when it has not been done for long.
"""

import gc
from collections.abc import Callable

import trio

LOOK_S = 60.0
"""Seconds between two looks at whether a game runs."""
AT_LEAST_S = 3600.0
"""Seconds after which old garbage is looked for although games run."""


async def collect_in_quiet_moments(busy: Callable[[], bool]) -> None:
    """Collect old garbage once a minute while nobody is ``busy``, and in any case once an hour; for ever."""
    collected_at = trio.current_time()
    while True:
        await trio.sleep(LOOK_S)
        now = trio.current_time()
        if not busy() or now - collected_at >= AT_LEAST_S:
            gc.collect()
            collected_at = now
