"""Everything that must not be lost, in one SQLite database: one running server writes it, any program may read it.

While a server runs, from the broker inwards::

    journal.py      the interface: open, record, close
    write_queue.py  what waits to be written, step by step
    batch.py        what is written in one transaction
    writer.py       the writing thread, and its failures
    pruning.py      deleting what is too old or too much
    write_ahead.py  entries not yet in the database, of games that can outlive the server

How it is stored::

    schema.py       the SQL tables, their versions
    entries.py      the entries of a game, as bytes
    row_writer.py   values -> rows
    row_reader.py   rows -> values
    lock.py         one server per directory

At the start, and from outside::

    recovery.py     closes what a lost server left open
    past.py         what a new broker is told
    unfinished.py   games that continue in a later life
    importing.py    games from elsewhere
    forgotten.py    from which game on the rows of a forgotten nick count
    reader.py       reading, with or without a running server
"""
