"""What goes through the pipes between the server and a worker: pickles, each after its length."""

import struct
from dataclasses import dataclass
from typing import Final

HEAD: Final = struct.Struct(">Q")
"""Before each pickle: its length."""
NO_MEMORY: Final = 71
"""The exit code of a worker that needed more memory than it may have."""


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """What a worker may use. The system sees to both."""

    cpu_s: int = 30
    """Seconds of processor time for one answer; then the worker is ended."""
    memory_bytes: int = 0
    """Of its own, all answers together; 0: as much as there is. What goes beyond ends it."""


class Failure(Exception):
    """The worker met a bug; the text is its traceback, for the log."""
