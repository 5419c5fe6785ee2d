"""The Trio shell: it does what the broker decides, and decides nothing itself.

serve.py       listeners, nurseries, signals, the order of shutdown
driver.py      the one door: an event goes into the broker, its effects are carried out, without an await
connection.py  one peer: its reader, its outbox, its end
audience.py    spectators: what is published goes to many, when there is time for it
transport.py   bytes in and out: a raw socket, or any Trio stream
listening.py   accepting connections, within limits
timers.py      named timers
tablewriter.py tables to bytes, row by row
"""
