"""structlog set-up, once per process: readable on a terminal, one JSON object per line otherwise."""

import json
import logging
import sys
from typing import TextIO

import structlog
from structlog.typing import Processor

_ENCODER = json.JSONEncoder(ensure_ascii=False, default=repr)


def as_json(event: object, **_settings: object) -> str:
    """Return an event as one line of JSON. A value that JSON does not know is written as its ``repr``."""
    return _ENCODER.encode(event)


def configure_logging(level: str = "info", stream: TextIO | None = None) -> None:
    """Send log lines of at least ``level`` (debug, info, warning, error) to ``stream`` (default: standard error)."""
    out = stream or sys.stderr
    shared: list[Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=False),
    ]
    rendering: list[Processor] = (
        [structlog.dev.ConsoleRenderer()]
        if out.isatty()
        else [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(serializer=as_json)]
    )
    structlog.configure(
        processors=[*shared, *rendering],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.WriteLoggerFactory(out),
        cache_logger_on_first_use=False,
    )
