"""How the entries of a game are written one after another into the parts that are stored.

Each entry is a line of ASCII, the text and the body, and a newline for those who look at it with their own eyes. The
line tells the kind, the three times, the seat (-1: none), the audience, and how many bytes text and body take, so that
these may hold anything.
"""

from collections.abc import Iterable

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
    """Frame entries one after another."""
    return b"".join(
        write_entry(e.kind, e.wall_us, e.mono_us, e.handed_us, e.seat, e.audience, e.text, e.body) for e in entries
    )


def read_entries(framed: bytes) -> list[Entry]:
    """:func:`write_entry` read back, for any number of entries. Raises ValueError when that is not what it is."""
    entries = []
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
        entries.append(
            Entry(
                KINDS[fields[0]],
                wall_us,
                mono_us,
                handed_us,
                None if seat == NO_SEAT else seat,
                audience,
                framed[body_at:body_from].decode("utf-8", "surrogatepass"),
                framed[body_from:at],
            )
        )
        at += 1
    return entries
