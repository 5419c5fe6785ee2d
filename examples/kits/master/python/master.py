"""A complete game master for the universal game server: Connect Four. What the server wants to hear is in protocol.py.

    python3 master.py HOST PORT [ID]

It leads any number of games at a time (game type connect-four) and draws them, so that people play them on the page of
the server and watch replays there, although the server knows nothing of the game. Put your own game in place of it.
"""

from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

import protocol

GAME_TYPE = "connect-four"
COLUMNS = 7
ROWS = 6
LOOKS = ('colour="red" shape="disc"', 'colour="yellow" shape="diamond"')

Cell = tuple[int, int]
"""Column and row, with row 0 at the top."""


def named(cell: Cell) -> str:
    """What a cell is called in states and sketches."""
    return f"{cell[0]},{cell[1]}"


class ConnectFour:
    """One game; there is a new object for each."""

    def __init__(self, nicks: list[str]) -> None:
        """Begin a game of these two, the first of whom moves first."""
        self.nicks = nicks
        self.turn = 0  # the seat that is to move
        self.discs: dict[Cell, int] = {}  # which seat dropped the disc there
        self.last: Cell | None = None
        self.line: tuple[Cell, Cell] | None = None  # the two ends of four in a row

    def play(self, move: Element) -> str:
        """Play the move in a `<move>` for the seat that is to move; what is wrong with it, or nothing."""
        drop = move.find("drop")
        column = drop.get("column", "") if drop is not None else ""
        if column not in map(str, self.open()):
            return f"column '{column}' is full, or there is none"
        cell = (int(column), self.free(int(column)))
        self.discs[cell] = self.turn
        self.last, self.line = cell, self.four(cell)
        self.turn = 1 - self.turn
        return ""

    def results(self) -> dict[str, str] | None:
        """The result of each player once the game is over. Equal results are a draw."""
        if self.line:
            return {self.nicks[self.turn]: "loser", self.nicks[1 - self.turn]: "winner"}
        return None if self.open() else dict.fromkeys(self.nicks, "winner")

    def state(self) -> str:
        """What every player reads: all discs."""
        discs = (f'<disc at="{named(cell)}" seat="{seat}"/>' for cell, seat in self.discs.items())
        return f"<gameState>{''.join(discs)}</gameState>"

    def sketch(self) -> str:
        """What people see: the words for that are in schemas/README.md, under "sketch"."""
        parts = [f'<grid columns="{COLUMNS}" rows="{ROWS}" numbers="yes"/>']
        parts += [f"<seat nick={quoteattr(nick)} {look}/>" for nick, look in zip(self.nicks, LOOKS, strict=True)]
        for seat, look in enumerate(LOOKS):
            own = [named(cell) for cell, whose in self.discs.items() if whose == seat]
            parts += [f'<pieces at="{" ".join(own)}" {look}/>'] if own else []
        if self.line:
            begin, end = self.line
            parts.append(f'<line from="{named(begin)}" to="{named(end)}" colour="green"/>')
        if self.last:
            news = f"{self.nicks[self.discs[self.last]]} drops into column {self.last[0]}"
            parts.append(f'<mark at="{named(self.last)}"/><news>{escape(news)}</news>')
        for column in () if self.results() else self.open():
            cells = " ".join(named((column, row)) for row in range(ROWS))  # a click anywhere in the column
            move = f'<move><drop column="{column}"/></move>'
            parts.append(f'<offer label="column {column}" at="{cells}">{move}</offer>')
        return f"<sketch>{''.join(parts)}</sketch>"

    def open(self) -> list[int]:
        """The columns that are not full."""
        return [column for column in range(COLUMNS) if (column, 0) not in self.discs]

    def free(self, column: int) -> int:
        """The row that a disc falls to."""
        return max(row for row in range(ROWS) if (column, row) not in self.discs)

    def four(self, cell: Cell) -> tuple[Cell, Cell] | None:
        """The ends of four in a row through this cell."""
        for right, down in ((1, 0), (0, 1), (1, 1), (1, -1)):
            begin, end = self.reach(cell, -right, -down), self.reach(cell, right, down)
            if max(abs(end[0] - begin[0]), abs(end[1] - begin[1])) >= 3:
                return begin, end
        return None

    def reach(self, cell: Cell, right: int, down: int) -> Cell:
        """The last cell in this direction with a disc of the same seat."""
        following = (cell[0] + right, cell[1] + down)
        same = self.discs.get(following) == self.discs[cell]
        return self.reach(following, right, down) if same else cell


if __name__ == "__main__":
    raise SystemExit(protocol.run(ConnectFour, GAME_TYPE, "four-in-a-row"))
