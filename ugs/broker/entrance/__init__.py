"""Peers that log in, wait and leave.

departures.py      peers that leave, and everything they held
departed_rows.py   which rows of departed players are kept
logins.py          which peers may enter, and the error numbers for the others
name_allowance.py  how many new names one address may use in a day
doors.py           which door a proof opens: one identity for each connection
shared_nicks.py    nicks that several servers share: who waits until one is known to be free
proofs.py          names that need a proof: who may use one, and checks of secrets
refusals.py        refused logins: the answer, the log, and lines for people who ask
pool.py            players who wait for a game of a type, and when one begins
shutdown.py        how the server stops
after_game.py      after the end of a game: standings, and games that may begin now
"""
