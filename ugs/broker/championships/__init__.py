"""Championships in a running server. What they are on paper is in :mod:`ugs.championship`, what is kept of them in
``state/championship.py``.

announcing.py      how one comes to be: by settings, by a plan, or from its ledger
champions_list.py  who is told the standings, and when
corrections.py     results that an organiser puts right
entering.py        who is in the field: fixed at the begin, then some leave and a few come late
entrants.py        which players may enter, and what becomes of one that goes
fixtures.py        which game is next, and what follows from how a game ended
ledger_entries.py  new entries of a ledger: written, then applied
ledgers.py         what goes from a running server into the ledgers, and back
orders.py          what organisers order
playing.py         when one begins, when its games begin, how it ends
progress.py        what each entry changes; how a championship is made again from its ledger
"""
