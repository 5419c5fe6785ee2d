"""What the server decides, as a pure state machine: events in, effects out.

access.py       one rule about who may come in
acts/           what organisers do
awaited.py      whose silence a timer judges
broker.py       Broker.handle(event, now)
championships/  championships that are announced or played
diagrams.py     the tables of life.py, drawn
effects.py      what may be asked of the shell
events.py       what can happen
extensions/     what v4 lacks, one module or folder each
facts.py        what rules bring about
identity.py     who has a token
hooks.py        who hears of which fact, in which order
life.py         the life of a connection and of a game, as tables
lobby/          peers that come, wait and go
name_rules.py   which names are allowed, and which count as the same
overview.py     the whole server, in numbers and a line for each game type
past.py         what is known of earlier lives of the server
play/           a game from its begin to the last thank you
candidates.py   who may be in the field of a championship
privacy.py      who may find a table, or the game at it
public.py       what everybody may know of the server
questions.py    what people may ask and order
recollection.py what is read again of the past of a running game
record.py       what is written down of a game, in words
spectator_view.py  a game as spectators see it
standings.py    results to rows, the one sort order
state/          what is kept: data and their names, no rules
verdict.py      causes, whose fault they are, what they count, what people are told
why.py          why a peer waits, how a game stands

The layers, the lowest first; each imports only layers before it: values (events, effects, past, questions, record,
recollection, standings, verdict), state, facts, play, championships, lobby, acts, life and hooks, extensions, broker.
Nothing in here imports trio, reads a clock or draws a random number: time arrives with every event, game ids and
secrets come from functions given at the start.
"""
