"""The table: who sits where, what lies where, who is asked for what.

circle.py    the players in their circle, and distances
piles.py     deck, discard pile, selection
requests.py  what players are asked for out of turn
deeds.py     who has acted against whom
course.py    a game: what is where, whose turn it is, the log
steps.py     how much may happen before a player is asked again
"""
