"""Your bot: which game it plays, and how it chooses a move. What the server wants to hear is in protocol.py.

    python3 bot.py HOST PORT NICK [--game TYPE] [--games N] [--token-file FILE] [--session-file FILE]
        [--tls [--ca FILE]]

As it comes it plays five in line, and every game whose states list the legal moves as play elements, at random.
"""

import random
from xml.etree.ElementTree import Element

import protocol

NAME, VERSION = "mybot", "1"  # what the page of your bot shows: the results of each VERSION
GAME_TYPE = "5-in-line-tic-tac-toe"
SIZE = 20  # of the board, as long as no state shows another one


class Bot:
    """One game; there is a new object for each."""

    def __init__(self) -> None:
        self.width = self.height = SIZE
        self.taken: set[tuple[int, int]] = set()  # fields with a stone, as x and y, both from 0
        self.legal: list[Element] = []  # the legal moves, where the state lists them, each with an id
        self.ours = True  # the state is one of five in line

    def sees(self, state: Element) -> None:
        """Remember what a state shows. In five in line that is the stone put last, sometimes once more at the end, and
        the size of a board that is not the usual one. When we are asked for a move, the last stone is the
        opponent's."""
        self.width, self.height = int(state.get("width", self.width)), int(state.get("height", self.height))
        tacs = state.findall("tac")
        self.taken |= {(int(tac.get("x", "")), int(tac.get("y", ""))) for tac in tacs}
        self.legal = protocol.listed_moves(state)
        self.ours = bool(tacs) or "width" in state.attrib or not (len(state) or state.attrib)

    def move(self) -> str:
        """Our move: put your own ideas here. Nothing ends the bot: it knows no move."""
        if self.legal:
            return f'<play id="{random.choice(self.legal).get("id", "")}"/>'
        if not self.ours:
            return ""
        free = [(x, y) for x in range(self.width) for y in range(self.height) if (x, y) not in self.taken]
        x, y = random.choice(free)
        self.taken.add((x, y))  # the state that shows it may get lost with the line
        return f'<tic x="{x}" y="{y}"/>'


if __name__ == "__main__":
    raise SystemExit(protocol.run(Bot, GAME_TYPE, NAME, VERSION))
