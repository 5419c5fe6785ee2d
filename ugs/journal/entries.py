"""The entries of a game as bytes, one after another, as they are stored in the parts of a game.

Each entry is a line of ASCII, then the text and the body, then a newline for people who look at the bytes. The line
holds the kind, the three times, the seat (-1: none), the audience, and the lengths of text and body in bytes; so both
may hold any bytes.

With one more number in its line, an entry holds changes against the previous entry of the same kind
(:mod:`ugs.journal.changes`): the number is the length of the edits, which replace the payload. With two more, the first
of them :data:`OF_SEAT`, the changes are against the previous entry of the same kind, seat and audience: a move looks
like the last move of the same player, and a view like the last view of the same seats. Parts are read from their
beginnings, so the first payload of each kind in a part is whole. At most :data:`MAX_CHANGES` in a row are changes, so
the size of a part bounds what is read from it.
"""

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from ugs.broker.values.record import EntryKind
from ugs.journal.changes import MIN_BYTES, changed, changes
from ugs.record.game import Entry

ENTRY = b"%b %d %d %d %d %d %d %d\n%b%b\n"
CHANGED = b"%b %d %d %d %d %d %d %d %b%d\n%b%b\n"
OF_SEAT: Final = b"1"
SEAT_KINDS: Final = frozenset({EntryKind.MOVE, EntryKind.VIEW, EntryKind.OWNSKETCH})
"""Kinds of entries that are about some seats only."""
MAX_CHANGES: Final = 15
"""Payloads of one kind in a row that are written as changes."""
WORDS: dict[EntryKind, bytes] = {kind: kind.value.encode("ascii") for kind in EntryKind}
KINDS: dict[bytes, EntryKind] = {word: kind for kind, word in WORDS.items()}
NO_SEAT = -1
SEAT_WORDS: Final = frozenset(WORDS[kind] for kind in SEAT_KINDS)
WHOLE_FIELDS: Final = 8
CHANGED_FIELDS: Final = 9
SEAT_FIELDS: Final = 10
"""Fields in the line of an entry: with its payload, with changes, or with changes of a seat."""
FIELDS: Final = (WHOLE_FIELDS, CHANGED_FIELDS, SEAT_FIELDS)

Fields: TypeAlias = tuple[bytes, int, int, int, int, int, bytes, bytes]
"""The parts of an entry: the word of its kind, the three times, seat, audience, text and body."""


def write_entry(
    kind: EntryKind,
    wall_us: int,
    mono_us: int,
    handed_us: int,
    seat: int | None,
    audience: int,
    text: str,
    body: bytes,
) -> bytes:
    """Frame one entry; the arguments are the fields of :class:`~ugs.record.game.Entry`."""
    written = text.encode("utf-8", "surrogatepass") if text else b""
    return ENTRY % (
        WORDS[kind],
        wall_us,
        mono_us,
        handed_us,
        NO_SEAT if seat is None else seat,
        audience,
        len(written),
        len(body),
        written,
        body,
    )


class Repeating:
    """The payloads of a part so far, for entries that repeat most of them. Starts empty for every part."""

    __slots__ = ("_before", "_before_of_seat", "_in_a_row")

    def __init__(self) -> None:
        self._before: dict[EntryKind, bytes] = {}
        self._before_of_seat: dict[tuple[EntryKind, int | None, int], bytes] = {}
        self._in_a_row: dict[EntryKind, int] = {}

    def write(
        self,
        kind: EntryKind,
        wall_us: int,
        mono_us: int,
        handed_us: int,
        seat: int | None,
        audience: int,
        text: str,
        body: bytes,
    ) -> bytes:
        """Frame the next entry of the part; the arguments are those of :func:`write_entry`."""
        edits, of_seat = None, b""
        if len(body) >= MIN_BYTES:
            before, self._before[kind] = self._before.get(kind), body
            if kind in SEAT_KINDS:
                key = kind, seat, audience
                own, self._before_of_seat[key] = self._before_of_seat.get(key), body
                if own is not None:
                    before, of_seat = own, OF_SEAT + b" "
            in_a_row = self._in_a_row.get(kind, 0)
            # So the size of a part bounds what reading it takes: sixteen times as much at most.
            if before is not None and in_a_row < MAX_CHANGES:
                edits = changes(before, body)
            self._in_a_row[kind] = 0 if edits is None else in_a_row + 1
        if edits is None:
            return write_entry(kind, wall_us, mono_us, handed_us, seat, audience, text, body)
        written = text.encode("utf-8", "surrogatepass") if text else b""
        return CHANGED % (
            WORDS[kind],
            wall_us,
            mono_us,
            handed_us,
            NO_SEAT if seat is None else seat,
            audience,
            len(written),
            len(body),
            of_seat,
            len(edits),
            written,
            edits,
        )

    def forget(self) -> None:
        """Begin another part."""
        self._before = {}
        self._before_of_seat = {}
        self._in_a_row = {}


def write_entries(entries: Iterable[Entry]) -> bytes:
    """Frame several entries, one after another."""
    return b"".join(
        write_entry(e.kind, e.wall_us, e.mono_us, e.handed_us, e.seat, e.audience, e.text, e.body) for e in entries
    )


def fields_of(entry: Entry) -> Fields:
    """Return the fields of an entry."""
    return (
        WORDS[entry.kind],
        entry.wall_us,
        entry.mono_us,
        entry.handed_us,
        NO_SEAT if entry.seat is None else entry.seat,
        entry.audience,
        entry.text.encode("utf-8", "surrogatepass"),
        entry.body,
    )


def read_entries(framed: bytes) -> list[Entry]:
    """Read back any number of entries framed by :func:`write_entry`. Raises ValueError for anything else."""
    return [entry_of(fields) for fields in each_entry(framed)]


def entry_of(fields: Fields) -> Entry:
    """Return the entry with these fields."""
    word, wall_us, mono_us, handed_us, seat, audience, text, body = fields
    return Entry(
        KINDS[word],
        wall_us,
        mono_us,
        handed_us,
        None if seat == NO_SEAT else seat,
        audience,
        text.decode("utf-8", "surrogatepass"),
        body,
    )


def count(framed: bytes, kind: EntryKind) -> int:
    """Return how many of these entries are of a kind. Raises ValueError like :func:`read_entries`. No payload is
    copied."""
    word = WORDS[kind]
    at, end, found = 0, len(framed), 0
    while at < end:
        body_at = framed.find(b"\n", at) + 1
        fields = framed[at:body_at].split()
        if not body_at or len(fields) not in FIELDS:
            raise ValueError(f"no entry begins at byte {at}")
        found += fields[0] == word
        at = body_at + int(fields[6]) + int(fields[-1]) + 1
    return found


def whole_entries(framed: bytes, before: dict[bytes, bytes]) -> bytes:
    """Return the same entries with whole payloads instead of changes. ``before`` has the last payloads that they may
    repeat, by kind and by kind and seats, and is updated. Raises ValueError like :func:`read_entries`."""
    return b"".join(
        ENTRY % (word, wall_us, mono_us, handed_us, seat, audience, len(text), len(body), text, body)
        for word, wall_us, mono_us, handed_us, seat, audience, text, body in each_entry(framed, before)
    )


def each_entry(framed: bytes, before: dict[bytes, bytes] | None = None) -> Iterator[Fields]:
    """Yield the fields of any number of entries, one by one. Raises ValueError like :func:`read_entries`. ``before`` is
    as in :func:`whole_entries`; None at the beginning of a part."""
    at, end = 0, len(framed)
    before = {} if before is None else before
    while at < end:
        body_at = framed.find(b"\n", at) + 1
        fields = framed[at:body_at].split()
        if not body_at or len(fields) not in FIELDS or fields[0] not in KINDS:
            raise ValueError(f"no entry begins at byte {at}")
        wall_us, mono_us, handed_us, seat, audience, text_length, body_length = map(int, fields[1:8])
        body_from = body_at + text_length
        at = body_from + int(fields[-1])
        if text_length < 0 or at < body_from or framed[at : at + 1] != b"\n":
            raise ValueError(f"an entry does not end at byte {at}")
        body = framed[body_from:at]
        word = fields[0]
        if len(fields) > WHOLE_FIELDS:
            of_seat = len(fields) == SEAT_FIELDS
            # Without a payload to repeat ``changed`` fails: a part cannot be read from its middle.
            body = changed(before.get(b"%b %d %d" % (word, seat, audience) if of_seat else word, b""), body)
            if len(body) != body_length:
                raise ValueError(f"the payload of the entry that ends at byte {at} has another length")
        if len(body) >= MIN_BYTES:
            before[word] = body
            if word in SEAT_WORDS:
                before[b"%b %d %d" % (word, seat, audience)] = body
        yield word, wall_us, mono_us, handed_us, seat, audience, framed[body_at:body_from], body
        at += 1
