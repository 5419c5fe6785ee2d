"""Pictures of Apologies: the board with its pawns, what was played last, and the hand of the viewer.

position.py  what can be seen of one state, in words, and the plays on offer
geometry.py  where the places of each colour are on the board
drawing.py   the position as SVG
lines.py     the position on the terminal
"""

from game_masters.apologies.pictures.position import follow

__all__ = ["follow"]
