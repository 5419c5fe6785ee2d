"""Robots and clients of JSettlers at our tables: ``ugs catan bridge``.

It is a process of its own, which speaks their lines on one side, and on the other is an ordinary player for each.

framing.py    bytes <-> lines: a length of two bytes, then Java's form of UTF-8
lines.py      what the master sends, as lines
asking.py     lines of a client, as what it wants
turns.py      what a client is asked, and which of its requests answers that
guest.py      one client, from its first line to its last game, without I/O
serving.py    the sockets
program.py    what the command starts
"""
