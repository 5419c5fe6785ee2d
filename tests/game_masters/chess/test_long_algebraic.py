"""Moves are written as books write them."""

from game_masters.chess.long_algebraic import in_full

BEFORE = {(4, 0): "K", (7, 0): "R", (6, 0): "N", (4, 6): "P", (3, 7): "q", (4, 4): "P", (1, 2): "B"}


def test_pieces_captures_promotions_and_castling() -> None:
    assert in_full(["g1f3", "d8h4"], BEFORE) == ["Ng1-f3", "Qd8-h4"]
    assert in_full(["e7d8q"], BEFORE, "+") == ["e7xd8=Q+"]
    assert in_full(["e7e8n"], BEFORE) == ["e7-e8=N"]
    assert in_full(["e5d6"], BEFORE) == ["e5xd6"], "a pawn that leaves its file takes, if only in passing"
    assert in_full(["e1g1"], BEFORE) == in_full(["e1h1"], BEFORE) == ["O-O"]
    assert in_full(["e1c1"], BEFORE) == ["O-O-O"]
    assert in_full(["e1d1"], BEFORE) == ["Ke1-d1"]


def test_what_was_moved_just_before_is_taken() -> None:
    assert in_full(["g1f3", "d8f6", "b3f7", "f6f3"], BEFORE, "#")[-1] == "Qf6xf3#"


def test_what_is_no_move_between_squares_stays() -> None:
    assert in_full(["N@e5", "pass"], BEFORE) == ["N@e5", "pass"]
    assert in_full(["b3b4+"], BEFORE) == ["Bb3-b4+"], "a piece of shogi is promoted"
    assert in_full([], BEFORE, "#") == []
