"""Explanations: why a player waits, why a game ended so, where the time of a move went, what a server is doing.

    timing.py          where the time of a move went: network, bot, broker, master
    exchanges.py       the entries of a record as the documents that were exchanged, byte for byte
    answer.py          what is known of a game, a player or a master, as values that can be written as JSON
    player_account.py  what a player far away may know of a game of its own
    lookup.py          what a running server and its journal know of a name
    text.py            an account as text for people
    server_status.py   what a running server is doing: asked, and as text
    remote.py          asks a server far away, with a token
    packet.py          all that is known of a game, in one file to pass on
    seat_packet.py     a game as one player saw it, with a script that plays its last position

Only lookup.py, server_status.py and remote.py do I/O; the others are pure: records in, values or text out.
"""
