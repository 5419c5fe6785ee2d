"""What stands in the place of a sketch that was refused: ``<sketch><refused>grid columns '100': …</refused></sketch>``.

Only the server writes it: :func:`ugs.sketch.decoding.read` takes no such sketch from a master. So viewers learn why
there is no picture, wherever sketches go.
"""

import re
from typing import Final

from ugs.printable import safe
from ugs.sketch.elements import unescaped

MAX_WHY: Final = 300
"""Characters of the reason that are kept."""
_BEGINS: Final = b"<sketch><refused>"
_REFUSED: Final = re.compile(r"<sketch><refused>([^<]*)</refused></sketch>")


def refused(why: str) -> bytes:
    """Return what viewers get in the place of a sketch that was refused for this reason."""
    text = safe(why)
    if len(text) > MAX_WHY:
        text = f"{text[:MAX_WHY]}…"
    return f"<sketch><refused>{_escaped(text)}</refused></sketch>".encode()


def why_refused(sketch: bytes) -> str:
    """Return the reason in a :func:`refused`; empty for any other sketch."""
    found = _REFUSED.fullmatch(sketch.decode("utf-8", "replace")) if sketch.startswith(_BEGINS) else None
    return unescaped(found[1]) if found is not None else ""


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
