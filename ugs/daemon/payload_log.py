"""Documents in the log: only at level ``debug``, and never with what is secret in them."""

import re

import structlog
from structlog.typing import FilteringBoundLogger

from ugs.config import Config

SECRET = re.compile(
    r"""(<session\b[^>]*?\btoken\s*=\s*|<seed\b[^>]*?\bvalue\s*=\s*)("[^"]*"|'[^']*')"""
    r"""|(<setup\b[^<>]*(?<!/)>)(?s:.*?)(?=</setup\b|\Z)"""
)
"""Session tokens, seeds and set-ups, as they stand in a document. A reader of the log could take a player's seat with a
token, and knows all cards with a seed or a set-up."""


def payload_log(config: Config) -> FilteringBoundLogger | None:
    """The log for documents, or None where ``config.log_level`` leaves them out: callers test this before they decode
    a document."""
    if config.log_level != "debug":
        return None
    log: FilteringBoundLogger = structlog.get_logger("ugs").bind()
    return log


def without_secrets(document: bytes) -> str:
    """A document as text, each secret replaced by an ellipsis."""
    return SECRET.sub(r'\1\3"…"', document.decode("utf-8", "replace"))
