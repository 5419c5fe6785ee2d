"""`ugs watch`: the events of a game, or of all games of a type, one per line.

lines.py      events as lines for people and as JSON                    (no I/O)
following.py  the dialogue with the server, from x-hello to the last event
"""
