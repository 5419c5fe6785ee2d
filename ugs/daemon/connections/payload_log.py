"""Documents in the log: only at level ``debug``, and never with what is secret in them."""

import re

import structlog
from structlog.typing import FilteringBoundLogger

from ugs.config import Config

# In a document no "<" stands in a tag or in a value. So none is passed: where many tags have no end, as they may in
# comments, each would be read up to the end of the document.
_BEFORE = r"""(?:[^<>"']|"[^"<]*"|'[^'<]*')*?\b"""
SECRET = re.compile(
    rf"""(<(?:session|identity)\b{_BEFORE}token\s*=\s*|<seed\b{_BEFORE}value\s*=\s*)("[^"<]*"|'[^'<]*')"""
    r"""|(<setup\b[^<>]*(?<!/)>)(?s:.*?)(?=</setup\b|\Z)"""
)
"""Tokens, seeds and set-ups, as they stand in a document. A reader of the log could take a player's seat or name with a
token, and knows all cards with a seed or a set-up."""
_OF_LOGIN = rf"<(?:playerLogin|gameMasterLogin)\b{_BEFORE}(?:nick|id)\s*=\s*"
BEHIND_NAME = re.compile(rf"""({_OF_LOGIN}"[^"#<]*#)[^"<]*|({_OF_LOGIN}'[^'#<]*#)[^'<]*""")
"""What follows the first ``#`` in the name of a login, which may be a secret. A reference of XML has one, too."""


def payload_log(config: Config) -> FilteringBoundLogger | None:
    """The log for documents, or None where ``config.log_level`` leaves them out: callers test this before they decode
    a document."""
    if config.log_level != "debug":
        return None
    log: FilteringBoundLogger = structlog.get_logger("ugs").bind()
    return log


def without_secrets(document: bytes) -> str:
    """A document as text, each secret replaced by an ellipsis."""
    text = SECRET.sub(r'\1\3"…"', document.decode("utf-8", "replace"))
    return BEHIND_NAME.sub(r"\1\2…", text)
