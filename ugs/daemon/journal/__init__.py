"""Between the broker and the journal: what is written down, and what is read again.

bridge.py    events between the journal's thread and the broker's
keeping.py   all of it put together
pasts.py     the past of running games: kept outside of memory, and read again
recorder.py  entries and results to the journal, each with its moments
why.py       accounts of games, read from the journal by a thread
"""
