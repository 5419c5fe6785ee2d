"""Computer players for chess and its variants.

``search`` looks at all moves, the best answers and the captures behind them, and counts pieces and where they stand: a
sparring partner, no engine. ``greedy`` plays any variant: it takes what it can and gives little back.
"""

import random
import re
from collections.abc import Iterator, Mapping
from string import ascii_lowercase
from typing import Final

import chess

from game_masters.chess.rules import ChessMove, DrawWord, View
from game_masters.kit.rules import Bot

MAX_NODES: Final = 500
"""Positions that ``search`` looks at for one move: some hundredths of a second."""
DEPTH: Final = 2
MATE: Final = 100_000
VALUES: Final = {
    chess.PAWN: 100, chess.KNIGHT: 320, chess.BISHOP: 330, chess.ROOK: 500, chess.QUEEN: 900, chess.KING: 0,
}  # fmt: skip
MAX_TRIED: Final = 60
"""Moves that ``greedy`` tries in a position."""
_FROM_TO: Final = re.compile(r"([a-l][0-9]{1,2})([a-l][0-9]{1,2})")
"""A move of a piece that stays what it is, and puts none from a hand beside it."""


def choose_random(view: View, rng: random.Random) -> ChessMove:
    """Return any move of a piece."""
    return ChessMove(rng.choice(view.legal))


def choose_by_search(view: View, rng: random.Random) -> ChessMove:
    """Return the best move that a short search finds; a draw where the position is worse than one."""
    searcher = _Searcher(chess.Board(view.fen, chess960=view.variant == "chess960"))
    score, uci = searcher.best(list(view.legal), rng)
    if score < 0 and (view.claim or view.offered):
        return ChessMove(draw=DrawWord.CLAIM if view.claim else DrawWord.ACCEPT)
    return ChessMove(uci)


def choose_greedily(view: View, rng: random.Random) -> ChessMove:
    """Return the move that leaves the most pieces after the other side's best capture."""
    import pyffish

    tried = list(view.legal) if len(view.legal) <= MAX_TRIED else rng.sample(view.legal, MAX_TRIED)
    own = 1 if view.turn == 0 else -1
    before = _pieces(view.fen)
    pieces = _by_square(view.fen)

    # The library sets up its tables for each question, which costs more than the answer: it is asked seldom.
    def worth(move: str) -> tuple[float, float]:
        if _is_quiet(move, pieces) and pyffish.legal_moves(view.variant, view.fen, [move]):
            return 0.0, rng.random()
        fen = pyffish.get_fen(view.variant, view.fen, [move])
        # Where the rules of a variant have ended a game, there are no legal moves.
        if not pyffish.legal_moves(view.variant, fen, []):
            over, value = pyffish.is_immediate_game_end(view.variant, fen, [])
            value = value if over else pyffish.game_result(view.variant, fen, [])
            # The value is for the side to move, which is the other one now.
            return (-value, 0.0)
        return own * (_pieces(fen) - before), rng.random()

    return ChessMove(max(tried, key=worth))


BOTS = (
    Bot("search", "looks two half moves and the captures behind them ahead", choose_by_search),
    Bot("random", "makes any move", choose_random),
)
VARIANT_BOTS = (
    Bot("greedy", "takes what it can", choose_greedily),
    Bot("random", "makes any move", choose_random),
)


class _Searcher:
    """One search of a position."""

    def __init__(self, board: chess.Board) -> None:
        self._board = board
        self._nodes = 0

    def best(self, legal: list[str], rng: random.Random) -> tuple[int, str]:
        """The value of the best move for the side to move, and the move; among equals the choice is random."""
        rng.shuffle(legal)
        best, chosen = -2 * MATE, legal[0]
        # Sorting keeps the order of equals, which has just been shuffled.
        for move in sorted(map(chess.Move.from_uci, legal), key=self._urgency, reverse=True):
            self._board.push(move)
            score = -self._value(DEPTH - 1, -2 * MATE, -best)
            self._board.pop()
            if score > best:
                best, chosen = score, move.uci()
        return best, chosen

    def _value(self, depth: int, alpha: int, beta: int) -> int:
        """The value for the side to move, as far as it matters between ``alpha`` and ``beta``."""
        self._nodes += 1
        board = self._board
        if depth <= 0:
            # No capture must be made, so the side has at least what stands there.
            alpha = max(alpha, _material(board))
            if alpha >= beta or self._nodes > MAX_NODES:
                return alpha
        elif not any(board.legal_moves):
            # The sooner the mate the more it counts: depth shrinks on the way.
            return -MATE - depth if board.is_check() else 0
        for move in self._ordered(depth):
            board.push(move)
            alpha = max(alpha, -self._value(depth - 1, -beta, -alpha))
            board.pop()
            if alpha >= beta or self._nodes > MAX_NODES:
                break
        return alpha

    def _ordered(self, depth: int) -> Iterator[chess.Move]:
        moves = self._board.legal_moves if depth > 0 else self._board.generate_legal_captures()
        yield from sorted(moves, key=self._urgency, reverse=True)

    def _urgency(self, move: chess.Move) -> int:
        """Captures of large pieces by small ones first."""
        taken = self._board.piece_type_at(move.to_square)
        taker = self._board.piece_type_at(move.from_square)
        gain = VALUES[taken] * 10 - VALUES[taker] if taken is not None and taker is not None else 0
        return gain + (VALUES[move.promotion] if move.promotion else 0)


def _material(board: chess.Board) -> int:
    """Pieces, and how near to the middle they stand, for the side to move."""
    total = 0
    for kind, value in VALUES.items():
        total += value * (
            chess.popcount(board.pieces_mask(kind, chess.WHITE)) - chess.popcount(board.pieces_mask(kind, chess.BLACK))
        )
    for colour, sign in ((chess.WHITE, 1), (chess.BLACK, -1)):
        own = board.occupied_co[colour] & ~board.kings
        total += sign * 10 * chess.popcount(own & chess.BB_CENTER)
        total += sign * 6 * chess.popcount(board.pieces_mask(chess.KNIGHT, colour) & ~_EDGE)
        total += sign * 5 * chess.popcount(board.pieces_mask(chess.BISHOP, colour) & ~_EDGE)
    return total if board.turn else -total


_EDGE: Final = chess.BB_RANK_1 | chess.BB_RANK_8 | chess.BB_FILE_A | chess.BB_FILE_H


def _pieces(fen: str) -> float:
    """White's pieces less Black's, those in hand included; pawns count half."""
    total = 0.0
    for sign in fen.split()[0]:
        if sign.isalpha():
            total += (1 if sign.isupper() else -1) * (0.5 if sign in "pP" else 1.5)
    return total


def _is_quiet(move: str, pieces: Mapping[str, str]) -> bool:
    """Whether all pieces are there after this move as before: none but a pawn takes what is not where it goes."""
    found = _FROM_TO.fullmatch(move)
    return found is not None and pieces.get(found[1], "p") not in "pP" and found[2] not in pieces


def _by_square(fen: str) -> dict[str, str]:
    """The piece on each square that has one, by its letter."""
    found: dict[str, str] = {}
    ranks = fen.split()[0].partition("[")[0].split("/")
    for number, rank in zip(range(len(ranks), 0, -1), ranks, strict=True):
        file = 0
        # An empty stretch may be ten squares or more; signs beside a letter say that a piece is a promoted one.
        for blank, piece in re.findall(r"([0-9]+)|([A-Za-z])", rank):
            if piece:
                found[f"{ascii_lowercase[file]}{number}"] = piece
            file += int(blank or 1)
    return found
