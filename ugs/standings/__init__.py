"""Standings and ratings: from the results of games to a table that can be defended game by game.

    tally.py      results -> won, lost, drawn, faults, cross table; what may be rated
    tiebreaks.py  who stands before whom among equal points
    skill.py      a rating with its uncertainty for games of any number of seats (openskill)
    linear.py     the two pieces of linear algebra that elo.py needs
    elo.py        Elo with a confidence interval for games of two
    apart.py      whether two neighbours can be told apart, and how many more games that would take
    standings.py  the finished table as values, and as JSON; nothing else crosses the door
    compute.py    all of the above in one call
    tables.py     what is shown in which column, the same for all formats
    render.py     csv, markdown and html
    terminal.py   the table of a terminal
    source.py     standings from a data directory or from a running broker

No module but source.py and terminal.py does I/O; none knows the clock; chance there is none.
"""
