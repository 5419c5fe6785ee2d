"""The universal game server: a broker for the XML protocol UGS v4.

Where things are, from the wire inwards::

    wire/      bytes <-> messages: framing, codec, schemas                (no I/O)
    broker/    who may enter, who plays whom, whose turn, who won         (no I/O, no clock, no chance)
    championship/  who meets whom, where and when: plans and formats      (no I/O, no clock, no chance)
    daemon/    the Trio shell: listeners, connections, timers, signals    (performs what the broker decides)
    journal/   everything that must not be lost: one SQLite database, and the thread that writes it
    record/    a recorded game: values, text, JSONL                       replay/  played again
    standings/ results -> tables and ratings                              why/     why it ended so
    peer.py    the other end of a connection: what masters and bots use
    admin.py   asking a running server through the socket in its data directory
    bench/     `ugs bench`: a load generator and its yardsticks
    config.py  every setting, its unit, default and explanation
    log.py     structlog set-up
    ready.py   telling others that a server listens
    cli.py     the command `ugs`

Arrows point one way: daemon -> broker -> championship, wire.messages; nothing in here imports game_masters.
"""

__version__ = "0.1.0"
