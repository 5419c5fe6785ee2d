"""The games of OpenSpiel, made on demand: ``openspiel:connect_four``, ``openspiel:hex(board_size=5)``.

The library itself (``pip install "ugs[openspiel]"``) is imported by library.py alone, when a game is made; pictures and
notation work without it.

collection.py  which games there are, and making one of them
games.toml     what OpenSpiel does not know of its games: titles, ranges of parameters, what is open, pictures
games_toml.py       reads that file
library.py     OpenSpiel, as far as games need it
parameters.py  parameters of OpenSpiel as options of a game
progress.py    a position and the decisions that led to it
rules.py       one game from its beginning to its outcome
view.py        what a seat is shown, and moves, as values
guessing.py    other ways a game may have gone, for all that a seat knows
notation.py    moves and views as XML
bots.py        a computer player
pictures/      boards and texts as SVG, on the terminal and in words
"""

from game_masters.openspiel.collection import OpenSpiel

COLLECTION = OpenSpiel()
