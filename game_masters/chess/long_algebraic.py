"""Moves as books write them in full: ``Ng1-f3``, ``Qd8xh4#``, ``e7-e8=Q``, ``O-O``.

What stood on the board before is needed for it: a move as it travels names two squares only. No library of chess is
needed, and none would know the pieces of all variants.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Final

Square = tuple[int, int]
"""File and rank, from 0."""
Pieces = Mapping[Square, str]

_SQUARES: Final = re.compile(r"([a-z])([0-9]{1,2})([a-z])([0-9]{1,2})(\+|[a-z]?)")
_CASTLES: Final = 2
"""A king that goes so many files or more castles."""


def in_full(moves: Sequence[str], before: Pieces, sign: str = "") -> list[str]:
    """Moves in a row, the first one made where these pieces stood; ``sign`` is put behind the last one, ``+`` or ``#``.
    What is not from a square to a square (a drop, a word) stays as it travels."""
    pieces = dict(before)
    texts = []
    for move in moves:
        texts.append(made(move, pieces))
    return [*texts[:-1], texts[-1] + sign] if texts else []


def made(move: str, pieces: dict[Square, str]) -> str:
    """One move, which is made on the board, too."""
    found = _SQUARES.fullmatch(move)
    if found is None:
        return move
    begin, end = _square(found[1], found[2]), _square(found[3], found[4])
    piece, taken = pieces.pop(begin, ""), pieces.get(end, "")
    kind = piece.strip("+~").upper()
    # Castling is written in two ways: two files or more to a side, or, in Chess960, as taking the own rook.
    if kind == "K" and ((abs(end[0] - begin[0]) >= _CASTLES and not taken) or _is_own(piece, taken)):
        pieces[end] = piece
        return "O-O" if end[0] > begin[0] else "O-O-O"
    pieces[end] = piece
    # A pawn that changes its file takes, en passant even where the square is empty.
    takes = bool(taken) or (kind == "P" and begin[0] != end[0])
    becomes = f"={found[5].upper()}" if found[5].isalpha() else found[5]
    letter = "" if kind == "P" else kind
    return f"{letter}{found[1]}{found[2]}{'x' if takes else '-'}{found[3]}{found[4]}{becomes}"


def _square(file: str, rank: str) -> Square:
    return ord(file) - 97, int(rank) - 1


def _is_own(piece: str, other: str) -> bool:
    return bool(other) and piece.strip("+~").isupper() == other.strip("+~").isupper()
