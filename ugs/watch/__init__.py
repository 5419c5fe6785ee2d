"""`ugs watch`: the events of a game, or of all games of a type, as pictures or one per line.

lines.py      events as lines for people and as JSON                    (no I/O)
pictures.py   the position of each game as a picture, with what has happened in words
terminal.py   those pictures on a terminal in their place, elsewhere one after the other
joining.py    what was before, of games that run already when they are first watched   (no I/O)
following.py  the dialogue with the server, from x-hello to the last event
"""
