"""A payload as the difference to an earlier one: the states of a game repeat themselves, and so do many moves.

A difference is a row of edits. Each is a line with three numbers (offset and length of the copied piece of the earlier
payload, length of the new bytes after it), then the new bytes. The edits in order make the payload.

Payloads of equal length are compared block by block, in C: a changed cell usually keeps its length. In others, the
beginnings and the ends are compared: for a state with one change, that finds nearly everything.
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
"""Bytes of a block, in payloads below :data:`LARGE` bytes and in larger ones: more blocks take more time, larger blocks
contain more unchanged bytes."""
MIN_GAIN: Final = 2
"""A payload is written whole unless the edits take at most one part in this many of its size."""


def changes(old: bytes, new: bytes) -> bytes | None:
    """Return the edits that turn ``old`` into ``new``; None if they would save little."""
    size = len(new)
    if size < MIN_BYTES or len(old) < MIN_BYTES:
        return None
    edits = _edits_in_place(old, new) if len(old) == size else _one_edit(old, new)
    return edits if edits is not None and len(edits) * MIN_GAIN <= size else None


def changed(old: bytes, edits: bytes) -> bytes:
    """Return the payload that was ``new`` in :func:`changes`. Raises ValueError when these are no edits of ``old``."""
    parts: list[bytes] = []
    at, end = 0, len(edits)
    while at < end:
        line_end = edits.find(b"\n", at)
        numbers = edits[at:line_end].split()
        if line_end < 0 or len(numbers) != 3:
            raise ValueError(f"no edit begins at byte {at}")
        place, stays, new = map(int, numbers)
        at = line_end + 1 + new
        # The file may be damaged, and a slice beyond the end would be cut short in silence.
        if min(place, stays, new) < 0 or place + stays > len(old) or at > end:
            raise ValueError("an edit goes beyond the payload")
        parts += old[place : place + stays], edits[line_end + 1 : at]
    return b"".join(parts)


@lru_cache(maxsize=256)
def _blocks(size: int) -> tuple[Struct, range, int]:
    """Return how to cut ``size`` bytes into blocks, the numbers of the blocks, and the length of each but the last."""
    # Remembered by size: states of a game mostly keep theirs.
    length = BLOCK if size < LARGE else LARGE_BLOCK
    whole, rest = divmod(size, length)
    return Struct(f"{length}s" * whole + f"{rest}s" * bool(rest)), range(whole + bool(rest)), length


def _edits_in_place(old: bytes, new: bytes) -> bytes | None:
    cut, numbers, length = _blocks(len(new))
    differ = list(compress(numbers, map(ne, cut.unpack(new), cut.unpack(old))))
    # Hopeless already, without building any edit.
    if len(differ) * MIN_GAIN > len(numbers):
        return None
    parts: list[bytes] = []
    same = 0
    for first, last in _runs(differ):
        begin, end = first * length, (last + 1) * length
        changed = new[begin:end]
        parts += b"%d %d %d\n" % (same, begin - same, len(changed)), changed
        same = end
    if same < len(new):
        parts.append(b"%d %d 0\n" % (same, len(new) - same))
    return b"".join(parts)


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """Return ascending numbers as runs: the first and the last of each."""
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
    # Only behind the common beginning, or a byte that repeats could be counted at both ends.
    behind = _common_end(old[before - shorter :], new[before - shorter :]) if before < shorter else 0
    changed = new[before : len(new) - behind]
    return b"0 %d %d\n%b%d %d 0\n" % (before, len(changed), changed, len(old) - behind, behind)


def _common_beginning(one: bytes, other: bytes) -> int:
    """Return how many bytes two byte strings of equal length have in common at their beginnings."""
    same, step = 0, _power_of_two(len(one))
    while step:
        if one[same : same + step] == other[same : same + step]:
            same += step
        step //= 2
    return min(same, len(one))


def _common_end(one: bytes, other: bytes) -> int:
    """Return the same at their ends; the strings may be longer than the part that is compared."""
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
    """Return the largest power of two that is at most ``size``; 0 for 0."""
    return 1 << size.bit_length() - 1 if size else 0
