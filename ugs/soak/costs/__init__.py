"""`ugs soak --costs`: what the most expensive message of each kind costs the loop, at the limits of the default
settings.

An attack shows what many messages do to others. A cost shows what one does: it is measured in processor time, in this
process, with everything that the limits let in; and again with half of that, so that one sees how it grows.

scene.py      what a cost is
rig.py        a broker with as many peers as a limit lets in, without sockets
documents.py  costs of bytes, independent of their content
entrance.py   costs of coming and going
lobby.py      costs of the lobby and the chat
games.py      costs of play
page.py       costs of the page, and of people at the machine
table.py      the table of all costs
measure.py    one cost after another, held against the bound
report.py     measured costs as text
"""
