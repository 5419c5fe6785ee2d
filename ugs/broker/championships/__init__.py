"""Championships in a running server. Their rules are in :mod:`ugs.championship`, their state is in
``state/championship.py``.

afterwards.py      the pause that may follow the end
announcing.py      new championships: from settings, a plan, or a ledger
champions_list.py  which players get the standings, and when
corrections.py     results that an organiser corrects
entering.py        the field: fixed at the begin, then entrants leave and come late
entrants.py        which players may enter, and what happens when one leaves
fixtures.py        which game is next, and what follows from its end
ledger_entries.py  new entries of a ledger: written, then applied
ledgers.py         values of a running server to entries of ledgers, and back
orders.py          orders of organisers
playing.py         when a championship begins, when its games begin, how it ends
progress.py        what each entry changes; how a ledger becomes a championship again
"""
