"""What a seat sees, as arrays: by the game's own encoding, or by hashing the values in its view.

Hashing: each value in the view, with the way that leads to it, adds one to a cell that its content decides (the hashing
trick; cells count to 255). Equal views give equal arrays, in every process; what the view does not show is in no array.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from game_masters.env.leaves import leaves
from game_masters.env.numbering import Numbers

Bytes: TypeAlias = NDArray[np.uint8]
Mask: TypeAlias = NDArray[np.int8]
SeatReader: TypeAlias = Callable[[Any], tuple[Bytes, Mask | None]]
"""Turns the views of one seat into observations, and into masks where the game's encoding knows them."""


def hashed_view(size: int) -> SeatReader:
    """Return a reader that hashes the values of a view into ``size`` cells."""

    def reader(view: Any) -> tuple[Bytes, None]:
        places = np.fromiter((crc32(leaf) % size for leaf in leaves(view)), np.int64)
        return np.minimum(np.bincount(places, minlength=size), 255).astype(np.uint8), None

    return reader


def encoded(read: Callable[[Any], tuple[bytes, bytes]], shape: Sequence[int]) -> SeatReader:
    """Return a reader of what a game's encoding gives."""

    def reader(view: Any) -> tuple[Bytes, Mask]:
        cells, mask = read(view)
        return (
            # From bytearrays: over bytes, arrays could not be written to.
            np.frombuffer(bytearray(cells), np.uint8).reshape(shape),
            np.frombuffer(bytearray(mask), np.int8),
        )

    return reader


def mask_of(numbers: Numbers, size: int) -> Mask:
    """Return a mask with a 1 for each number that stands for a legal move."""
    mask = np.zeros(size, np.int8)
    mask[list(numbers)] = 1
    return cast(Mask, mask)


def no_moves(size: int) -> Mask:
    """Return the mask of a seat that is not asked."""
    return cast(Mask, np.zeros(size, np.int8))
