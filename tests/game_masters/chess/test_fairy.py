"""Positions of variants: what the library must not see is refused before."""

import random

import pytest

pytest.importorskip("pyffish")

import pyffish

from game_masters.chess.boards import BadPosition, Ending, Termination
from game_masters.chess.bots import _by_square, _is_quiet, _pieces
from game_masters.chess.fairy import MAX_FEN, FairyBoard
from game_masters.chess.rules import VARIANTS
from tests.profile import sized


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


PLAYED = sized(quick=("crazyhouse", "seirawan", "xiangqi"), deep=VARIANTS)
PLIES = sized(quick=12, deep=120)


def told_by_all_moves(variant: str, start: str, moves: list[str]) -> Ending | None:
    """How a game stands, if the library is asked everything there is, from its first move on."""
    legal = pyffish.legal_moves(variant, start, moves)
    turn = len(moves) % 2
    over, value = pyffish.is_immediate_game_end(variant, start, moves)
    assert not (over and legal)
    why = Termination.VARIANT
    if not over and not legal:
        over, value = True, pyffish.game_result(variant, start, moves)
        why = Termination.CHECKMATE if pyffish.gives_check(variant, start, moves) else Termination.STALEMATE
    if not over:
        why = Termination.REPETITION
        over, value = pyffish.is_optional_game_end(variant, start, moves)
    if over:
        return Ending(why, None if value == 0 else turn if value > 0 else 1 - turn)
    few = all(pyffish.has_insufficient_material(variant, start, moves))
    return Ending(Termination.MATERIAL, None) if few else None


@pytest.mark.parametrize("shuffles", [False, True])
@pytest.mark.parametrize("variant", PLAYED)
def test_a_position_says_what_all_moves_since_the_first_one_say(variant: str, shuffles: bool) -> None:
    rng = random.Random(1)
    start = pyffish.start_fen(variant)
    board, moves = FairyBoard(variant), list[str]()
    for _ in range(PLIES):
        assert list(board.legal()) == sorted(pyffish.legal_moves(variant, start, moves))
        ending = board.ending()
        assert ending == told_by_all_moves(variant, start, moves)
        if ending is not None:
            return
        # Back to where the piece of two plies ago came from: positions repeat.
        back = moves[-2][2:4] + moves[-2][:2] if shuffles and len(moves) > 1 else ""
        moves.append(back if back in board.legal() else rng.choice(board.legal()))
        board.push(moves[-1])
        assert board.fen == pyffish.get_fen(variant, start, moves)


@pytest.mark.parametrize("variant", PLAYED)
def test_a_quiet_move_leaves_all_pieces_there(variant: str) -> None:
    rng = random.Random(2)
    board, quiet, others = FairyBoard(variant), 0, 0
    for _ in range(PLIES):
        if board.ending() is not None:
            break
        for move in rng.sample(board.legal(), min(len(board.legal()), 8)):
            if _is_quiet(move, _by_square(board.fen)):
                quiet += 1
                assert _pieces(pyffish.get_fen(variant, board.fen, [move])) == _pieces(board.fen)
            else:
                others += 1
        board.push(rng.choice(board.legal()))
    assert others
    assert quiet or variant in ("breakthrough", "placement", "sittuyin")
