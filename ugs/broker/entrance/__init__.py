"""Peers that come, wait and go.

departures.py  what becomes of a peer that goes, and of all it held
standings_rows.py  which rows are kept of players who have gone
logins.py      which peers may enter, and with which of the five numbers the others are refused
name_allowance.py  how many new names may come from one address in a day
doors.py       which door a proof opens: one identity for each connection
proofs.py      names that have to be proven: who may use one, whose secret is checked first
refusals.py    logins that are refused: what the peer is told, the log, and people who ask
pool.py        which players wait for which game, and when a game begins
shutdown.py    how the server stops
after_game.py  what the end of a game means for the standings and for the games that may begin now
"""
