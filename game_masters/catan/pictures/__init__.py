"""Pictures of Catan: the board with its pieces, what all players have, and what may be done.

position.py  what can be seen of one state, in words, with the offers
layout.py    where hexes, nodes and edges are in a picture
places.py    places in words
drawing.py   the position as SVG
lines.py     the position on the terminal
telling.py   the news as words
"""

from game_masters.catan.pictures.position import follow

__all__ = ["follow"]
