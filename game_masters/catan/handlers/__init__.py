"""Requests of players: what is allowed, what it does to a game, and what all are shown of it.

requests.py     which request is checked and carried out by what
legal.py        what a seat may do, and the moves that this stands for
starting.py     the first settlements and roads
turns.py        the end of a turn, special building, the next turn
rolling.py      what hexes and villages yield, and what a seven brings
building.py     paying for pieces, placing and moving them
discoveries.py  what a placed piece brings: fog, gold, new land, villages
robber.py       discards, robber and pirate
cards.py        development cards, and picking resources
trading.py      trades with the bank and among players
ending.py       points, and the end of a game
declining.py    refusals
reasons.py      why a piece may not stand somewhere, and where it may
places.py       where pieces may stand
"""
