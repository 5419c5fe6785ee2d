"""Everything that must not be lost, in one SQLite database: written by a running server, read by everybody.

While a server runs, from the broker inwards::

    journal.py    the door: opened, written into, closed
    collector.py  what waits to be written, step by step     batch.py    what is written in one transaction
    writer.py     the thread that writes, and its failures   pruning.py  what is deleted when it is too old or too much
    tail.py       what is on its way to the disk, of games that may outlive the server

How it lies on disk::

    schema.py     the tables, their versions                 entries.py  what happened in a game, as bytes
    rows.py       values -> rows                             reading.py  rows -> values
    lock.py       one server per directory

At the start, and from outside::

    recovery.py    what a lost server left open is closed    past.py       what a new broker is told
    continuing.py  games that go on in a later life          importing.py  games from elsewhere
    reader.py      reading, beside a server or without one
"""
