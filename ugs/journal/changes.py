"""A payload as what is new in it: the states of a game repeat themselves, and so do many moves.

What changes is a row of edits. Each is a line with three numbers, the place and the length of what stays of the earlier
payload, and the length of what is new behind it, then the new bytes. The edits in their order make the payload.

Payloads of one length are compared at the same places, block by block, all of it in C: a cell that changes mostly keeps
its length. Of others the beginning and the end are compared, where nearly all of a state with one change is found.
"""

from functools import lru_cache
from itertools import compress
from operator import ne
from struct import Struct
from typing import Final

MIN_BYTES: Final = 512
"""Shorter payloads are written whole."""
LARGE: Final = 16_384
BLOCK: Final = 256
LARGE_BLOCK: Final = 512
"""Bytes that are compared at a time, in payloads of less than :data:`LARGE` bytes and in larger ones: more blocks take
more time, larger ones hold more that has not changed."""
MIN_GAIN: Final = 2
"""The edits have at most one of so many parts of the payload, or it is written whole."""


def changes(old: bytes, new: bytes) -> bytes | None:
    """The edits that make ``new`` of ``old``; None where they would save little."""
    size = len(new)
    if size < MIN_BYTES or len(old) < MIN_BYTES:
        return None
    edits = _edits_in_place(old, new) if len(old) == size else _one_edit(old, new)
    return edits if edits is not None and len(edits) * MIN_GAIN <= size else None


def changed(old: bytes, edits: bytes) -> bytes:
    """The payload that was ``new`` in :func:`changes`. Raises ValueError when these are no edits of ``old``."""
    parts: list[bytes] = []
    at, end = 0, len(edits)
    while at < end:
        line_end = edits.find(b"\n", at)
        numbers = edits[at:line_end].split()
        if line_end < 0 or len(numbers) != 3:
            raise ValueError(f"no edit begins at byte {at}")
        place, stays, new = map(int, numbers)
        at = line_end + 1 + new
        if min(place, stays, new) < 0 or place + stays > len(old) or at > end:
            raise ValueError("an edit goes beyond the payload")
        parts += old[place : place + stays], edits[line_end + 1 : at]
    return b"".join(parts)


@lru_cache(maxsize=256)
def _blocks(size: int) -> tuple[Struct, range, int]:
    """How to cut so many bytes into blocks, the numbers of these, and how long each is but for the last."""
    length = BLOCK if size < LARGE else LARGE_BLOCK
    whole, rest = divmod(size, length)
    return Struct(f"{length}s" * whole + f"{rest}s" * bool(rest)), range(whole + bool(rest)), length


def _edits_in_place(old: bytes, new: bytes) -> bytes | None:
    cut, numbers, length = _blocks(len(new))
    differ = list(compress(numbers, map(ne, cut.unpack(new), cut.unpack(old))))
    if len(differ) * MIN_GAIN > len(numbers):
        return None
    parts: list[bytes] = []
    same = 0
    for first, last in _runs(differ):
        begin, end = first * length, (last + 1) * length
        said = new[begin:end]
        parts += b"%d %d %d\n" % (same, begin - same, len(said)), said
        same = end
    if same < len(new):
        parts.append(b"%d %d 0\n" % (same, len(new) - same))
    return b"".join(parts)


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """Numbers in ascending order as runs: the first and the last of each."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs


def _one_edit(old: bytes, new: bytes) -> bytes:
    shorter = min(len(old), len(new))
    before = _common_beginning(old[:shorter], new[:shorter])
    behind = _common_end(old[before - shorter :], new[before - shorter :]) if before < shorter else 0
    said = new[before : len(new) - behind]
    return b"0 %d %d\n%b%d %d 0\n" % (before, len(said), said, len(old) - behind, behind)


def _common_beginning(one: bytes, other: bytes) -> int:
    """How many bytes two byte strings of one length have in common at their beginnings."""
    same, step = 0, _power_of_two(len(one))
    while step:
        if one[same : same + step] == other[same : same + step]:
            same += step
        step //= 2
    return min(same, len(one))


def _common_end(one: bytes, other: bytes) -> int:
    """The same at their ends; they may be longer than what is compared."""
    shorter = min(len(one), len(other))
    left, longer = len(one) - shorter, len(other) - shorter
    same, step = 0, _power_of_two(shorter)
    while step:
        if same + step <= shorter:
            begin = shorter - same - step
            if one[left + begin : left + begin + step] == other[longer + begin : longer + begin + step]:
                same += step
        step //= 2
    return same


def _power_of_two(size: int) -> int:
    """The largest that is at most so much; 0 for nothing."""
    return 1 << size.bit_length() - 1 if size else 0
