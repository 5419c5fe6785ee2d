"""A chess library that drives engines plays two games with a seat of a server, each program a process."""

import random
import sys

import chess
import chess.engine

from tests.end_to_end.conftest import Serves
from tests.end_to_end.processes import Program
from tests.profile import ONLY_DEEP

pytestmark = ONLY_DEEP


def test_python_chess_plays_with_a_seat(serves: Serves) -> None:
    server = serves()
    address = ("--connect", server.address)
    with (
        Program.ugs("master", "chess", *address),
        Program.ugs("bot", "chess", *address, "--nick", "bob", "--bot", "random", "--seed", "1", "--no-state"),
    ):
        server.logs("player logged in")
        command = [sys.executable, "-m", "ugs", "engine", server.address, "--nick", "ann"]
        rng = random.Random(1)
        limit = chess.engine.Limit(time=60)
        with chess.engine.SimpleEngine.popen_uci(command, timeout=300) as engine:
            for game in range(2):
                board = chess.Board()
                first = engine.play(board, limit, game=game).move
                if first is not None:
                    board.push(first)  # the engine's side has White
                while not board.is_game_over() and len(board.move_stack) < 40:
                    board.push(rng.choice(list(board.legal_moves)))
                    if board.is_game_over():
                        break
                    answer = engine.play(board, limit, game=game).move
                    assert answer is not None
                    assert answer in board.legal_moves
                    board.push(answer)
        # The first game was given up when the second one began, the second when the engine was quit.
        assert len(server.logs("game ended", 2)) == 2
