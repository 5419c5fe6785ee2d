"""structlog set-up, once per process: readable on a terminal, one JSON object per line otherwise."""

import logging
import sys
from typing import TextIO

import structlog
from structlog.typing import Processor


def configure_logging(level: str = "info", stream: TextIO | None = None) -> None:
    """Send log lines of at least ``level`` (debug, info, warning, error) to ``stream`` (default: standard error)."""
    out = stream or sys.stderr
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=False),
    ]
    rendering: list[Processor] = (
        [structlog.dev.ConsoleRenderer()]
        if out.isatty()
        else [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
    )
    structlog.configure(
        processors=[*shared, *rendering],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.WriteLoggerFactory(out),
        cache_logger_on_first_use=False,
    )
