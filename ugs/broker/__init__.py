"""What the server decides, as a pure state machine: events in, effects out.

    events.py        what can happen                     effects.py    what may be asked of the shell
    broker.py        Broker.handle(event, now)           desk.py       what all rules share
    link.py          life of one connection, as a table  logins.py     who may enter, and which of five errors else
    lobby.py         who waits, who plays whom           seating.py    who sits where, fair over time
    game.py          life of one game, as a table        games.py      the rules that move games along it
    verdict.py       how a game ended, and whose fault
    championship.py  a fixed field playing to the end    standings.py  results -> rows, the one sort order
    champions.py     who is told about the table, when

Nothing in here imports trio, reads a clock or draws a random number: time arrives with every event, game ids come
from a function given at the start.
"""
