"""Signs of life for the service manager, which kills a server that hangs (``WatchdogSec``, sd_watchdog_enabled(3)).

They come from the loop that serves all peers: a process that is stopped gives none, nor does one whose loop is held up.
Its peers notice a server that is killed at once, and go to the next one; on one that hangs they would wait.
"""

import os
from collections.abc import Mapping

import trio

from ugs.ready import notify_systemd


async def show_life(environment: Mapping[str, str]) -> None:
    """Send ``WATCHDOG=1`` three times as often as wanted, for ever; return at once if it is not wanted."""
    wanted_us, pid = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", "")
    if not wanted_us.isdecimal() or not int(wanted_us) or pid not in ("", str(os.getpid())):
        return
    while True:
        notify_systemd("WATCHDOG=1", environment)
        await trio.sleep(int(wanted_us) / 3e6)
