"""Explanations: why somebody waits, why a game ended so, and where the time of a move went.

    split.py      where the time of a move went: network, bot, broker, master
    exchanges.py  the entries of a record as the documents that were exchanged, byte for byte
    account.py    what is told of a game, a player or a master, as values that can be written as JSON
    sources.py    what a running server and its journal know of a name
    text.py       the same for people

All but sources.py are pure: records in, values or text out.
"""
