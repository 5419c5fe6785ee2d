"""Positions and openings from EPD and PGN: files that ``ugs match --openings`` takes."""

import io
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final

import chess
import chess.pgn

MAX_PLIES: Final = 24
"""Half moves of a game in a PGN that are its opening; books have fewer, whole games more."""


def read_epd(text: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the positions of an EPD file, one a line, with their names (``id``) and the keys of a fixture for them.
    Raises ValueError, which names the line."""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        board = chess.Board()
        try:
            operations = board.set_epd(line)
        except ValueError as error:
            raise ValueError(f"line {number}: {error}") from error
        yield str(operations.get("id", number)), {"fen": board.fen()}


def read_pgn(text: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the openings of a PGN file: the first moves of each game, with a name for people. Raises ValueError for a
    move that is not legal."""
    file, number = io.StringIO(text), 0
    while (game := chess.pgn.read_game(file)) is not None:
        number += 1
        if game.errors:
            raise ValueError(f"game {number}: {game.errors[0]}")
        board = game.board()
        moves = list(islice(game.mainline_moves(), MAX_PLIES))
        values: dict[str, Any] = {"moves": [move.uci() for move in moves]}
        if board.fen() != chess.STARTING_FEN:
            values["fen"] = board.fen()
        names = (game.headers.get(key, "") for key in ("Opening", "ECO", "Event"))
        yield next((name for name in names if name.strip("?")), str(number)), values
