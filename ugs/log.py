"""structlog set-up, once per process: readable on a terminal, one JSON object per line otherwise.

Log lines hold what peers said. On a terminal, what it would obey is written out; JSON has escapes for it, from which
programs read the very text. What cannot be written, since the disk is full or the reader has gone, is lost, and whoever
logs goes on."""

import json
import logging
import sys
from typing import TextIO, cast

import structlog
from structlog.typing import EventDict, Processor

from ugs.printable import safe, safe_json, safe_lines

TRACEBACKS = frozenset({"exception", "stack"})
_ENCODER = json.JSONEncoder(ensure_ascii=False, default=repr)


def as_json(event: object, **_settings: object) -> str:
    """Return an event as one line of JSON. A value that JSON does not know is written as its ``repr``."""
    return safe_json(_ENCODER.encode(event))


def made_safe(_logger: object, _method: str, event: EventDict) -> EventDict:
    """Make the texts of an event safe for a terminal; a traceback keeps its lines."""
    return {
        key: value if not isinstance(value, str) else safe_lines(value) if key in TRACEBACKS else safe(value)
        for key, value in event.items()
    }


class Log:
    """A stream for log lines that never raises OSError. When lines have been lost, the next one that is written says
    how many."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._lost = 0

    def write(self, text: str) -> None:
        """Write a line."""
        note = (
            as_json({"event": "log lines lost", "lines": self._lost, "level": "warning"}) + "\n" if self._lost else ""
        )
        try:
            self._out.write(note + text)
            self._out.flush()
        except OSError:
            self._lost += 1
        else:
            self._lost = 0

    def flush(self) -> None:
        """Every line is flushed when it is written."""


def configure_logging(level: str = "info", stream: TextIO | None = None) -> None:
    """Send log lines of at least ``level`` (debug, info, warning, error) to ``stream`` (default: standard error)."""
    out = stream or sys.stderr
    shared: list[Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=False),
        structlog.processors.format_exc_info,
    ]
    rendering: list[Processor] = (
        [made_safe, structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)]
        if out.isatty()
        else [structlog.processors.JSONRenderer(serializer=as_json)]
    )
    structlog.configure(
        processors=[*shared, *rendering],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.WriteLoggerFactory(cast(TextIO, Log(out))),
        cache_logger_on_first_use=False,
    )
