"""Games that are given as environments of PettingZoo: ``pettingzoo:MODULE``, such as ``pettingzoo:tictactoe_v3``.

The library itself (``pip install "ugs[env]"``) and the module are imported by environment.py alone, when a game is
made; its notation and its sketches work without them.

collection.py   which games there are, and making one of them
environment.py  one environment as rules need it: seats, masks, observations as numbers
rules.py        one game from its beginning to its outcome
view.py         what a seat is shown, and moves, as values
notation.py     moves and views as XML
sketching.py    a position as a sketch, with the legal moves to click
bots.py         a computer player
"""

from game_masters.pettingzoo.collection import PettingZoo

COLLECTION = PettingZoo()
