"""The picture on a terminal: the board where there is room for it, the battle, and the legions of each player."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from game_masters.titan.battlelands import ATTACKER, DEFENDER, HEXES, PLAIN, column_row
from game_masters.titan.creatures import UNKNOWN
from game_masters.titan.lands import LANDS
from game_masters.titan.position import Battle, Position
from game_masters.titan.views import View
from ugs.pictures.contract import Line, Span
from ugs.pictures.lettering import cut_line, padded, wrapped
from ugs.printable import safe

STYLES: Final = {
    "Black": "bold", "Blue": "blue", "Brown": "magenta", "Gold": "yellow", "Green": "green", "Red": "red",
}  # fmt: skip
_COLUMNS: Final = 15
_CELL: Final = 5
BOARD: Final = _COLUMNS * _CELL
"""Columns of the masterboard."""
_STEP: Final = 6
"""Columns from one column of hexes to the next one, which stands half a hex lower or higher, on lines of its own."""
_HEX: Final = 10
"""Columns of what is written of a hex."""
_SIDES: Final = {ATTACKER: "a", DEFENDER: "d"}


def write(view: View, names: Sequence[str], standing: str, width: int, fell: Mapping[str, str]) -> Sequence[Line]:
    """Return the lines. ``fell``: how players have left the game, by name."""
    return [cut_line(line, width) for line in _lines(view, names, standing, width, fell)]


def _lines(view: View, names: Sequence[str], standing: str, width: int, fell: Mapping[str, str]) -> Iterator[Line]:
    position = view.position
    yield from ((Span(line, "bold"),) for line in wrapped(standing, width))
    if view.nak is not None:
        yield from ((Span(line, "red"),) for line in wrapped(f"refused: {view.nak.reason[:300]}", width))
    if position.battle is not None:
        yield from _battle(position, position.battle)
    elif position.players and width >= BOARD:
        yield from _board(position)
    for seat, score in enumerate(view.status.scores):
        style = STYLES.get(position.players[seat].color, "") if position.players else ""
        out = bool(position.players) and not position.players[seat].alive
        words = safe(fell.get(score.player, "out")) if out else f"{score.points} points, Titan {score.titan_power}"
        yield (Span(names[seat], f"bold {style}".strip()), Span(f"  {words}"))
        if position.players:
            for legion in position.legions_of(seat):
                where = f"{legion.hex} {LANDS[legion.hex].terrain}"
                inside = " ".join("?" if one == UNKNOWN else one for one in legion.creatures)
                moved = "*" if legion.moved else " "
                yield (Span(f" {legion.marker}{moved}", style), Span(f"{padded(where, 15)}{legion.height} {inside}"))


def _board(position: Position) -> Iterator[Line]:
    """The lands, row by row: the marker of a legion, else the number of the land."""
    rows: dict[int, dict[int, Span]] = {}
    for label, land in LANDS.items():
        here = position.in_land(label)
        if here:
            style = STYLES.get(position.players[here[0].seat].color, "")
            # Legions of two players: an engagement is due.
            mark = here[0].marker if len({legion.seat for legion in here}) == 1 else f"{here[0].marker[:2]}!"
            span = Span(padded(mark + ("+" if len(here) > 1 else ""), _CELL), f"reverse {style}".strip())
        else:
            span = Span(padded(label, _CELL), "dim")
        rows.setdefault(land.row, {})[land.column] = span
    for row in sorted(rows):
        yield tuple(rows[row].get(column, Span(" " * _CELL)) for column in range(_COLUMNS))


def _battle(position: Position, battle: Battle) -> Iterator[Line]:
    """The map: the creature on a hex, with its side and hits, else what is there."""
    engagement = position.engagement
    assert engagement is not None
    cells: dict[tuple[int, int], Span] = {}
    for hex in HEXES:
        column, row = column_row(hex)
        fighter = battle.at(hex)
        line = 2 * row + column % 2
        if fighter is None:
            ground = battle.land.ground(hex)
            surface = "" if ground.surface == PLAIN else ground.surface[:5]
            height = f"+{ground.elevation}" if ground.elevation else ""
            cells[line, column] = Span(padded(f"{hex} {surface}{height}", _HEX), "dim")
            continue
        style = STYLES.get(position.players[engagement.seats[fighter.side]].color, "")
        hurt = str(fighter.hits) if position.alive(fighter) else "x"
        words = f"{_SIDES[fighter.side]} {fighter.creature[:5]} {hurt}"
        cells[line, column] = Span(padded(words, _HEX), f"reverse {style}".strip())
    for line in range(13):
        yield _spread({column: span for (at, column), span in cells.items() if at == line})
    for side, letter in _SIDES.items():
        waiting = ", ".join(fighter.creature for fighter in battle.off_board(side))
        yield (Span(f"{letter} = {side} {engagement.marker(side)}{f'; off the board: {waiting}' if waiting else ''}"),)
    yield (Span("behind a creature: its hits, x if it is dead"),)


def _spread(cells: Mapping[int, Span]) -> Line:
    """Return one line of the map: the cells of some columns, with blanks between."""
    spans: list[Span] = []
    end = 0
    for column in sorted(cells):
        spans += [Span(" " * (_STEP * column - end)), cells[column]]
        end = _STEP * column + _HEX
    return tuple(spans)
