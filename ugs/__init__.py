"""The universal game server: a broker for the XML protocol UGS v4.

Where things are, from the wire inwards::

    wire/      bytes <-> messages: framing, codec, schemas                (no I/O)
    broker/    who may enter, who plays whom, whose turn, who won         (no I/O, no clock, no chance)
    daemon/    the Trio shell: listeners, connections, timers, signals    (performs what the broker decides)
    peer.py    the other end of a connection: what masters and bots use
    bench/     `ugs bench`: a load generator and its two yardsticks
    config.py  every setting, its unit, default and explanation
    log.py     structlog set-up
    ready.py   telling others that a server listens
    cli.py     the command `ugs`

Arrows point one way: daemon -> broker -> wire.messages; nothing in here imports game_masters.
"""

__version__ = "0.1.0"
