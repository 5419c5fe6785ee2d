"""Processes that draw for a copy of the site."""

import os
import signal
import subprocess
import sys
import time

from tests.profile import ONLY_DEEP

USES = """
import time
from ugs.page.worker.drawing_processes import drawing_processes
if __name__ == "__main__":
    with drawing_processes(2) as pool:
        pool.submit(time.sleep, 0)
        print(pool.submit(__import__("os").getpid).result(), flush=True)
        time.sleep(600)
"""


@ONLY_DEEP
def test_they_end_when_the_copy_is_killed() -> None:
    """They waited for their next game for ever."""
    with subprocess.Popen([sys.executable, "-c", USES], stdout=subprocess.PIPE, text=True) as copy:
        assert copy.stdout is not None
        pid = int(copy.stdout.readline())
        copy.kill()
    for _ in range(300):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.1)  # it is no child of ours, so nothing else shows its end
    os.kill(pid, signal.SIGKILL)
    raise AssertionError("it went on")
