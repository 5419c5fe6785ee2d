"""Matches: which of these bots is the better one? Planner, runner and results are three parts.

The results know no I/O:

    counts.py       scores of games or pairs of games, as counts
    elo.py          Elo, normalised Elo and likelihood of superiority from counts, with intervals
    sprt.py         the sequential test of two hypotheses
"""
