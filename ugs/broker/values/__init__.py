"""Values that events, effects and the state are made of: no rules, no I/O.

access.py        one rule about who may come in
identity.py      who has a token
name_rules.py    which names are allowed, and which count as the same
questions.py     what people may ask and order
recollection.py  what is read again of the past of a running game
record.py        what is written down of a game, in words
replies.py       what the broker replies to these, and JSON of it
standings.py     results to rows, the one sort order
"""
