r"""Text of others, made harmless for its readers: terminals, logs, spreadsheets.

Names, payloads and messages come from peers, and a terminal obeys some characters: control characters (C0 and C1) move
its cursor and change its colours, bidirectional characters reorder what a reader sees, and others show nothing at all.
:meth:`str.isprintable` decides what is not printable: control, format (bidirectional and invisible characters among
them), unassigned and private characters, halves of surrogate pairs, and all blanks but the usual one. Marks above
and below a letter pile up as high as one likes, over the lines around it: more than :data:`MAX_MARKS` are written out.

A backslash stays as it is, so what :func:`safe` gives is for reading only; the game record has escapes that can be read
back (``ugs/record/escapes.py``), and so has JSON (:func:`safe_json`).
"""

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import lru_cache
from heapq import nlargest
from itertools import islice
from typing import Final
from unicodedata import category

MAX_COMPARED: Final = 64
"""Characters of a word that are compared with what is known: comparing takes their square."""

MAX_MARKS: Final = 4
"""Marks above and below one letter that are shown; no language writes more."""
_FIRST_MARK: Final = "\u0300"
_MARKS: Final = frozenset({"Mn", "Me"})
"""Unicode's categories of marks that take no room of their own."""
MAX_LISTED: Final = 20
"""Names that an error lists."""
MAX_LIKENED: Final = 1000
"""Names that are looked at for one that may have been meant."""
MAX_CANDIDATES: Final = 8
"""Names that are compared with a misspelt one, character by character."""
MAX_REMEMBERED: Final = 256
"""Misspelt names whose close matches are remembered."""

MAX_SHOWN: Final = 200
"""Characters of a wrong value that an error shows."""

_NAMED: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_FORMULA: Final = re.compile("(^|[,;|:])(?=[ \"']*[=+\\-@＝＋－＠])")
"""Where a spreadsheet may see a cell that begins as a formula does: it splits lines at the separator of its own country
or of its user, even inside quotes, and some pass over blanks."""


def safe(text: str) -> str:
    r"""``text`` in one line, each character that is not printable as an escape such as ``\n`` or ``\u{9b}``."""
    if text.isprintable() and (text.isascii() or max(text) < _FIRST_MARK):
        return text
    return "".join(_written_out(text))


def meant(word: str, known: Iterable[str]) -> str:
    """`` (did you mean 'x'?)``, for the end of an error text, if one of the known words is close to ``word``; else
    nothing. Case does not count. Of known words the first MAX_LIKENED are looked at, and what was found is remembered.
    """
    close = near(word, tuple(islice(known, MAX_LIKENED)), 1)
    return f" (did you mean {close[0]!r}?)" if close else ""


@lru_cache(MAX_REMEMBERED)
def near(word: str, known: tuple[str, ...], most: int = 3) -> tuple[str, ...]:
    """At most ``most`` of the known words that are close to ``word``, the closest first. Only the MAX_CANDIDATES that
    share most pairs of characters with it are compared, and of these MAX_COMPARED characters, so the work grows with
    the number of words alone."""
    folded = word[:MAX_COMPARED].casefold()
    pairs = _pairs(folded)
    by_folded = {name[:MAX_COMPARED].casefold(): name for name in known}
    if folded in by_folded:
        return (by_folded[folded],)
    # By length, so that long names do not win because they have more pairs.
    shared = nlargest(MAX_CANDIDATES, by_folded, key=lambda name: len(pairs & _pairs(name)) / (len(name) + 1))
    return tuple([by_folded[name] for name in get_close_matches(folded, shared, most, 0.6)])


def _pairs(text: str) -> frozenset[str]:
    """The pairs of characters that stand side by side, and single ones, so that short words have some."""
    return frozenset([*text, *map(str.__add__, text, text[1:])])


def unknown(kind: str, name: str, known: Iterable[str], hint: str = "") -> str:
    """The text of an error: there is no ``name`` of this kind; which one was perhaps meant, and what there is.
    ``hint`` stands in the place of a guess where it is known what was meant."""
    names = list(known)
    more = len(names) - MAX_LISTED
    listed = ", ".join(names[:MAX_LISTED]) + (f" and {more} more" if more > 0 else "")
    return f"{kind} {name!r}: unknown{hint or meant(name, names[:MAX_LIKENED])}; there are: {listed or 'none'}"


def safe_lines(text: str) -> str:
    """The same for a text of several lines: its line feeds stay."""
    return "\n".join(map(safe, text.split("\n")))


def safe_json(text: str) -> str:
    """JSON with the same meaning, each character that is not printable as an escape of JSON. Line feeds stay, which are
    only between values."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else _json_escape(char) for char in text)


def safe_cell(value: object) -> object:
    """A cell of a CSV file: text is made safe, and what a spreadsheet would take for a formula gets an apostrophe in
    front, also behind what may separate cells there. Everything but text stays, so numbers stay numbers."""
    return _FORMULA.sub(r"\1'", safe(value)) if isinstance(value, str) else value


def shortened(text: str, most: int = MAX_SHOWN) -> str:
    """``text`` in at most about ``most`` characters: of a longer one, the begin and the end."""
    if len(text) <= most:
        return text
    return f"{text[: most // 2]}… ({len(text) - most} characters more) …{text[len(text) - (most - most // 2) :]}"


def shown(value: object) -> str:
    """The ``repr`` of a wrong value for an error text, cut to a readable length."""
    if isinstance(value, int) and value.bit_length() > 4 * MAX_SHOWN:  # Python does not write very long ones at all
        return f"a number of {value.bit_length()} bits"
    text = repr(value[: MAX_SHOWN + 1] if isinstance(value, str | bytes | list | tuple) else value)
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"


def shown_key(key: str) -> str:
    """A key of a file for an error text, in one line and cut to a readable length: a file may have any text there."""
    return safe(key if len(key) <= MAX_SHOWN else f"{key[:MAX_SHOWN]}…")


def _written_out(text: str) -> Iterator[str]:
    marks = 0
    for character in text:
        marks = marks + 1 if character >= _FIRST_MARK and category(character) in _MARKS else 0
        yield character if marks <= MAX_MARKS and character.isprintable() else _escape(character)


def _escape(character: str) -> str:
    return _NAMED.get(character) or f"\\u{{{ord(character):x}}}"


def _json_escape(character: str) -> str:
    # Escapes of JSON are units of UTF-16: signs beyond 65535 take two.
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[place : place + 2].hex()}" for place in range(0, len(units), 2))
