"""Values that events, effects and the state are made of: no rules, no I/O.

access.py        one rule about who may come in
identity.py      who has a token
name_rules.py    which names are allowed, and which count as the same
node_overview.py  what a node shows the others
questions.py     what people may ask and order
recollection.py  requests for the past of a running game, and what is found
record.py        the entries of a recorded game, in words
remark_json.py   remarks of players, as they are recorded
replies.py       replies of the broker, and their JSON
standings.py     results to rows, the one sort order
"""
