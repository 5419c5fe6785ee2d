"""`ugs watch`: a game, or all games of a type, as lines.

lines.py      what spectators are told, as lines for people and as JSON        (no I/O)
following.py  the dialogue with the server, from x-hello to the last event
"""
