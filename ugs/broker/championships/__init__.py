"""Championships in a running server. What they are on paper is in :mod:`ugs.championship`.

announcing.py      how one comes to be: by settings, by a plan, or from its ledger
champions_list.py  who is told the standings, and when
entrants.py        which players may enter, and what becomes of one that goes
orders.py          what organisers order
playing.py         when one begins, which game is next, how it ends
"""
