"""Replaying recorded games: for people to watch, or to check whether a master or a bot still acts the same.

source.py      finds a game by its id in a journal, or in a file
show.py        what there is to see of a game, event by event: payloads, or pictures   (no I/O)
screen.py      those pictures on a terminal: one after the other, in their place, or by keys
script.py      what to send a master or a player, and what it answered in the recorded game   (no I/O)
comparison.py  whether two payloads are the same, and where they begin to differ              (no I/O)
program.py     starting the process of a master or a bot, which connects to the replay
dialogue.py    the server's side of that connection
master.py      the replay of a script against a master
player.py      the replay of a script against a player
position.py    whether its last answer was legal and in time                                  (no I/O)
report.py      the result of a replay in words                                                (no I/O)
"""
