"""Recorded games, played again: for people to watch, or to see whether a master or a bot still does the same.

* ``source``: a game by its id in a journal, or in a file.
* ``show``: a game on the terminal, in the rhythm in which it was played.
* ``script``: what is to be said to a master or a player, and what it said the last time. (no I/O)
* ``comparing``: whether two payloads are the same, and where they begin to differ. (no I/O)
* ``dialogue``: the server's side of one connection; ``program``: a process that connects to us.
* ``master``, ``player``: the two conversations along a script; ``report``: what came of them, in words.
"""
