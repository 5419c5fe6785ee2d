"""The head of a ``.ugsg`` record: tags such as ``[Type "5-in-line-tic-tac-toe"]``, one per line, as in PGN."""

import re
from collections.abc import Callable
from typing import Final, TypeVar

from ugs.printable import shown
from ugs.record.escapes import escape_text, unescape_text
from ugs.record.validation import RecordError

T = TypeVar("T")

# The text between the quotes is the one group. Nothing in it is tried twice (``*+``): for each character that it could
# come back to, the search would keep 140 bytes.
QUOTED: Final = r'"([^"\\]*+(?:\\.[^"\\]*+)*+)"'
_TAG: Final = re.compile(rf"\[([A-Za-z]{{1,40}}+)((?: {QUOTED}){{1,8}}+)\]")
_VALUE: Final = re.compile(QUOTED)
_NUMBERED: Final = re.compile(r"([0-9]{1,9}) (.*)", re.DOTALL)

# How many values a tag has, and whether it may stand more than once.
KNOWN_TAGS: Final = {
    **dict.fromkeys(
        ("Game", "Format", "Type", "Master", "Began", "Seats", "Championship", "Fixture", "Counts", "Server", "Seed"),
        (1, False),
    ),
    **dict.fromkeys(("RoundTrips", "Verdict", "Culprit", "ByServer", "Moves", "BeganAt", "EndedAt"), (1, False)),
    **dict.fromkeys(("Clock", "Events"), (1, False)),
    **dict.fromkeys(("Seat", "Outcome", "Left", "Refused", "CorrectedTo"), (1, True)),
    **dict.fromkeys(("Corrected", "TakenOut"), (2, False)),
    **dict.fromkeys(("Option", "Table"), (2, True)),
}


def written_tag(name: str, *values: str) -> str:
    """A line of the head."""
    return f"[{name} {' '.join(quoted(value) for value in values)}]"


def quoted(text: str) -> str:
    """``text`` in double quotes, with escapes where necessary."""
    return f'"{escape_text(text)}"'


class Head:
    """The tags of one game while it is read; they may be asked for in any order."""

    def __init__(self) -> None:
        self._found: dict[str, list[tuple[int, tuple[str, ...]]]] = {}

    def add(self, line: int, text: str) -> None:
        """Add a line of the head. Raises RecordError."""
        tag = _TAG.fullmatch(text)
        if tag is None:
            raise wrong(line, f'not a tag such as [Game "x"]: {shown_line(text)}')
        name, values = tag[1], tuple(guarded(line, unescape_text, value[1]) for value in _VALUE.finditer(tag[2]))
        # Not ignored: what is read and written again must not lose anything.
        if name not in KNOWN_TAGS:
            raise wrong(line, f"unknown tag {name}; there are {', '.join(KNOWN_TAGS)}")
        number, often = KNOWN_TAGS[name]
        if len(values) != number:
            raise wrong(line, f"tag {name} has {len(values)} values, not {number}")
        if name in self._found and not often:
            raise wrong(line, f"a second tag {name}")
        self._found.setdefault(name, []).append((line, values))

    def has(self, name: str) -> bool:
        """Whether there is such a tag."""
        return name in self._found

    def line(self, name: str) -> int:
        """The number of the line with this tag. Raises KeyError when there is none."""
        return self._found[name][0][0]

    def text(self, name: str, default: str | None = None) -> str:
        """The value of a tag that occurs at most once. Raises RecordError when it is missing and there is no
        ``default``."""
        found = self._found.get(name)
        if found is None:
            if default is None:
                raise RecordError(f"{self.where}: the tag {name} is missing")
            return default
        return found[0][1][0]

    def value(self, name: str, read: Callable[[str], T], default: T | None = None) -> T:
        """The same, converted by ``read``, whose ValueError becomes a RecordError."""
        if default is not None and name not in self._found:
            return default
        text = self.text(name)
        return guarded(self.line(name), read, text, f"tag {name}: ")

    def pairs(self, name: str) -> dict[str, str]:
        """The values of a tag with two values, as a dict. Raises RecordError when a first value occurs twice."""
        pairs: dict[str, str] = {}
        for line, (key, value) in self._found.get(name, []):
            if key in pairs:
                raise wrong(line, f"a second tag {name} of {shown(key)}")
            pairs[key] = value
        return pairs

    def seats(self, name: str, read: Callable[[str], T]) -> dict[int, T]:
        """The values of a tag that occurs once per seat, by seat. Raises RecordError."""
        seats: dict[int, T] = {}
        for line, (value,) in self._found.get(name, []):
            numbered = _NUMBERED.fullmatch(value)
            if numbered is None:
                raise wrong(line, f"tag {name}: {shown(value)} does not begin with a seat and a blank")
            if int(numbered[1]) in seats:
                raise wrong(line, f"a second tag {name} of seat {numbered[1]}")
            seats[int(numbered[1])] = guarded(line, read, numbered[2], f"tag {name}: ")
        return seats

    @property
    def where(self) -> str:
        """The lines of the head, for an error text."""
        lines = [line for found in self._found.values() for line, _ in found]
        return f"lines {min(lines)} to {max(lines)}"


def wrong(line: int, what: str) -> RecordError:
    """The error for a fault in ``line``; the caller raises it."""
    return RecordError(f"line {line}: {what}")


def guarded(line: int, read: Callable[[str], T], text: str, where: str = "") -> T:
    """``read(text)``; its ValueError becomes a RecordError that names the line."""
    try:
        return read(text)
    except ValueError as error:
        raise wrong(line, f"{where}{error}") from None


def shown_line(text: str) -> str:
    """The beginning of a line, for an error text."""
    return repr(text) if len(text) <= 60 else f"{text[:60]!r}..."
