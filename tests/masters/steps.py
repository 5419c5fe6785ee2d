"""A game master whose moves are clicked in an order: five positions of few moves, and the game is over.

    python3 steps.py HOST PORT

It speaks the protocol with the file of the example for people, which lies beside it or is found on the path.
"""

import importlib
from xml.etree.ElementTree import Element

POSITIONS = (
    {"a captures": "0,0 1,1 2,2", "b goes": "0,3 1,3"},  # no two moves share a cell
    {"a goes there and back": "0,0 1,1 0,0", "a goes there": "0,0 1,1", "a jumps": "0,0 2,2"},
    {"a goes there and back": "0,0 1,1 0,0", "a goes there": "0,0 1,1"},
    {"a becomes a king": "0,0 1,1", "a becomes a queen": "0,0 1,1", "b goes": "0,3 1,3"},  # two have the same clicks
    {"a rests": "2,0", "b rests": "2,3"},  # one click each
)
"""The moves of each position, with the cells that are clicked for them."""


class Steps:
    """One game. All moves are those of the first player."""

    def __init__(self, nicks: list[str]) -> None:
        """Begin a game of these two."""
        self.nicks = nicks
        self.turn = 0
        self.made: list[str] = []

    def play(self, move: Element) -> str:
        """Play a move; what is wrong with it, or nothing."""
        label = move.get("label", "")
        if label not in POSITIONS[len(self.made)]:
            return f"there is no move {label!r}"
        self.made.append(label)
        return ""

    def results(self) -> dict[str, str] | None:
        """The result of each player once the game is over."""
        return dict.fromkeys(self.nicks, "winner") if len(self.made) == len(POSITIONS) else None

    def state(self) -> str:
        """What every player reads."""
        return f'<gameState made="{len(self.made)}"/>'

    def sketch(self) -> str:
        """What people see."""
        parts = [
            '<grid columns="4" rows="4"/><pieces at="0,0 0,3" colour="red"/>',
            *(f"<news>{label}</news>" for label in self.made[-1:]),
        ]
        for label, cells in () if self.results() else POSITIONS[len(self.made)].items():
            parts.append(f'<offer label="{label}" at="{cells}" clicks="in-turn"><move label="{label}"/></offer>')
        return f"<sketch>{''.join(parts)}</sketch>"


if __name__ == "__main__":
    raise SystemExit(importlib.import_module("protocol").run(Steps, "steps", "three-positions"))
