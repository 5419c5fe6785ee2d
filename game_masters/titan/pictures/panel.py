"""Below the map: how the players stand, who is asked what, and choices that have no place on the map."""

from collections.abc import Mapping, Sequence
from typing import Final

from game_masters.titan.pictures.masterboard import PAINTS, WIDTH
from game_masters.titan.views import View
from ugs.pictures.svg import Svg

_ROW: Final = 19.0
_BUTTON: Final = 26.0
_BUTTONS: Final = 3
"""Choices that have a button each; more have one together."""


def height(view: View, others: Sequence[tuple[int, str]]) -> float:
    """Return the height of the panel."""
    return _ROW * (len(view.status.scores) + 1) + (_BUTTON if others else 0) + 10


def draw(
    drawn: Svg, view: View, names: Sequence[str], standing: str, top: float, others: Sequence[tuple[int, str]],
    fell: Mapping[str, str],
) -> None:  # fmt: skip
    """Draw the panel. ``others`` are the offers that have no place on the map, by number and label, ``fell`` is how
    players have left the game."""
    drawn.text(10, top + 14, standing, 11.5, most=72, font_weight="600")
    for seat, score in enumerate(view.status.scores):
        players = view.position.players
        paint, _ = PAINTS.get(players[seat].color, ("white", "black")) if players else ("white", "black")
        gone = fell.get(score.player, "out") if players and not players[seat].alive else ""
        words = (
            f"{score.points} points, Titan {score.titan_power}, {_counted(score.legions, 'legion')}, "
            f"{_counted(score.creatures, 'creature')}"
        )
        drawn.piece(_draw_row, top + _ROW * (seat + 1), paint, names[seat], gone or words, bool(gone))
    buttons = [([number], label) for number, label in others]
    if len(others) > _BUTTONS:
        buttons = [([number for number, _ in others], f"{len(others)} choices without a place on the map")]
    width = (WIDTH - 20) / max(1, len(buttons))
    for place, (numbers, label) in enumerate(buttons):
        x, y = 10 + width * place, top + _ROW * (len(view.status.scores) + 1) + 4
        drawn.open(offers=numbers)
        drawn.rect(x + 2, y, width - 4, _BUTTON - 4, round=6, fill="field", stroke="mark", stroke_width=1.4)
        most = int(width / 6.6)
        drawn.text(x + width / 2, y + 15, label, 11.5, anchor="middle", fill="mark", most=most)
        drawn.close()


def _draw_row(drawn: Svg, y: float, paint: str, name: str, words: str, out: bool) -> None:
    """A player: how it stands, or how it has left the game."""
    drawn.rect(10, y + 4, 11, 11, round=2, fill=paint, stroke="ink", stroke_width=0.8)
    drawn.text(27, y + 14, name, 12, most=22, fill="faint" if out else "ink")
    drawn.text(WIDTH - 10, y + 14, words, 10.5, anchor="end", fill="faint")


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
