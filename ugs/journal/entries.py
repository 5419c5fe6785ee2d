"""The entries of a game as bytes, one after another, as they are stored in the parts of a game.

Each entry is a line of ASCII, then the text and the body, then a newline for people who look at the bytes. The line
holds the kind, the three times, the seat (-1: none), the audience, and the lengths of text and body in bytes, so that
both may hold any bytes.
"""

from collections.abc import Iterable, Iterator

from ugs.broker.record import EntryKind
from ugs.record.game import Entry

ENTRY = b"%b %d %d %d %d %d %d %d\n%b%b\n"
WORDS: dict[EntryKind, bytes] = {kind: kind.value.encode("ascii") for kind in EntryKind}
KINDS: dict[bytes, EntryKind] = {word: kind for kind, word in WORDS.items()}
NO_SEAT = -1


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


def write_entries(entries: Iterable[Entry]) -> bytes:
    """Frame several entries, one after another."""
    return b"".join(
        write_entry(e.kind, e.wall_us, e.mono_us, e.handed_us, e.seat, e.audience, e.text, e.body) for e in entries
    )


def read_entries(framed: bytes) -> list[Entry]:
    """Read back any number of entries framed by :func:`write_entry`. Raises ValueError for anything else."""
    return list(each_entry(framed))


def each_entry(framed: bytes) -> Iterator[Entry]:
    """The same one by one."""
    at, end = 0, len(framed)
    while at < end:
        body_at = framed.find(b"\n", at) + 1
        fields = framed[at:body_at].split()
        if not body_at or len(fields) != 8 or fields[0] not in KINDS:
            raise ValueError(f"no entry begins at byte {at}")
        wall_us, mono_us, handed_us, seat, audience, text_length, body_length = map(int, fields[1:])
        body_from = body_at + text_length
        at = body_from + body_length
        if text_length < 0 or body_length < 0 or framed[at : at + 1] != b"\n":
            raise ValueError(f"an entry does not end at byte {at}")
        yield Entry(
            KINDS[fields[0]],
            wall_us,
            mono_us,
            handed_us,
            None if seat == NO_SEAT else seat,
            audience,
            framed[body_at:body_from].decode("utf-8", "surrogatepass"),
            framed[body_from:at],
        )
        at += 1
