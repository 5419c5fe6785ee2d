"""Matches: which of these bots is the better one? Planner, runner and results are three parts.

Without I/O, clock and chance::

    wanted.py       what a match is to be: options, or a plan file
    planner.py      which games it consists of: who meets whom, in which seats, from which opening
    score.py        what has come of it so far, and whether that is enough
    counts.py       scores of games or pairs of games, as counts
    elo.py          Elo, normalised Elo and likelihood of superiority from counts, with intervals
    sprt.py         the sequential test of two hypotheses
"""
