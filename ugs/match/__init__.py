"""Matches: which of these bots is the better one? Planner, runner and results are three parts.

Without I/O, clock and chance::

    match_settings.py  the settings of a match: options, or a plan file
    time_limits.py     whether a move is in time: wall or processor time, strikes
    batches.py         games that another machine plays together, and what comes back
    planner.py         which games it consists of: pairings, seats, openings
    score.py           what has come of it so far, and whether that is enough
    counts.py          scores of games or pairs of games, as counts
    elo_difference.py  Elo, normalised Elo and likelihood of superiority from counts, with intervals
    sprt.py            the sequential test of two hypotheses
    terminal.py        a match as people see it
    output.py          a match for other programs
    conclusion.py      who is better, in words, or how many more games would show it
    packets.py         games whose packet is worth a look

With it::

    games.py            the installed game of a match, or one that a program of its author leads
    own_programs.py     command lines with the place of the server in them
    openings.py         the first positions of games
    match_file.py       what is kept, so that a match can go on
    programs.py         programs that a match starts
    clocked_line.py     the line of a bot that times its moves
    tied_process.py     runs `ugs` for as long as a match lives
    match_server.py     broker and master, and how both are asked
    game_orders.py      ordering games from it
    builtin_player.py   a bot that is an object of a process
    bundled_bots.py     the copies of a bundled bot, in a process of their own
    bundled_process.py  starts that process and sends it what to play
    bundled_processes.py  several of them, where one has no time left
    start_words.py      how a bot is started, as one text
    bot_copy.py         one copy of a bot
    copies.py           the bots, each in as many copies as play at once, and which copy plays next
    game_log.py         how games end, read from the log of the server
    game_results.py     what has come of a game, from that or from the journal
    cost.py             the processor time of bots, master, broker and match
    bookkeeping.py      which games are given out, what has come of them; where both are kept
    local_games.py      plays games on this machine: from the books by way of a server back to them
    batch_runner.py     gives batches to other machines, and counts what comes back
    batch_player.py     plays batches on such a machine, and packs up what has come of them
    batch_site.py       server, master and bots there, which stay for the next batch
    runner.py           plays a match: here, or in batches
"""
