"""Finished games of chess as PGN files, written and read again."""

import io
import random
from dataclasses import replace

import chess.pgn
import pytest

from game_masters.chess import GAME, notation
from game_masters.chess.pgn_files import PGN, read
from game_masters.chess.rules import Beginning, ChessMove, DrawWord
from game_masters.kit.rules import Table
from ugs.game_files import GameFileError, WrittenGame, WrittenMove, WrittenRemark
from ugs.record.written_games import record_of, written_game

BEGAN_US = 1_903_896_000_000_000
"""2030-05-01 20:00."""
FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")


def a_game(*moves: ChessMove, outcomes: tuple[str, ...] = ("lost", "won"), chess960: bool = False) -> WrittenGame:
    """As a server records it: states hold what is new, players take some time and remark something."""
    fen = "4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1" if chess960 else None
    options = GAME.choose_options({"chess960": "yes" if chess960 else "no"})
    match = GAME.start(Table("g", ("ann", "bob"), options, fixture=Beginning(fen)), random.Random(0))
    played, shown = list[WrittenMove](), 0
    for number, move in enumerate(moves):
        (seat,) = match.movers
        state = notation.write_view(match.view(None, shown))
        shown = len(match.record)
        match.apply(seat, move)
        remark = WrittenRemark(0.35, "depth 9") if number == 0 else None
        remark = WrittenRemark(100.0, "depth 5, mate in 1") if number == 3 else remark
        played.append(WrittenMove(seat, state, notation.write_move(move), 1.5 + number, remark))
    return WrittenGame(
        game_id="Zr7kQ2mXw9",
        game_type="chess",
        seats=("ann", "bob"),
        moves=tuple(played),
        last=notation.write_view(match.view(None, shown)),
        outcomes=outcomes,
        ended_by="finished",
        options={"chess960": "yes"} if chess960 else {},
        began_us=BEGAN_US,
    )


def test_times_and_values_are_in_the_file() -> None:
    text = PGN.write(a_game(*map(ChessMove, FOOLS_MATE))).decode()
    assert '[UTCDate "2030.05.01"]' in text
    assert '[Termination "normal"]' in text
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert (game.headers["White"], game.headers["Result"], game.headers["UgsGame"]) == ("ann", "0-1", "Zr7kQ2mXw9")
    nodes = list(game.mainline())
    assert [node.emt() for node in nodes] == [1.5, 2.5, 3.5, 4.5]
    first, last = nodes[0].eval(), nodes[3].eval()
    assert (first is not None, last is not None) == (True, True)
    assert "[%eval 0.35,9]" in text
    assert "[%eval #-1,5]" in text, "black mates"


@pytest.mark.parametrize(
    "game",
    [
        a_game(*map(ChessMove, FOOLS_MATE)),
        a_game(ChessMove("f1b1"), ChessMove("e8e7"), ChessMove("d1d2"), outcomes=("won", "lost"), chess960=True),
        a_game(ChessMove("e2e4"), outcomes=("drawn", "drawn")),
    ],
)
def test_a_file_is_read_as_the_game_that_was_written(game: WrittenGame) -> None:
    (read_again,) = read(PGN.write(game).splitlines(keepends=True))
    assert read_again.moves == game.moves
    assert (read_again.seats, read_again.outcomes, read_again.game_id) == (game.seats, game.outcomes, game.game_id)
    assert read_again.began_us == BEGAN_US
    reads = GAME.notation.follow(GAME.choose_options(dict(game.options)))
    views = [reads(payload) for payload in (*(move.state for move in read_again.moves), read_again.last)]
    assert views[-1].legal == ()
    assert written_game(record_of(read_again)).moves == read_again.moves


def test_a_draw_that_is_claimed_is_no_move_of_the_file() -> None:
    there_and_back = [ChessMove(move) for move in ("g1f3", "g8f6", "f3g1", "f6g8") * 2]
    game = a_game(*there_and_back, ChessMove(draw=DrawWord.CLAIM), outcomes=("drawn", "drawn"))
    assert PGN.write(game).decode().rstrip().endswith("1/2-1/2")
    (read_again,) = read(PGN.write(game).splitlines(keepends=True))
    assert read_again.moves == game.moves[:-1]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[White "a"]\n\n1. e4 *\n', "game 1: result '\\*'; only games that have ended"),
        ('[Result "1-0"]\n\n1. e4 Ke5 1-0\n', "game 1: illegal san"),
        ('[Result "1-0"]\n\n1. f3 e5 2. g4 Qh4# 1-0\n', "checkmate, and the result is another one"),
        ('[Result "1-0"]\n\n1. e4 1-0\n\n[FEN "4k3/8/8 w - -"]\n[Result "1-0"]\n\n1. e4 1-0\n', "game 2"),
        ('[Variant "Atomic"]\n[Result "1-0"]\n\n1. e4 1-0\n', "a game of atomic, not of chess"),
        (f'[Result "1-0"]\n\n{{{"x" * 1_100_000}}} 1. e4 1-0\n', "longer than 1048576 bytes"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, why: str) -> None:
    with pytest.raises(GameFileError, match=why):
        list(read(text.encode().splitlines(keepends=True)))


def test_games_of_others_need_no_more_than_moves_and_a_result() -> None:
    text = (
        '\ufeff[Event "?"]\n[Date "2024.??.??"]\n[White "?"]\n[Black "?"]\n[Result "1-0"]\n\n1. e4 {good} (1. d4) 1-0\n'
    )
    first, second = read((text + "\n" + text.removeprefix("\ufeff")).encode().splitlines(keepends=True))
    assert first == second
    assert first.seats == ("White", "Black")
    assert record_of(first).game_id == record_of(second).game_id != record_of(replace(first, seats=("a", "b"))).game_id


def test_a_game_that_goes_on_after_its_end_is_refused_with_the_reason() -> None:
    text = b'[Result "1-0"]\n\n' + b"Nf3 Nf6 Ng1 Ng8 " * 9 + b"1-0\n"
    with pytest.raises(GameFileError, match="it goes on after its end by fivefold repetition: move g1f3"):
        list(read(text.splitlines(keepends=True)))
