"""What organisers do to the server itself, outside of any championship.

answering.py      answers, and words for them
deciding.py       running games are ended by order
forgetting.py     nicks and addresses are erased
holding.py        game types are paused, the server stops, all peers get a text
moving.py         game types are at home elsewhere, or here again
ordered_seats.py  players of the pool are seated by order
removing.py       peers are removed, names and addresses are banned
revoking.py       tokens are made and revoked
dispatch.py       which function carries out which act
"""
