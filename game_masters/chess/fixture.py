"""How a game begins from a fixture: from a position, after an opening, or both.

```toml
fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"    # else the usual position
moves = ["e2e4", "e7e5"]                                             # made before the players are asked
position = 518                                                       # with chess960: the number of the position
```

Seat 0 is White, and begins only where White is to move.
"""

import chess

from game_masters.chess.boards import BadPosition
from game_masters.chess.rules import POSITIONS, Beginning, board_of, variant_of
from game_masters.kit.rules import Entries, Options

MAX_MOVES = 400
WORDS = ("fen",)
"""What may also stand on the command line: ``ugs master chess --option fen=...``."""


def read(entries: Entries, seats: int, options: Options) -> Beginning | None:
    """Return how the game begins; None: as usual. Raises BadFixture."""
    variant = variant_of(options)
    chess960 = variant == "chess960"
    fen = entries.text("fen") if entries.asks("fen") else None
    if chess960 and entries.asks("position"):
        if fen is not None:
            entries.refuse("position", "stands beside a fen; allowed is one of both")
        fen = chess.Board.from_chess960_pos(entries.integer("position", range(POSITIONS))).fen()
    moves = entries.words("moves") if entries.asks("moves") else ()
    if fen is None and not moves:
        return None
    if chess960 and fen is None:
        entries.refuse("moves", "stand without a position, and that of Chess960 is shuffled; give fen or position")
    key = "fen" if "fen" in entries else "moves"
    if len(moves) > MAX_MOVES:
        entries.refuse("moves", f"are more than {MAX_MOVES}")
    try:
        board = board_of(variant, fen)
    except BadPosition as error:
        entries.refuse(key, f"is not a position: {error}")
    for move in moves:
        if board.ending() is not None or move not in board.legal():
            entries.refuse("moves", f"have {move[:10]!r}, which is not legal after {board.fen}")
        board.push(move)
    if board.ending() is not None:
        entries.refuse("moves" if moves else key, "end the game before it begins")
    return Beginning(fen, moves)
