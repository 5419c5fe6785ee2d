"""The command line: one module per command, and what they have in common.

    app.py          which commands there are: the application that ``ugs`` runs
    lazy.py         commands that are loaded when they are asked for, and help that keeps its angle brackets
    failing.py      how a command fails: one line, one exit code
    connecting.py   the option --connect HOST:PORT of commands that talk to a server
    showing_tokens.py  the option --token-file of commands that come under a name
    drawing.py      where commands draw: standard output, with log lines on standard error
    serve.py        run the broker
    serving.py      the run itself
    config.py       print a configuration file with all defaults
    validate.py     documents against the protocol
    demo.py         a broker, a game master and some bots, each a process of its own
    demonstrating.py  the game and the table
    demo_parts.py   its processes: started, listened to, stopped
    example.py      files that come with ugs: players, units, the manual
    bench.py        measure what a message costs
    measuring.py    what is measured, and how it is printed
    soak.py         attacks, and crashes, against a real server
    soaking.py      these attacks and crashes
    lobby.py        who is here, what is played, which tables are open
    replay.py       a recorded game once more
    replaying.py    on the terminal, against a master, against a player
    standings.py    points and ratings
    ranking.py      out of a journal, from a running server
    watch.py        a game as it happens
    watching.py     as pictures, as lines
    why.py          why a player waits, why a game ended so, what the server is doing
    explaining.py   out of a journal, from a running server, from far away
    token.py        a link to one's own games
    tokens.py       names that nobody else may use
    admin.py        step in on a running server
    championship.py plan championships, look at them, step in
    planning.py     their plans, read and played through beforehand
    championship_account.py  championships out of the journal, as JSON and as lines
    site.py         the page of a server as files
    record.py       the games that a journal keeps
    kept_games.py   listed, shown, exported, imported, rescued

A command that needs much has a second module, named behind it: the first one holds its options only, so that a shell
that asks for them need not wait.

This is the only package of ``ugs`` that may import all others, and the only one that knows typer. No other package
imports it, but for commands that packages beside ``ugs`` add.
"""
