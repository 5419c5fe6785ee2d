"""How a game begins from a fixture: with stones on the board, in the order of placement.

```toml
players = 2
stones = ["9,9", "10,9", "9,10"]    # column and row, from 0; the first seat has put the first, third, … stone
```
"""

from game_masters.kit.rules import Entries, Options
from game_masters.tic_tac_toe.rules import DIRECTIONS, Cell

MAX_STONES = 400
"""Each state shows all of them, so more would make each move of a game dear."""


def read(entries: Entries, seats: int, options: Options) -> tuple[Cell, ...]:
    """Return the stones; none: the board is empty. Raises BadFixture."""
    width, height, row = (options.integer(name) for name in ("width", "height", "row"))
    if not entries.asks("stones"):
        return ()
    stones = tuple(_cell(entries, text, width, height) for text in entries.words("stones"))
    if len(set(stones)) < len(stones):
        entries.refuse("stones", "name a field twice")
    # One field at least stays free: on a full board the game would be over.
    most = min(MAX_STONES, width * height - 1)
    if not 2 <= len(stones) <= most:
        entries.refuse("stones", f"are not 2 to {most}")
    for side in (set(stones[::2]), set(stones[1::2])):
        if any(
            all(Cell(cell.x + step * dx, cell.y + step * dy) in side for step in range(row))
            for cell in side
            for dx, dy in DIRECTIONS
        ):
            entries.refuse("stones", f"have {row} in a row: the game would be over")
    return stones


def _cell(entries: Entries, text: str, width: int, height: int) -> Cell:
    x, _, y = text.partition(",")
    if not (x.isascii() and x.isdigit() and y.isascii() and y.isdigit() and len(text) < 8):
        entries.refuse("stones", f"have {text[:20]!r}: a field is written like 3,4")
    cell = Cell(int(x), int(y))
    if not (cell.x < width and cell.y < height):
        entries.refuse("stones", f"have {text}, which is outside the board of {width} x {height}")
    return cell
