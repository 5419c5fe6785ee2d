"""The command line: one module per command, and what they have in common.

    app.py          the list of commands: the application that ``ugs`` runs
    lazy.py         commands that are loaded when they are asked for, and help that keeps its angle brackets
    option_groups.py  options that belong together, as one value
    failure.py      how a command fails: one line, one exit code
    stop_signals.py  the signals that end a command in order
    server_option.py  --connect HOST:PORT and --tls of commands that talk to a server
    name_options.py    nicks and names of masters that no server allows
    token_option.py    the option --token-file of commands that come under a name
    picture_output.py  where commands draw: standard output, with log lines on standard error
    guide.py        what ``ugs`` alone prints: what to do next
    versions.py     what ``ugs --version --verbose`` prints
    init.py         five questions, and the folder of a contest
    init_folder.py  its files
    doctor.py       what is in the way of a server here
    serve.py        run the broker
    serve_run.py    the run itself
    serve_plans.py  its plan files
    config.py       print a configuration file with all defaults
    validate.py     documents against the protocol
    demo.py         a broker, a game master and some bots, each a process of its own
    demo_run.py       the game and the table
    demo_game.py      the game, as its package describes it
    demo_parts.py   its processes: started, listened to, stopped
    example.py      files that come with ugs: players, units, the manual
    new.py          a bot, a game master or a game to begin with
    new_folder.py   the folder of it
    kits.py         what there is to copy, and its languages
    bench.py        measure what a message costs
    bench_run.py    what is measured, and how it is printed
    soak.py         attacks, and crashes, against a real server
    soak_run.py     these attacks and crashes
    match.py        bots against bots
    match_run.py    played, shown, written
    check.py        does a program speak the protocol
    check_run.py    tried, shown, written
    option_completion.py  --game=NAME in zsh and fish, completed as --game NAME
    game_names.py   games and bots, for the completion of a shell
    bash_completion.py  words that bash cuts at = and :, as they are
    lobby.py        who is here, what is played, which tables are open
    replay.py       a recorded game once more
    replay_run.py   on the terminal, against a master, against a player
    standings.py    points and ratings
    standings_run.py  out of a journal, from a running server
    watch.py        a game as it happens
    watch_run.py    as pictures, as lines
    why.py          why a player waits, why a game ended so, what the server is doing
    why_run.py      out of a journal, from a running server, from far away
    token.py        a link to one's own games
    token_admin.py  names that no other player may use
    admin.py        step in on a running server
    admin_nodes.py  which nodes there are, and a home that moves
    championship.py plan championships, look at them, step in
    championship_plan.py  their plans, read and played through beforehand
    installed_options.py  their options, beside those of installed games
    championship_show.py     championships out of the journal, as JSON and as lines
    sketch.py       how a sketch looks
    named_values.py options that are given as NAME=VALUE
    misplaced.py    words that are a command of another group
    journal.py      a whole journal, moved
    path_type.py    paths, looked at before a command runs
    place_option.py the option of commands that read a journal
    site.py         the page of a server as files
    record.py       the games that a journal keeps
    record_run.py   listed, shown, exported, imported, rescued

A command that needs much has a second module, named behind it: the first one holds its options only, so that a shell
that asks for them need not wait.

This is the only package of ``ugs`` that may import all others, and the only one that knows typer. No other package
imports it, except for commands that packages beside ``ugs`` add.
"""
