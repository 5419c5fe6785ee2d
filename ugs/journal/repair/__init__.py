"""When the disk has lost data: the damage is found at the start, and what can be read is saved.

checking.py        the check at the start: a damaged journal is refused
database_pages.py  rows in the pages of a damaged database
rescue.py          saves these rows into a new journal
wal.py             SQLite's write-ahead log, read without SQLite
"""
