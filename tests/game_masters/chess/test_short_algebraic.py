"""Moves are written as short as books write them, and never so short that two moves read the same."""

import random

import chess
import pytest

from game_masters.chess.short_algebraic import in_short
from tests.profile import sized

Pieces = dict[tuple[int, int], str]


def pieces_of(board: chess.Board) -> Pieces:
    """What stands where."""
    return {
        (chess.square_file(square), chess.square_rank(square)): piece.symbol()
        for square, piece in board.piece_map().items()
    }


def written(fen: str, uci: str) -> str:
    """One move in a position."""
    return in_short([uci], pieces_of(chess.Board(fen)))[0]


@pytest.mark.parametrize("seed", range(sized(quick=4, deep=60)))
def test_every_move_is_written_as_the_library_of_chess_writes_it(seed: int) -> None:
    rng, board = random.Random(seed), chess.Board()
    while not board.is_game_over() and board.ply() < 200:
        pieces, moves = pieces_of(board), list(board.legal_moves)
        for move in moves:
            assert in_short([move.uci()], pieces)[0] == board.san(move).rstrip("+#")
        board.push(rng.choice(moves))


def test_castling_in_both_ways_and_moves_in_a_row() -> None:
    rooks = {(4, 0): "K", (7, 0): "R", (0, 0): "R", (4, 7): "k"}
    assert in_short(["e1h1"], rooks) == in_short(["e1g1"], rooks) == ["O-O"]
    assert in_short(["a1a8", "e8e7", "h1h8"], rooks, "#") == ["Ra8", "Ke7", "Rhh8#"], (
        "the other rook stands there by now"
    )
    assert in_short([], rooks, "+") == []


@pytest.mark.parametrize(
    ("fen", "uci", "text"),
    [
        ("4k3/8/8/8/8/8/4K3/RN5R w - - 0 1", "h1e1", "Re1"),
        ("4k3/8/8/8/8/2N5/4K3/6N1 w - - 0 1", "g1f3", "Nf3"),
        ("4k3/8/8/1b6/8/3N4/4K3/6N1 w - - 0 1", "g1f3", "Nf3"),
        ("4k3/4r3/8/8/4N3/8/8/4K1N1 w - - 0 1", "g1f3", "Nf3"),
        ("4k3/8/8/8/8/Q7/8/Q1Q1K3 w - - 0 1", "a1b2", "Qa1b2"),
        ("4k3/8/8/8/R7/8/8/R3K3 w - - 0 1", "a1a2", "R1a2"),
    ],
)
def test_of_several_pieces_only_those_count_that_could_go_there(fen: str, uci: str, text: str) -> None:
    assert written(fen, uci) == text == chess.Board(fen).san(chess.Move.from_uci(uci)).rstrip("+#")
