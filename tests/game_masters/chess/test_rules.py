"""Chess: the moves there are, and how games end."""

import random

import pytest

from game_masters.chess import GAME, VARIANT
from game_masters.chess.boards import ChessBoard, Termination
from game_masters.chess.fairy import FairyBoard
from game_masters.chess.rules import Beginning, ChessMove, DrawWord, Match
from game_masters.kit.rules import BadFixture, Entries, Outcome, RuleBroken, Table
from tests.profile import sized

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PASSING = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
SHUFFLED = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"


def a_match(fen: str | None = None, *moves: str, **options: str) -> Match:
    table = Table("g1", ("ann", "bob"), GAME.choose_options(options), fixture=Beginning(fen, moves))
    state = GAME.start(table, random.Random(0))
    assert isinstance(state, Match)
    return state


def play(match: Match, *moves: str) -> None:
    for move in moves:
        (seat,) = match.movers
        match.apply(seat, ChessMove(move))


def perft(fen: str | None, depth: int, *, chess960: bool = False, moves: tuple[str, ...] = ()) -> int:
    """The number of ways to make ``depth`` half moves."""
    board = ChessBoard(fen, chess960=chess960)
    for move in moves:
        board.push(move)
    if depth == 1:
        return len(board.legal())
    return sum(perft(fen, depth - 1, chess960=chess960, moves=(*moves, move)) for move in board.legal())


@pytest.mark.parametrize(
    ("fen", "chess960", "counts"),
    [
        (None, False, sized(quick=(20, 400), deep=(20, 400, 8902))),
        (KIWIPETE, False, sized(quick=(48, 2039), deep=(48, 2039, 97862))),
        (PASSING, False, sized(quick=(14, 191), deep=(14, 191, 2812))),
        (SHUFFLED, True, sized(quick=(21, 528), deep=(21, 528, 12189))),
    ],
)
def test_the_numbers_of_moves_are_those_that_are_known(
    fen: str | None, chess960: bool, counts: tuple[int, ...]
) -> None:
    assert tuple(perft(fen, depth, chess960=chess960) for depth in range(1, len(counts) + 1)) == counts


def test_mate_wins_and_stalemate_draws() -> None:
    match = a_match()
    play(match, "f2f3", "e7e5", "g2g4", "d8h4")
    assert match.outcome == Outcome(Termination.CHECKMATE, frozenset({1}))
    match = a_match("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1")
    play(match, "g1g6")
    assert match.outcome == Outcome(Termination.STALEMATE, frozenset(), drawn=True)


def test_two_kings_are_a_draw() -> None:
    match = a_match("7k/8/8/8/8/8/1p6/K7 w - - 0 1")
    play(match, "a1b2")
    assert match.outcome == Outcome(Termination.MATERIAL, frozenset(), drawn=True)


AROUND = ("g1f3", "g8f6", "f3g1", "f6g8")


def test_a_draw_by_three_repetitions_is_claimed_with_the_move_or_after_it() -> None:
    match = a_match()
    play(match, *AROUND, *AROUND[:3])
    claim = ChessMove("f6g8", DrawWord.CLAIM)
    assert claim in match.legal_moves(1)
    with pytest.raises(RuleBroken, match="cannot be claimed"):
        match.apply(1, ChessMove("e7e5", DrawWord.CLAIM))
    play(match, "f6g8")
    assert ChessMove(draw=DrawWord.CLAIM) in match.legal_moves(0)
    match.apply(0, ChessMove(draw=DrawWord.CLAIM))
    assert match.outcome == Outcome(Termination.THREEFOLD, frozenset(), drawn=True)


def test_five_repetitions_end_the_game() -> None:
    match = a_match()
    play(match, *AROUND * 4)
    assert match.outcome == Outcome(Termination.FIVEFOLD, frozenset(), drawn=True)


def test_fifty_moves_are_claimed_and_seventy_five_end_the_game() -> None:
    rooks = "7k/8/8/8/8/8/R7/K7 w - - 98 80"
    match = a_match(rooks)
    assert not match.view(0).claims
    play(match, "a2b2")
    assert ChessMove("h8g8", DrawWord.CLAIM) in match.legal_moves(1)
    match.apply(1, ChessMove("h8g8", DrawWord.CLAIM))
    assert match.outcome == Outcome(Termination.FIFTY, frozenset(), drawn=True)
    match = a_match("7k/8/8/8/8/8/R7/K7 w - - 149 99")
    play(match, "a2b2")
    assert match.outcome == Outcome(Termination.SEVENTY_FIVE, frozenset(), drawn=True)


def test_a_draw_that_is_offered_stands_until_the_other_side_has_moved() -> None:
    match = a_match()
    match.apply(0, ChessMove("e2e4", DrawWord.OFFER))
    assert ChessMove(draw=DrawWord.ACCEPT) in match.legal_moves(1)
    play(match, "e7e5", "g1f3")
    with pytest.raises(RuleBroken, match="no draw is offered"):
        match.apply(1, ChessMove(draw=DrawWord.ACCEPT))
    match.apply(1, ChessMove("b8c6", DrawWord.OFFER))
    match.apply(0, ChessMove(draw=DrawWord.ACCEPT))
    assert match.outcome == Outcome(Termination.AGREEMENT, frozenset(), drawn=True)


def test_who_gives_up_has_lost() -> None:
    match = a_match()
    match.apply(0, ChessMove(resign=True))
    assert match.outcome == Outcome(Termination.RESIGNED, frozenset({1}))


def test_castling_in_chess960_is_king_takes_rook() -> None:
    match = a_match("4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1", chess960="yes")
    assert "f1b1" in match.view(0).legal
    play(match, "f1b1")
    assert match.view(None).fen.startswith("4k3/8/8/8/8/8/8/2KR2R1 b")


def test_the_first_position_of_chess960_is_chances_or_the_fixtures() -> None:
    options = GAME.choose_options({"chess960": "yes"})
    fens = {GAME.start(Table("g", ("a", "b"), options), random.Random(seed)).view(None).fen for seed in range(9)}
    assert len(fens) > 5
    assert GAME.fixture is not None
    usual = GAME.fixture(Entries({"position": 518}), 2, options)
    assert usual.fen.startswith("rnbqkbnr/pppppppp")


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"fen": "8/8/8/8/8/8/8/8 w - - 0 1"}, "not a position"),
        ({"fen": "nonsense"}, "not a position"),
        ({"moves": ["e2e4", "e2e4"]}, "not legal"),
        ({"moves": ["f2f3", "e7e5", "g2g4", "d8h4"]}, "end the game"),
    ],
)
def test_a_fixture_that_is_no_game_is_refused(values: dict[str, object], why: str) -> None:
    assert GAME.fixture is not None
    with pytest.raises(BadFixture, match=why):
        GAME.fixture(Entries(values), 2, GAME.choose_options({}))


def test_a_variant_has_rules_of_its_own() -> None:
    board = FairyBoard("atomic")
    for move in ("g1f3", "f7f6", "f3e5", "f6e5"):
        assert board.ending() is None
        board.push(move)
    assert board.fen.startswith("rnbqkbnr/ppppp1pp/8/8/8/8/")
    assert VARIANT.choose_options({"variant": "xiangqi"}).word("variant") == "xiangqi"
