"""One game as data; the rules that change it are in ``handlers``.

options.py  options and scenarios
chance.py   dice, deck and thefts, or a script
play.py     the data of a game, and what is said in it
"""
