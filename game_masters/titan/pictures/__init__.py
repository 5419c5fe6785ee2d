"""Pictures of Titan: the masterboard with its legions, the map of a battle, and how the players stand.

scene.py        what can be seen of one state: words, news, offers
odds.py         what a land brings, how likely a strike kills
wording.py      messages and requests in words
masterboard.py  the lands and legions as SVG
battlemap.py    a battle as SVG
panel.py        the players, and choices that have no place on a map, as SVG
lines.py        all of it on the terminal
"""

from game_masters.titan.pictures.scene import follow

__all__ = ["follow"]
