"""What organisers do to the server itself, outside of any championship.

answering.py   answers, and words for them
deciding.py    running games are ended by order
forgetting.py  nicks and addresses of which nothing is to be left
holding.py     game types are paused, the server stops, everybody is told something
pairing.py     players of the pool are seated by order
removing.py    who has to go, and who may not come in
revoking.py    tokens are made and revoked
dispatch.py    which function carries out which act
"""
