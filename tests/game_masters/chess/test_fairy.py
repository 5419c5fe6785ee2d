"""Positions of variants: what the library must not see is refused before."""

import pytest

pytest.importorskip("pyffish")

import pyffish

from game_masters.chess.boards import BadPosition
from game_masters.chess.fairy import MAX_FEN, FairyBoard
from game_masters.chess.rules import VARIANTS


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_usual_position_is_one(variant: str) -> None:
    board = FairyBoard(variant, pyffish.start_fen(variant))
    for _ in range(3):
        board.push(board.legal()[0])
    assert FairyBoard(variant, board.fen).fen == board.fen


ATOMIC = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        (f"{ATOMIC.replace('/8/8/', '/8/' + '9' * 90 + '/')} w KQkq - 0 1", "expected 8 ranks of 8 squares"),
        ("rnbqkbnr" + "/" * 50 + " w - - 0 1", "expected 8 ranks"),
        (f"{ATOMIC} w KQkq - 0 1" + " " * MAX_FEN, "fields as in"),
        (f"{ATOMIC} ] KQkq - 0 1", "fields as in"),
        (f"{ATOMIC[:-1]}x w KQkq - 0 1", "no piece 'x'"),
        (f"{ATOMIC[:-1]}K w KQkq - 0 1", "as many kings"),
        ("", "fields as in"),
        ("\N{DIGIT ONE FULL STOP} w", "no piece"),
    ],
)
def test_what_is_no_position_is_refused_with_the_reason(fen: str, reason: str) -> None:
    with pytest.raises(BadPosition, match=reason):
        FairyBoard("atomic", fen)
