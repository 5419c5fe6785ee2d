"""How a game begins from a fixture: with stones on the board, after moves, or both.

```toml
black = ["D4", "F4"]       # stones before the first move; where only Black has some, White begins
white = []
moves = ["E5", "pass"]     # made before the players are asked
turn = "black"
```
"""

import random

from game_masters.go.rules import COLOURS, Beginning, GoBoard, Match, point_of
from game_masters.kit.rules import Entries, Options, RuleBroken, Table


def read(entries: Entries, seats: int, options: Options) -> Beginning | None:
    """Return how the game begins; None: with an empty board. Raises BadFixture."""
    lists = {key: entries.words(key) if entries.asks(key) else () for key in ("black", "white", "moves")}
    turn = COLOURS.index(entries.word("turn", COLOURS)) if entries.asks("turn") else None
    if not any(lists.values()) and turn is None:
        return None
    size = int(options.word("size"))
    board = GoBoard(size)
    for seat, key in enumerate(COLOURS):
        for vertex in lists[key]:
            try:
                point = point_of(vertex, size)
            except RuleBroken as error:
                entries.refuse(key, f"have a point that is none: {error}")
            if board.stones[point] in (0, 1):
                entries.refuse(key, f"have {vertex}, where a stone lies already")
            board.put(point, seat)
    # Only now: stones that were put later may have taken a last liberty.
    for key in COLOURS:
        if any(not board.breathes(point_of(vertex, size)) for vertex in lists[key]):
            entries.refuse(key, "have stones without a liberty")
    beginning = Beginning((lists["black"], lists["white"]), lists["moves"], turn)
    try:
        match = Match(Table("fixture", ("black", "white"), options, fixture=beginning), random.Random(0))
    except RuleBroken as error:
        entries.refuse("moves", f"are not legal: {error}")
    if match.outcome is not None:
        entries.refuse("moves", "end the game before it begins")
    return beginning
