"""One game as data; the rules that change it are in ``handlers``.

play.py     the data of a game, and its messages
seat.py     what a seat has: resources, development cards, its scenario
pieces.py   what a seat has built and can still build, and who has what on the board
turn.py     what belongs to a turn or round: what has been done, trades, robberies, special building
may.py      what a seat may do now, in short
options.py  options and scenarios
chance.py   dice, deck and thefts, or a script
"""
