"""What the server decides, as a pure state machine: events in, effects out.

    events.py        what can happen                     effects.py    what may be asked of the shell
    broker.py        Broker.handle(event, now)           desk.py       what all rules share
    link.py          life of one connection, as a table  rules.py      what each message of v4 means in it
    logins.py        who may enter, and which of five errors else
    lobby.py         who waits, who plays whom           seating.py    who sits where, fair over time
    game.py          life of one game, as a table        games.py      the rules that move games along it
    turns.py         whose turn it is                    takeover.py   another master for a game
    showing.py       what players are shown              ending.py     how games end, and when that is told
    verdict.py       causes, and whose fault they are    scribe.py     what is written down of games
    director.py      championships: when, who, in what order           championship.py  one of them
    standings.py     results -> rows, the one sort order champions.py  who is told about the table, when
    past.py          what is known of earlier lives      record.py     what is written down, in words
    questions.py     what people may ask, and order      why.py        why somebody waits, how a game stands
    onlookers.py     who is told what happens in games   extensions/   what v4 lacks, one room each

Nothing in here imports trio, reads a clock or draws a random number: time arrives with every event, game ids and
secrets come from functions given at the start.
"""
