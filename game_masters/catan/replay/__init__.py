"""Games of real servers once more: the requests in a log are given to our rules, and all messages are compared.

logged_game.py the game in a log: options, seats, board, and everything that chance has brought
engine.py      our game for that, which answers requests as a server does
forcing.py     ends the turn of a player who does not move, as a server of JSettlers does
comparison.py  goes through a log, and finds what is equal and what differs
"""
