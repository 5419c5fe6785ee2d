"""Pictures of the games of OpenSpiel, drawn from what travels. None of it needs the library.

picture.py     one position: who sits there, its body, moves to click, words
body.py        what the body of a picture is
text.py        the board as OpenSpiel prints it: what every game has
grid.py        boards of fields that ``games.toml`` describes, with moves on them
layouts.py     where the fields of a board lie, and how moves name them
stones.py      pieces
winning.py     rows and chains that have won
hands.py       what seats hold: cards and dice
cards.py       Kuhn and Leduc poker, liar's dice
points.py      backgammon
pits.py        mancala and oware
walls.py       quoridor
bodies.py      which game has which body
"""

from game_masters.openspiel.pictures.picture import follow

__all__ = ["follow"]
