"""What the server decides, as a pure state machine: events in, effects out.

acts/           what organisers do
broker.py       Broker.handle(event, now)
championships/  championships that are announced or played
diagrams.py     the tables of life.py, drawn
effects.py      what the broker asks of the shell
entrance/       peers that log in, wait and leave
events.py       what can happen
extensions/     extensions of v4, one module or folder each
facts.py        what rules bring about
hooks.py        the rules that follow from a fact, in order
life.py         the life of a connection and of a game, as tables
past.py         what is known about earlier lives of the server
play/           a game from its begin to the last thank you
state/          what is kept: data and their names, no rules
values/         what events, effects and the state are made of
verdict.py      causes, whose fault they are, what they count
verdict_sentences.py  a verdict in sentences, as bots and people get it
views/          descriptions of the state, read only

The layers, the lowest first; each imports only layers before it: verdict and its sentences, values, events, effects,
past, state, facts, views, play, championships, entrance, acts, life and hooks, extensions, broker.
Nothing in here imports trio, reads a clock or draws a random number: time arrives with every event, game ids and
secrets come from functions given at the start.
"""
