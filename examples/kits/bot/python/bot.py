"""Your bot: which game it plays, and how it chooses a move. What the server wants to hear is in protocol.py.

    python3 bot.py HOST PORT NICK [--game TYPE] [--games N] [--tls [--ca FILE]]

As it comes it plays five in line, and every game whose states list the legal moves, at random.
"""

import random
from xml.etree.ElementTree import Element

import protocol

GAME_TYPE = "5-in-line-tic-tac-toe"
SIZE = 20  # of the board, as long as no state shows another one


class Bot:
    """One game; there is a new object for each."""

    def __init__(self) -> None:
        self.width = self.height = SIZE
        self.taken: set[tuple[int, int]] = set()  # fields with a stone, as x and y, both from 0
        self.legal: list[tuple[str, str]] = []  # the legal moves, where the state lists them: id, and the move in words

    def sees(self, state: Element) -> None:
        """Remember what a state shows. In five in line that is the stone put last, sometimes once more at the end, and
        the size of a board that is not the usual one."""
        self.width, self.height = int(state.get("width", self.width)), int(state.get("height", self.height))
        self.taken |= {(int(tac.get("x", "")), int(tac.get("y", ""))) for tac in state.findall("tac")}
        self.legal = [(play.get("id", ""), play.get("text", "")) for play in state.findall("play")]

    def move(self) -> str:
        """Our move: put your own ideas here."""
        if self.legal:
            id, _words = random.choice(self.legal)
            return f'<play id="{id}"/>'
        free = [(x, y) for x in range(self.width) for y in range(self.height) if (x, y) not in self.taken]
        x, y = random.choice(free)
        self.taken.add((x, y))  # the state that shows it may get lost with the line
        return f'<tic x="{x}" y="{y}"/>'


if __name__ == "__main__":
    raise SystemExit(protocol.run(Bot, GAME_TYPE))
