"""Installed games as environments for learners, in the interfaces of PettingZoo and Gymnasium: ``pip install
"ugs[env]"``, then ``import ugs.env``.

leaves.py       the values in a view, as texts
numbering.py    moves as numbers: a game's own list, or by their content
observing.py    what a seat sees, as an array
aec.py          a game as a PettingZoo AEC environment, its rules in this process
seat.py         one seat of a game against bundled bots, as a Gymnasium environment
every_seat.py   all seats of a game: as in aec.py, or as in remote_aec.py
remote_seat.py  one seat at a running server, as a Gymnasium environment
remote_aec.py   all seats of games at a running server, as a PettingZoo AEC environment
numbered_seat.py  what the player of a connection is shown, and what it may do, as numbers
server_line.py  the connection that it plays over
bench.py        how many steps a second an environment makes
"""

from game_masters.env.aec import GameEnv
from game_masters.env.every_seat import aec_env
from game_masters.env.remote_aec import RemoteGameEnv
from game_masters.env.remote_seat import RemoteSeatEnv
from game_masters.env.seat import SeatEnv, seat_env

__all__ = ["GameEnv", "RemoteGameEnv", "RemoteSeatEnv", "SeatEnv", "aec_env", "seat_env"]
