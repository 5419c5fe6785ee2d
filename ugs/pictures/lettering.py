"""Texts of others in a given width: made safe first, then measured in columns of a terminal."""

from collections.abc import Iterator
from typing import Final
from unicodedata import combining, east_asian_width
from xml.sax.saxutils import escape

from ugs.pictures.contract import Line, Scene, Span
from ugs.printable import safe

CUT: Final = "…"


def columns(text: str) -> int:
    """Return how many columns a safe text takes on a terminal."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def clipped(text: str, most: int) -> str:
    """Return a safe text of at most ``most`` columns (at least 1); an ellipsis replaces what is cut."""
    text = safe(text[: 4 * most])  # more than that cannot be shown
    if columns(text) <= most:
        return text
    room = most - 1
    kept = []
    for character in text:
        room -= _columns(character)
        if room < 0:
            break
        kept.append(character)
    return "".join(kept) + CUT


def within(text: str, most_bytes: int) -> str:
    """Return a safe text that takes at most that many bytes when escaped for XML; an ellipsis replaces what is cut."""
    # Each character takes a byte at least.
    text = safe(text[:most_bytes])
    size = len(escape(text).encode())
    if size <= most_bytes:
        return text
    room = most_bytes - len(CUT.encode())
    kept = 0
    for kept, character in enumerate(text):  # noqa: B007 - where the loop ends is what is asked for
        room -= len(escape(character).encode())
        if room < 0:
            break
    return text[:kept] + CUT


def padded(text: str, width: int) -> str:
    """Return a safe text of exactly ``width`` columns, cut or filled up with blanks."""
    text = clipped(text, width)
    return text + " " * (width - columns(text))


def wrapped(text: str, width: int) -> Iterator[str]:
    """Yield a safe text as lines of at most ``width`` columns, broken at blanks where that is possible."""
    line = ""
    for word in safe(text).split(" "):
        longer = f"{line} {word}" if line else word
        if columns(longer) <= width:
            line = longer
            continue
        if line:
            yield line
        line = clipped(word, width)
    if line:
        yield line


def cut_line(line: Line, width: int) -> Line:
    """Return a line that is safe, and at most ``width`` columns wide."""
    kept: list[Span] = []
    for span in line:
        if width <= 0:
            break
        text = clipped(span.text, width)
        kept.append(Span(text, span.style))
        width -= columns(text)
    return tuple(kept)


def _columns(character: str) -> int:
    if combining(character):
        return 0
    # Wide and full-width signs, such as Chinese ones, take two columns of a terminal.
    return 2 if east_asian_width(character) in "WF" else 1


def sentence(text: str, scene: Scene) -> str:
    """A text as a sentence. A nick at its beginning stays as it is: with a capital it would be another one."""
    is_nick = any(text.startswith(seat.nick) for seat in scene.seats)
    return f"{text if is_nick else text[:1].upper() + text[1:]}."
