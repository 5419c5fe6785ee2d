"""Pictures of Bang!: the table with its players, their cards and distances, what is asked, and the hand of the viewer.

seen.py      what can be seen of one state: in words, as offers
position.py  a picture of it, and what is new
drawing.py   the position as SVG
ring.py      places around the table, and the arrow of a shot
lines.py     the position on the terminal
"""

from game_masters.bang.pictures.position import follow

__all__ = ["follow"]
