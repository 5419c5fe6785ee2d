"""Below the map: how the players stand, who is asked what, and choices that have no place on the map."""

from collections.abc import Sequence
from typing import Final

from game_masters.titan.pictures.masterboard import PAINTS, WIDTH
from game_masters.titan.views import View
from ugs.pictures.svg import Svg

_ROW: Final = 19.0
_BUTTON: Final = 26.0


def height(view: View) -> float:
    """Return the height of the panel."""
    return _ROW * (len(view.status.scores) + 1) + _BUTTON + 14


def draw(drawn: Svg, view: View, names: Sequence[str], standing: str, top: float, others: Sequence[int]) -> None:
    """Draw the panel. ``others`` are the numbers of the offers that have no place on the map."""
    drawn.text(10, top + 14, standing, 11.5, most=72, font_weight="600")
    for seat, score in enumerate(view.status.scores):
        y = top + _ROW * (seat + 1)
        players = view.position.players
        paint, _ = PAINTS.get(players[seat].color, ("white", "black")) if players else ("white", "black")
        out = bool(players) and not players[seat].alive
        drawn.rect(10, y + 4, 11, 11, round=2, fill=paint, stroke="ink", stroke_width=0.8)
        drawn.text(27, y + 14, names[seat], 12, most=22, fill="faint" if out else "ink")
        told = f"{score.points} points, Titan {score.titan_power}, {score.legions} legions, {score.creatures} creatures"
        drawn.text(WIDTH - 10, y + 14, "out" if out else told, 10.5, anchor="end", fill="faint")
    if others:
        y = top + _ROW * (len(view.status.scores) + 1) + 4
        drawn.open(offers=others)
        drawn.rect(10, y, WIDTH - 20, _BUTTON - 4, round=6, fill="field", stroke="mark", stroke_width=1.4)
        what = "choice" if len(others) == 1 else "choices"
        drawn.text(
            WIDTH / 2, y + 15, f"{len(others)} {what} without a place on the map", 11.5, anchor="middle", fill="mark"
        )
        drawn.close()
