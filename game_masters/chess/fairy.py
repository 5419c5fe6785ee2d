"""Positions of the variants that pyffish knows. This module is loaded where one of them is played."""

import re
from typing import Final

import pyffish

from game_masters.chess.boards import BadPosition, Ending, Termination

MAX_FEN: Final = 200
"""Characters of a position."""


_FIELDS: Final = re.compile(
    r" [wb]( -| [A-Za-z]{1,16})?( -| [a-l][0-9]{1,2})?( [0-9]\+[0-9])?( [0-9]{1,3})?( [0-9]{1,3})?"
)
"""What follows the board of a FEN: who moves, castling, en passant, checks that are left, two counters."""


def _check(fen: str, variant: str) -> None:
    """Raise BadPosition unless this is a position of the variant.

    The library writes past its memory where a rank is too long, and takes seconds for some other texts, so what it sees
    is looked at before.
    """
    usual = pyffish.start_fen(variant)
    board, blank, fields = fen.partition(" ")
    if len(fen) > MAX_FEN or _FIELDS.fullmatch(blank + fields) is None:
        raise BadPosition(f"no position of {variant}: expected a board and fields as in {usual}")
    known = {sign for sign in usual.partition(" ")[0].lower() if sign.isalpha() or sign in "[]"}
    strange = [sign for sign in board if sign.lower() not in known and sign not in "0123456789/+~-"]
    if strange:
        raise BadPosition(f"no position of {variant}: it has no piece {strange[0]!r}")
    ranks = _ranks(usual)
    if _ranks(fen) != ranks:
        raise BadPosition(f"no position of {variant}: expected {len(ranks)} ranks of {ranks[0]} squares")
    if any(board.count(king) != usual.partition(" ")[0].count(king) for king in "kK"):
        raise BadPosition(f"no position of {variant}: each side has as many kings as in {usual}")
    if pyffish.validate_fen(fen, variant) != pyffish.FEN_OK:
        raise BadPosition(f"no position of {variant}")


def _ranks(fen: str) -> list[int]:
    """How many squares each rank of a FEN has."""
    board = fen.partition(" ")[0].partition("[")[0]
    return [_squares(rank) for rank in board.split("/")]


def _squares(rank: str) -> int:
    number, squares = 0, 0
    for sign in rank:
        if sign.isdigit():
            number = 10 * number + int(sign)
        else:
            squares, number = squares + number + (sign not in "+~"), 0
    return squares + number


class FairyBoard:
    """A variant of chess, by pyffish. Positions that repeat, and too many moves without progress, end a game at once:
    the library knows what the variant makes of them."""

    MAX_PLIES = 400
    """A game is drawn after this many half moves: some variants have no rule of their own that ends one."""

    def __init__(self, variant: str, fen: str | None = None) -> None:
        """``variant``: a name that pyffish knows. Raises BadPosition."""
        self.variant = variant
        self._start = pyffish.start_fen(variant) if fen is None else fen
        if fen is not None:
            _check(fen, variant)
        self._first = 0 if self._start.split()[1] == "w" else 1
        self._fen = self._start
        self._moves: list[str] = []
        self._legal: tuple[str, ...] | None = None

    @property
    def turn(self) -> int:
        """The side that a FEN calls white is seat 0."""
        return (self._first + len(self._moves)) % 2

    @property
    def fen(self) -> str:
        """The position."""
        return self._fen

    @property
    def check(self) -> bool:
        """Whether the king is attacked, in variants with a king."""
        return bool(pyffish.gives_check(self.variant, self._fen, []))

    def legal(self) -> tuple[str, ...]:
        """The legal moves; they are found once for each position."""
        if self._legal is None:
            self._legal = tuple(sorted(pyffish.legal_moves(self.variant, self._fen, [])))
        return self._legal

    def push(self, move: str) -> None:
        """Make a legal move."""
        self._moves.append(move)
        self._legal = None
        self._fen = pyffish.get_fen(self.variant, self._fen, [move])

    def ending(self) -> Ending | None:
        """The rules of the variant, and how many pieces are left."""
        # The library sets up its tables for each question, so it is asked as little as may be: where the rules of a
        # variant have ended a game, there are no legal moves.
        if not self.legal():
            over, value = pyffish.is_immediate_game_end(self.variant, self._fen, [])
            if over:
                return Ending(Termination.VARIANT, self._winner(value))
            # In some variants a side without a move has lost or won, in others it is a draw.
            value = pyffish.game_result(self.variant, self._fen, [])
            if self.check:
                return Ending(Termination.CHECKMATE, self._winner(value))
            return Ending(Termination.STALEMATE, self._winner(value))
        # Repetitions are what the position does not show.
        over, value = pyffish.is_optional_game_end(self.variant, self._start, self._moves)
        if over:
            return Ending(Termination.REPETITION, self._winner(value))
        # Of both sides: one that cannot mate may still be mated.
        if all(pyffish.has_insufficient_material(self.variant, self._fen, [])):
            return Ending(Termination.MATERIAL, None)
        return Ending(Termination.MOVE_LIMIT, None) if len(self._moves) >= self.MAX_PLIES else None

    def claim(self) -> Termination | None:
        """Nothing is left to claim."""
        return None

    def claims(self) -> tuple[str, ...]:
        """None."""
        return ()

    def _winner(self, value: int) -> int | None:
        """``value``: what the position is worth to the side to move."""
        return None if value == 0 else self.turn if value > 0 else 1 - self.turn
