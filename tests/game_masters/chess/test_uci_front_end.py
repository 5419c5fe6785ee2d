"""A chess interface plays with a seat of a server, to which we are an engine."""

import chess
import pytest

from game_masters.chess import GAME
from game_masters.chess.rules import ChessMove, DrawWord, View
from game_masters.chess.uci_front_end import NO_MOVE, UciDialogue, last_word

USUAL = GAME.choose_options({})
START = "position startpos moves"


def a_view(*moves: str, start: str = chess.STARTING_FEN, claim: bool = False, offered: bool = False) -> View:
    board = chess.Board(start)
    for move in moves:
        board.push_uci(move)
    legal = tuple(sorted(move.uci() for move in board.legal_moves))
    return View(start, moves, board.fen(), legal, claim=claim, offered=offered)


def with_white() -> UciDialogue:
    """An interface whose player has White on the server and has made its first move."""
    dialogue = UciDialogue(USUAL)
    receives(dialogue, "uci", "isready", "ucinewgame", f"{START} e2e4", "go wtime 1000 btime 1000")
    assert dialogue.wants_game
    dialogue.joins()
    dialogue.shown(a_view())
    assert dialogue.asks(a_view()) == []
    assert dialogue.move == ChessMove("e2e4")
    dialogue.has_moved()
    return dialogue


def receives(dialogue: UciDialogue, *lines: str) -> list[str]:
    return [said for line in lines for said in dialogue.receives(line)]


def turn(dialogue: UciDialogue, *moves: str, offered: bool = False) -> list[str]:
    """The server shows a position, and waits for a move."""
    view = a_view(*moves, offered=offered)
    return [*dialogue.shown(view), *dialogue.asks(view)]


def leaves(dialogue: UciDialogue) -> bool:
    return dialogue.leaves


def test_its_moves_go_to_the_server_and_the_opponents_come_back() -> None:
    dialogue = with_white()
    assert dialogue.shown(a_view("e2e4")) == []
    assert turn(dialogue, "e2e4", "e7e5") == ["bestmove e7e5"]
    assert receives(dialogue, f"{START} e2e4 e7e5 g1f3", "go infinite") == []
    assert dialogue.move == ChessMove("g1f3")


def test_with_black_on_the_server_the_engine_moves_first() -> None:
    dialogue = UciDialogue(USUAL)
    assert receives(dialogue, "position startpos", "go movetime 5") == []
    dialogue.joins()
    dialogue.shown(a_view())
    assert turn(dialogue, "d2d4") == ["bestmove d2d4"]


def test_sides_that_do_not_fit_are_named() -> None:
    dialogue = UciDialogue(USUAL)
    receives(dialogue, "position startpos", "go")
    dialogue.joins()
    assert turn(dialogue) == ["info string on the server you have white: let the engine play black", NO_MOVE]
    receives(dialogue, f"{START} d2d4", "go")
    assert dialogue.move == ChessMove("d2d4")


@pytest.mark.parametrize(
    ("position", "why"),
    [
        (f"{START} e2e4", "bestmove e7e5"),
        (f"{START} d2d4", "nothing is taken back"),
        ("position startpos", "nothing is taken back"),
        (f"{START} e2e4 e7e5 g1f3 b8c6 f1b5", "nothing is taken back"),
        (f"{START} e2e4 e7e5 e1e3", "e1e3 is not legal on the server"),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1", "began elsewhere"),
        ("position fen nonsense", "began elsewhere"),
    ],
)
def test_positions_that_are_not_the_servers_are_refused(position: str, why: str) -> None:
    dialogue = with_white()
    turn(dialogue, "e2e4", "e7e5")
    said = receives(dialogue, position, "go")
    assert why in said[0]
    assert said[-1] in (NO_MOVE, "bestmove e7e5")
    assert dialogue.move is None


def test_a_game_that_began_elsewhere_is_set_up_in_the_interface() -> None:
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    dialogue = UciDialogue(USUAL)
    receives(dialogue, f"position fen {fen} moves e2e4", "go")
    dialogue.joins()
    dialogue.asks(a_view("e1d1", "e8d8", "d1e1", "d8e8", start=fen))
    assert dialogue.move is None
    assert receives(dialogue, "position fen 3k4/8/8/8/8/8/4P3/4K3 w - - 4 3 moves e1f1", "go") != []
    dialogue.asks(a_view(start=fen))
    receives(dialogue, f"position fen {fen} moves e2e4", "go")
    assert dialogue.move == ChessMove("e2e4")


def test_the_end_of_a_game_is_said_and_the_next_one_is_wanted() -> None:
    dialogue = with_white()
    assert dialogue.ends("won") == [
        "info string game over: won",
        "info string the game on the server is over: won",
        NO_MOVE,
    ]
    assert dialogue.gone() == []
    assert not dialogue.wants_game
    receives(dialogue, "ucinewgame", "position startpos", "go")
    assert dialogue.wants_game


def test_the_opponents_last_move_is_said_when_the_game_is_over() -> None:
    dialogue = UciDialogue(USUAL)
    receives(dialogue, f"{START} f2f3", "go")
    dialogue.joins()
    dialogue.asks(a_view("f2f3", "e7e5"))
    receives(dialogue, f"{START} f2f3 e7e5 g2g4", "go")
    dialogue.has_moved()
    dialogue.shown(a_view("f2f3", "e7e5", "g2g4", "d8h4"))
    assert dialogue.ends("lost") == ["info string game over: lost", "bestmove d8h4"]


def test_draws_and_giving_up_are_buttons() -> None:
    dialogue = with_white()
    assert receives(dialogue, "setoption name Resign") == ["info string you can give up when it is your turn"]
    said = turn(dialogue, "e2e4", "e7e5", offered=True)
    assert said == ["info string the opponent offers a draw: press Accept draw, or play on", "bestmove e7e5"]
    assert receives(dialogue, "setoption name Claim draw") == ["info string a draw cannot be claimed now"]
    receives(dialogue, "setoption name Offer draw", f"{START} e2e4 e7e5 g1f3", "go")
    assert dialogue.move == ChessMove("g1f3", DrawWord.OFFER)
    turn(dialogue, "e2e4", "e7e5", offered=True)
    receives(dialogue, "setoption name Accept draw")
    assert dialogue.move == ChessMove(draw=DrawWord.ACCEPT)
    turn(dialogue, "e2e4", "e7e5")
    receives(dialogue, "setoption name Resign")
    assert dialogue.move == ChessMove(resign=True)


MATE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
STALEMATE = "k7/2K5/8/2Q5/8/8/8/8 w - - 0 1"


def test_when_it_leaves_the_best_end_is_played() -> None:
    assert last_word(a_view(start=MATE)) == ChessMove("a1a8")
    assert last_word(a_view()) == ChessMove(resign=True)
    assert last_word(a_view(claim=True)) == ChessMove(draw=DrawWord.CLAIM)
    assert last_word(a_view(offered=True)) == ChessMove(draw=DrawWord.ACCEPT)
    bare = "8/8/8/8/8/1k6/1p6/1K6 w - - 0 1"  # the king takes the last pawn, or there is none to move
    assert last_word(a_view(start="8/8/8/3k4/8/8/1p6/1K6 w - - 0 1")) == ChessMove("b1b2")
    assert last_word(a_view(start=bare)) == ChessMove(resign=True)
    dialogue = with_white()
    assert not leaves(dialogue)
    receives(dialogue, "quit")
    assert leaves(dialogue), "the opponent is to move: the seat is left"
    dialogue = with_white()
    turn(dialogue, "e2e4", "e7e5")
    assert receives(dialogue, "quit") == ["info string the interface has quit: resigns on the server"]
    assert not leaves(dialogue)
    dialogue.ends("lost")
    assert leaves(dialogue)


def test_another_game_gives_up_the_one_that_runs() -> None:
    dialogue = with_white()
    dialogue.shown(a_view("e2e4", "e7e5"))
    receives(dialogue, "ucinewgame", "position startpos", "go")
    assert not dialogue.wants_game
    dialogue.asks(a_view("e2e4", "e7e5"))
    assert dialogue.move == ChessMove(resign=True)
    dialogue.ends("lost")
    assert dialogue.gone() == []
    assert dialogue.wants_game


def test_what_uci_has_besides() -> None:
    dialogue = UciDialogue(GAME.choose_options({"chess960": "yes"}))
    said = receives(dialogue, "uci", "isready", "", "nonsense", "debug on")
    assert "option name UCI_Chess960 type check default true" in said
    assert said[-2:] == ["uciok", "readyok"]
    other = UciDialogue(USUAL)
    assert "no Chess960" in receives(other, "setoption name UCI_Chess960 value true")[0]
    assert "the game on the server is chess" in receives(other, "setoption name UCI_Variant value atomic")[0]
    assert receives(other, "setoption name UCI_AnalyseMode value true", f"{START} e2e4", "go infinite")[-1] == NO_MOVE
    assert not other.wants_game
    assert receives(other, "setoption name UCI_AnalyseMode value false", "go")[-1:] == []
    assert "has not moved yet" in receives(other, "stop")[0]
    other.joins()
    assert other.has_clock(5.0, 6.25) == []
    assert turn(other, "e2e4", "e7e5") == ["info string clocks on the server: you 5.0 s, opponent 6.2 s"]


def test_what_is_reported_stays_in_one_line() -> None:
    assert UciDialogue(USUAL).remarks("lost\r\nbestmove e2e4") == ["info string lost bestmove e2e4"]
