"""Moves of chess as books write them in short: ``Nf3``, ``Qxh4#``, ``e8=Q``, ``O-O``.

Where several pieces of a kind could go to the same square, the file is added, or the rank, or both: ``Nge2``, ``R1a3``.
Which could is known from how the pieces of chess go; in variants they go otherwise.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from game_masters.chess.long_algebraic import Pieces, Square, made

_FULL: Final = re.compile(r"([NBRQK]?)([a-z])([0-9]+)([x-])([a-z])([0-9]+)(.*)")
_KNIGHT: Final = {1, 2}


def in_short(moves: Sequence[str], before: Pieces, sign: str = "") -> list[str]:
    """Moves in a row, the first one made where these pieces stood; ``sign`` is put behind the last one."""
    pieces = dict(before)
    texts = []
    for move in moves:
        stood = dict(pieces)
        full = made(move, pieces)
        found = _FULL.fullmatch(full)
        texts.append(full if found is None else _short(found, stood))
    return [*texts[:-1], texts[-1] + sign] if texts else []


def _short(found: re.Match[str], pieces: Pieces) -> str:
    kind, file, rank, sign, to_file, to_rank, rest = found.groups()
    takes = "x" if sign == "x" else ""
    end = f"{takes}{to_file}{to_rank}{rest}"
    if not kind:
        return f"{file}{end}" if takes else end
    begin = _square(file, rank)
    others = list(_others(pieces, begin, _square(to_file, to_rank)))
    if not others:
        return f"{kind}{end}"
    if all(one[0] != begin[0] for one in others):
        return f"{kind}{file}{end}"
    return f"{kind}{rank}{end}" if all(one[1] != begin[1] for one in others) else f"{kind}{file}{rank}{end}"


def _square(file: str, rank: str) -> Square:
    return ord(file) - 97, int(rank) - 1


def _others(pieces: Pieces, begin: Square, end: Square) -> Iterator[Square]:
    """Where others of the kind stand that could go to the same square as the one that does."""
    mover = pieces.get(begin, "")
    for square, sign in pieces.items():
        if sign == mover and square != begin and _reaches(pieces, square, end) and not _is_pinned(pieces, square, end):
            yield square


def _reaches(pieces: Pieces, begin: Square, end: Square) -> bool:
    """Whether a piece could take what stands on a square, as far as the ways of the pieces go."""
    sign = pieces[begin]
    right, up = end[0] - begin[0], end[1] - begin[1]
    far = max(abs(right), abs(up))
    straight, slanting = not (right and up), abs(right) == abs(up)
    match sign.upper():
        case "P":
            return abs(right) == 1 and up == (1 if sign == "P" else -1)
        case "N":
            return {abs(right), abs(up)} == _KNIGHT
        case "K":
            return far == 1
        case kind:
            goes = (straight and kind in "RQ") or (slanting and kind in "BQ")
    between = ((begin[0] + right * step // far, begin[1] + up * step // far) for step in range(1, far))
    return goes and not any(square in pieces for square in between)


def _is_pinned(pieces: Pieces, begin: Square, end: Square) -> bool:
    """Whether the own king could be taken after this move."""
    after = {square: sign for square, sign in pieces.items() if square != begin} | {end: pieces[begin]}
    is_white = pieces[begin].isupper()
    kings = [square for square, sign in after.items() if sign == ("K" if is_white else "k")]
    enemies = [square for square, sign in after.items() if sign.isupper() != is_white]
    return any(_reaches(after, enemy, king) for king in kings for enemy in enemies)
