"""The universal game server: a broker for the XML protocol UGS v4.

Where things are, from the wire inwards::

    wire/          bytes <-> messages: framing, codec, schemas                (no I/O)
    broker/        who may enter, who plays whom, whose turn, who won         (no I/O, no clock, no chance)
    sketch/        positions as masters describe them: the vocabulary, and what is refused  (no I/O)
    championship/  who meets whom, where and when: plans and formats          (no I/O, no clock, no chance)
    daemon/        the Trio shell: listeners, connections, timers, signals    (performs what the broker decides)
    journal/       everything that must not be lost: one database, and the thread that writes it

and what is made of it::

    record/        a recorded game: values, text, JSONL
    pictures/      what a game looks like: SVG, terminal, words; each game brings its own
    page/          what people see with a browser, and programs as JSON
    replay/        a recorded game played again
    standings/     results -> standings and ratings
    lobby/         one question to the lobby of a server
    watch/         a spectator's dialogue with a server
    why/           why a player waits, why a game ended so
    bench/         a load generator and its yardsticks
    check/         conformance of bots and game masters: cases, and the other side around a program
    cluster/       servers as nodes of one database: which game type is at home where
    match/         matches of bots: planner, runner and results
    dask_pool/     matches on Dask clusters
    doctor/        what is in the way of a server on this machine
    soak/          attacks and crashes, against a real server

The command line::

    commands/      one module per command; nothing else may import everything
    state_files.py where bots keep their tokens
    terminal.py    grids and progress on a terminal
    validate.py    documents of authors against the protocol
    address.py     HOST:PORT as commands take it
    __main__.py    the command `ugs`, and `python -m ugs`

What several of them need::

    config.py      every setting, its unit, default and explanation
    config_text.py  the same as a file
    setting_tables.py  which table of the file a setting stands in
    declared.py    values from outside, checked against a class that declares them
    admission.py   the settings that control who may come in
    distributions.py  which distributions of the project are installed
    durations.py   lengths of time as people type and read them
    game_collections.py  games that are made on demand, by the rest of a name
    game_titles.py     what people call a game
    option_names.py    options of games in words
    group_guard.py  programs end with what has started them
    game_ids.py    which game the beginning of an id means
    loading.py     loading modules without their unused parts
    type_hint.py   which type is meant by the name of a package or by a title
    path_faults.py what is wrong with a path, in words
    processor_time.py  what a program uses of processors, and how long it waits for one
    places.py      where a journal is: a directory, or the address of a database
    unkept_folders.py  folders that are removed at the end, also when the end is a kill
    printable.py   text of others made harmless for terminals, logs and spreadsheets
    text_files.py  files of text that arguments name, bounded
    tokens.py      tokens of names: how they are made, and their hashes
    token_key.py   the public beginning of a token
    value.py       what events and effects are: compared by content, never changed
    tls.py         encrypted lines: versions, ciphers, who is trusted
    tls_settings.py  their settings
    site_settings.py  an organiser's texts on the first page
    journal_settings.py  the settings of what is kept, and where
    pool_settings.py  the settings that control when the players of a pool meet
    setting_types.py  what settings of several tables may be
    toml_files.py  TOML of others, bounded before it is parsed
    dialogue_log.py  a dialogue of a peer as a file for people
    peer.py        the other end of a connection: what masters and bots use
    game_files.py  games in the file formats of other programs
    env.py         the door to environments for learners
    gateway.py     what a gateway is: a door for clients of another protocol
    mounts.py      applications of other packages in the page
    admin.py       asking a running server through the socket in its data directory
    log.py         structlog set-up
    ready.py       announcing that a server listens

Arrows point one way: commands -> daemon -> broker -> championship, wire.messages; nothing in here imports game_masters.
"""

__version__ = "0.1.0"
