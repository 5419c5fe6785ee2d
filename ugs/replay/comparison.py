"""Whether two payloads are the same, and where they begin to differ."""

from enum import StrEnum
from xml.etree.ElementTree import ParseError, canonicalize

from ugs.record.escapes import escape_body

CONTEXT_CHARS = 24
"""Characters shown before the place where two payloads begin to differ."""
SHOWN = 72
"""Characters shown of a payload."""


class Similarity(StrEnum):
    """How similar two payloads are."""

    SAME = "same"
    """Byte for byte."""
    WRITING = "equal except for the writing"
    """The same elements, attributes and text; quotes, blanks around text, the order of attributes or comments
    differ."""
    DIFFERENT = "differs"


def similarity(recorded: bytes, now: bytes) -> Similarity:
    """Compare two payloads. Never raises: a payload that is not XML differs from everything except the same bytes."""
    if recorded == now:
        return Similarity.SAME
    forms = _canonical(recorded), _canonical(now)
    return Similarity.WRITING if forms[0] is not None and forms[0] == forms[1] else Similarity.DIFFERENT


def difference(recorded: bytes, now: bytes) -> list[str]:
    """Three printable lines: both payloads around the place where they begin to differ, and the number of that byte."""
    texts = escape_body(recorded), escape_body(now)
    place = next((at for at, pair in enumerate(zip(*texts, strict=False)) if pair[0] != pair[1]), min(map(len, texts)))
    # Counted apart from the place in the text, where an escape takes several characters.
    byte = next((at for at, pair in enumerate(zip(recorded, now, strict=False)) if pair[0] != pair[1]), None)
    if byte is None:
        byte = min(len(recorded), len(now))
    start = max(place - CONTEXT_CHARS, 0)
    parts = [("…" if start else "") + _cut(text[start:]) for text in texts]
    indent = " " * (place - start + bool(start))
    return [f"recorded: {parts[0]}", f"now:      {parts[1]}", f"          {indent}^ byte {byte + 1}"]


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def _canonical(payload: bytes) -> str | None:
    """The canonical XML of a payload. None if it is not XML, or has a DOCTYPE, whose entities must not be expanded."""
    if b"<!DOCTYPE" in payload:
        return None
    try:
        return canonicalize(payload.decode(), strip_text=True)
    except (ParseError, ValueError):
        return None
