"""Everything that must not be lost, in one database: one running server writes it, any program may read it.

While a server runs, from the broker inwards::

    journal.py          the interface: open, record, close
    step_collector.py   what is recorded, collected step by step
    thread_handover.py  what waits between the broker's thread and the writer's
    batch_taker.py      how long the writer waits, and what it takes
    waiting.py          entries that wait: under load, those of running games wait longer
    batch.py            what is written in one transaction
    writer.py           the writing thread, and its failures
    pruning.py          deleting entries beyond the limits of age and size
    compaction.py       packing finished games, slice by slice
    packing_pace.py     when, and for which share of the time
    write_ahead.py      entries not yet in the database, of games that can outlive the server

Which database it is in::

    database_contract.py  what is expected of a database
    held_journal.py       holds a journal, to write it
    open_journal.py       opens one to read it
    postgresql/           the one that several machines reach
    copying.py            from one to another, row by row
    backup.py             of a directory, while its server goes on
    journal_to_fill.py    holds the place of a copy, and leaves nothing there when it fails
    new_directory.py      a directory that is removed again when filling it fails
    sqlite_store.py       the embedded database: held by one server
    sqlite_connection.py  the embedded database: what it does in its own way
    joined_inserts.py     several inserts as one statement
    immutable_database.py the same, read without the right to write
    journal_error.py      what is raised when a journal cannot be used

How it is stored::

    schema_versions.py  the SQL tables, version by version
    database.py         opening the embedded database, bringing it up to date
    entries.py          the entries of a game, as bytes
    changes.py          a payload as what is new in it
    packing.py          the entries of a finished game, packed
    row_writer.py       values -> rows
    row_reader.py       rows -> values
    checksums.py        a checksum in every row
    committed.py        transactions, and how many there were
    lock.py             one server per directory
    owner_only.py       permissions for the owner only
    own_files.py        no links in a directory of another user

When the disk has lost data::

    repair/         the check at the start, and rescue of a damaged journal

At the start, and from outside::

    recovery.py           closes what a lost server left open
    past.py               what a new broker gets of earlier lives
    continuing_games.py   games that continue in a later life
    corrected_results.py  results that organisers of championships have corrected
    importing.py          games from elsewhere
    tokens.py             the list of tokens, a file of its own
    done.py               what organisers have done, tokens included
    token_file.py         this file: whose it is
    acts.py               acts of organisers that stay in force
    forgotten.py          the first game that counts for a forgotten nick
    reader.py             reading, with or without a running server
    recalling.py          reads the past of a running game
    waypoints.py          places in a game where reading may begin
    temporary.py          the same without a journal: in a temporary file
"""
