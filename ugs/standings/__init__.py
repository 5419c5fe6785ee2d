"""Standings and ratings: from the results of games to an order that every single game can be checked against.

    counts.py        results -> won, lost, drawn, faults, cross table; which games are rated
    skill.py         a rating with its uncertainty for games of any number of seats (openskill)
    linear.py        the linear algebra that elo.py needs
    elo.py           Elo with a confidence interval for games of two
    significance.py  whether two neighbours' ratings differ significantly, and how many more games that would take
    standings.py     the finished standings as values and as JSON; callers outside see only these
    forgotten.py     nicks that an organiser has forgotten
    compute.py       all of the above in one call
    layout.py        the columns and their texts, the same for all formats
    render.py        CSV, Markdown and HTML
    pgn.py           results of games of two for programs that rate
    terminal.py      standings on a terminal
    seeding.py       the seeding of a plan out of a journal
    source.py        standings from a data directory or from a running server

Only source.py, seeding.py and terminal.py do I/O; no module uses the clock or chance.
"""
