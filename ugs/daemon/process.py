"""What a server does with its whole process: open files, the garbage collector, signals."""

import gc
import resource
import signal

GARBAGE_THRESHOLD = 10_000
"""New objects after which the collector of cycles looks for some."""


def spare_the_collector() -> None:
    """Make the collector of cycles look rarely, and only at what is new. What has been loaded by now stays, and what a
    message needs is freed without the collector, so it finds next to nothing here."""
    gc.freeze()
    gc.set_threshold(GARBAGE_THRESHOLD, 10, 10)


def allow_many_connections() -> None:
    """Raise the soft limit of open files to the hard one: each connection is a file."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def stop_signals() -> tuple[signal.Signals, ...]:
    """The signals that ask a server to stop. A server started with ``nohup`` is to outlive its terminal, and ignores
    SIGHUP."""
    asked = (signal.SIGTERM, signal.SIGINT)
    return asked if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN else (*asked, signal.SIGHUP)
