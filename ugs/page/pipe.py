"""What goes through the pipes between the server and the worker: pickles, each after its length."""

import struct

HEAD = struct.Struct(">Q")
"""Before each pickle: its length."""
MOST_CPU_S = 30
"""Seconds of processor time that an answer may take; then the worker is ended."""


class Failure(Exception):
    """The worker met a bug; the text is its traceback, for the log."""
