"""Peers that come, wait and go.

departures.py  what becomes of a peer that goes, and of all it held
logins.py      which peers may enter, and with which of the five numbers the others are refused
pool.py        which players wait for which game, and when a game begins
shutdown.py    how the server stops
standings.py   what the end of a game means for the standings and for the games that may begin now
"""
