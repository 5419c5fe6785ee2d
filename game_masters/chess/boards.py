"""Positions of chess and of its variants: what may be moved, what follows, and when a game is over.

Two libraries know the rules: python-chess those of chess and Chess960, pyffish those of a hundred variants. A
:class:`Board` is the same for both, so that rules, views and pictures need not know which one it is.
"""

from collections import Counter
from collections.abc import Hashable
from enum import StrEnum
from typing import NamedTuple, Protocol

import chess


class Termination(StrEnum):
    """Why a game ended."""

    CHECKMATE = "checkmate"
    STALEMATE = "stalemate"
    MATERIAL = "insufficient material"
    FIVEFOLD = "fivefold repetition"
    SEVENTY_FIVE = "seventy-five moves"
    THREEFOLD = "threefold repetition"
    FIFTY = "fifty moves"
    VARIANT = "rules of the variant"
    REPETITION = "repetition or move count"
    MOVE_LIMIT = "move limit"
    AGREEMENT = "draw agreed"
    RESIGNED = "resignation"
    ILLEGAL_MOVE = "illegal move"
    UNREADABLE_MOVE = "unreadable move"
    PLAYER_LEFT = "player left"


class Ending(NamedTuple):
    """How a position ends a game: why, and who has won; None: a draw."""

    termination: Termination
    winner: int | None


class BadPosition(Exception):
    """A position that cannot begin a game. The text gives the reason."""


class Board(Protocol):
    """A position with what led to it."""

    @property
    def variant(self) -> str:
        """``chess``, ``chess960``, or the name of a variant."""

    @property
    def turn(self) -> int:
        """The seat to move: 0 moves first in a game from the usual position."""

    @property
    def fen(self) -> str:
        """The position in Forsyth-Edwards notation."""

    @property
    def check(self) -> bool:
        """Whether the side to move is in check."""

    def legal(self) -> tuple[str, ...]:
        """All moves, as engines write them, in alphabetical order."""

    def push(self, move: str) -> None:
        """Make a legal move."""

    def ending(self) -> Ending | None:
        """Whether the game is over without a word of the players."""

    def claim(self) -> Termination | None:
        """Why the side to move may claim a draw as the position stands; None: it may not."""

    def claims(self) -> tuple[str, ...]:
        """The legal moves that a draw may be claimed with."""


def _in_words(status: chess.Status) -> str:
    """What is wrong with a position, in words: ``no black king, opposite check``."""
    wrong = (flag for flag in chess.Status if flag in status)
    return ", ".join((flag.name or "").lower().replace("_", " ") for flag in wrong)


class ChessBoard:
    """Chess and Chess960, by python-chess."""

    def __init__(self, fen: str | None = None, *, chess960: bool = False) -> None:
        """``fen`` None: the usual position. Raises BadPosition."""
        try:
            self._board = chess.Board(chess.STARTING_FEN if fen is None else fen, chess960=chess960)
        except ValueError as error:
            raise BadPosition(str(error)) from error
        if not self._board.is_valid():
            raise BadPosition(_in_words(self._board.status()))
        self.variant = "chess960" if chess960 else "chess"
        self._seen: Counter[Hashable] = Counter([self._key()])
        self._repeated = 1
        self._legal: tuple[str, ...] | None = None

    @property
    def turn(self) -> int:
        """White is seat 0."""
        return 0 if self._board.turn else 1

    @property
    def fen(self) -> str:
        """The position; the field of an en passant only where one is legal."""
        return self._board.fen()

    @property
    def check(self) -> bool:
        """Whether the king is attacked."""
        return self._board.is_check()

    def legal(self) -> tuple[str, ...]:
        """The legal moves; they are found once for each position."""
        if self._legal is None:
            self._legal = tuple(sorted(move.uci() for move in self._board.legal_moves))
        return self._legal

    def push(self, move: str) -> None:
        """Make a legal move."""
        self._board.push(chess.Move.from_uci(move))
        self._legal = None
        key = self._key()
        self._seen[key] += 1
        self._repeated = max(self._repeated, self._seen[key])

    def ending(self) -> Ending | None:
        """Mate, stalemate, too little material, five times the same position, 75 moves each without progress."""
        # First: by the rules of FIDE a mate counts, even with the move that completes 75.
        if not self.legal():
            mate = self._board.is_check()
            return Ending(Termination.CHECKMATE, 1 - self.turn) if mate else Ending(Termination.STALEMATE, None)
        if self._board.is_insufficient_material():
            return Ending(Termination.MATERIAL, None)
        if self._repeated >= 5:
            return Ending(Termination.FIVEFOLD, None)
        return Ending(Termination.SEVENTY_FIVE, None) if self._board.halfmove_clock >= 150 else None

    def claim(self) -> Termination | None:
        """The position stands for the third time, or fifty moves each were made without progress."""
        return self._claimable(self._seen[self._key()])

    def claims(self) -> tuple[str, ...]:
        """The moves that would lead to one of both."""
        # Without a position that stood twice, and before the hundredth half move, no move can lead to a claim.
        if self._repeated < 2 and self._board.halfmove_clock < 99:
            return ()
        return tuple(move for move in self.legal() if self._claimable_after(move))

    def _claimable(self, times: int) -> Termination | None:
        if times >= 3:
            return Termination.THREEFOLD
        return Termination.FIFTY if self._board.halfmove_clock >= 100 else None

    def _claimable_after(self, uci: str) -> bool:
        move = chess.Move.from_uci(uci)
        # A capture or a pawn's move brings a new position and begins the count of moves again.
        if self._board.is_zeroing(move):
            return False
        self._board.push(move)
        try:
            return self._claimable(self._seen[self._key()] + 1) is not None
        finally:
            self._board.pop()

    def _key(self) -> Hashable:
        """The same for two positions with the same moves: pieces, turn, rights to castle and to capture en passant."""
        board = self._board
        pieces = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
        # By the rules of FIDE positions differ only if the capture could really be made.
        passing = board.ep_square if board.ep_square is not None and board.has_legal_en_passant() else None
        white, black = board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]
        return pieces, white, black, board.turn, board.clean_castling_rights(), passing
