"""Runs `ugs` with these arguments for as long as its standard input is open: it does not outlive who has started it.

    python -m ugs.match.tied_process serve --port 0

A match that is killed cannot stop its server; the system closes the pipe for it.
"""

import os
import runpy
import signal
import sys
import threading


def watch() -> None:
    """Wait until standard input ends, and ask this process to stop."""
    while os.read(0, 4096):
        pass
    # A signal, not an exit: the server ends in order, and writes what is left.
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    threading.Thread(target=watch, daemon=True).start()
    # So the program is called in its help and errors.
    sys.argv[0] = "ugs"
    runpy.run_module("ugs", run_name="__main__", alter_sys=True)
