"""Five in line on a board of 20 x 20, game type ``5-in-line-tic-tac-toe``.

rules.py     board, moves, and when a row wins
notation.py  moves and views as XML
fixture.py   stones that are on the board from the beginning
bots.py      computer players
puzzles.toml positions to solve
pictures.py  the board as SVG, on the terminal and in words
encoding.py  moves and views as numbers, for learners
"""

from pathlib import Path

from game_masters.kit.puzzle_book import PuzzleBook
from game_masters.kit.rules import Game, Players
from game_masters.tic_tac_toe import fixture, notation, pictures
from game_masters.tic_tac_toe.bots import BOTS
from game_masters.tic_tac_toe.rules import OPTIONS, Cell, Position, View, check_options
from ugs.wire.schema_files import schemas_directory

GAME: Game[Cell, View] = Game(
    name="tic-tac-toe",
    game_type="5-in-line-tic-tac-toe",
    title="Five in a row",
    also_called=("gomoku", "gobang", "renju", "five in line"),
    summary="put stones on a board by turns; five or more of your own in a row win",
    players=Players(2, 2),
    start=Position,
    notation=notation,
    schema=schemas_directory() / "games" / "tic-tac-toe.xsd",
    bots=BOTS,
    pictures=pictures.follow,
    options=OPTIONS,
    check_options=check_options,
    fixture=fixture.read,
    puzzles=PuzzleBook(Path(__file__).parent / "puzzles.toml"),
)
