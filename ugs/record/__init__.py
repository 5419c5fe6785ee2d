"""A game as it was recorded: what is in it, how it is written as text, how it is told.

* ``game``: the values, :class:`~ugs.record.game.GameRecord` and its entries.
* ``ugsg``, ``jsonl``: readable text and JSON lines, exact and strict; ``files``: whichever a file holds.
* ``tags``, ``escapes``, ``times``: what readable text is made of.
* ``soundness``: what every record has to be, so that it can be written at all.
* ``views``: who was shown what, and what everybody may see. ``pace``: how long everybody took.
* ``telling``: a record in words.
"""
