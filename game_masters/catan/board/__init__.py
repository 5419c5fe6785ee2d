"""The board: what lies where, and how far routes go.

geometry.py  hexes, nodes and edges
board.py     the board of one game
routes.py    the longest route, and ships that are closed in
"""
