"""The signals that end a command in order: it removes what it does not keep, and stops what it has started."""

import signal
from typing import Final

STOP_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
"""Ctrl-C, a request of the system, a terminal that is closed, Ctrl-\\."""
