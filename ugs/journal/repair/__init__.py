"""When the disk has not kept what was written: found at the start, and saved as far as it can be read.

checking.py        the check at the start: all is as it was written, or the journal is refused
database_pages.py  rows in the pages of a damaged database
rescue.py          saves them into a new journal
wal.py             SQLite's write-ahead log, read without SQLite
"""
