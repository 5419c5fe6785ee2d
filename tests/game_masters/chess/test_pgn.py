"""Opening books."""

from pathlib import Path

import pytest

from game_masters.chess import GAME
from game_masters.chess.pgn import read_epd, read_pgn
from game_masters.kit.rules import Entries
from ugs.match.match_settings import WrongMatch
from ugs.match.openings import Opening, read_openings

EPD = """# a book
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id "open game";

rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -
"""
PGN = """[Event "?"]
[ECO "C20"]

1. e4 e5 *

[SetUp "1"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"]

1. e4 {a comment} (1. e3 Kd7) Ke7 *
"""


def test_an_epd_file_is_a_book_of_positions(tmp_path: Path) -> None:
    (tmp_path / "book.epd").write_text(EPD, encoding="utf-8")
    first, second = read_openings(tmp_path / "book.epd")
    assert first == Opening("open game", {"fen": "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"})
    assert second.name == "4"
    assert GAME.fixture is not None
    assert GAME.fixture(Entries(second.values), 2, GAME.choose_options({})).moves == ()


def test_a_pgn_file_is_a_book_of_first_moves(tmp_path: Path) -> None:
    (tmp_path / "book.PGN").write_text(PGN, encoding="utf-8")
    ends = {"fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "moves": ["e2e4", "e8e7"]}
    assert read_openings(tmp_path / "book.PGN") == [Opening("C20", {"moves": ["e2e4", "e7e5"]}), Opening("2", ends)]


def test_what_is_wrong_in_a_book_is_named(tmp_path: Path) -> None:
    (tmp_path / "book.epd").write_text("4k3/8/8 w - -", encoding="utf-8")
    with pytest.raises(WrongMatch, match=r"book\.epd: line 1"):
        read_openings(tmp_path / "book.epd")
    with pytest.raises(ValueError, match="game 1: illegal san"):
        list(read_pgn("1. e4 Ke5 *"))
    assert list(read_epd("\n")) == []
