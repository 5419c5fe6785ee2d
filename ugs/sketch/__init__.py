"""Sketches: positions as their game master describes them, in words that fit many games, or as a drawing.

A master of any language sends one with ``x-sketch``; the server passes it on, records it and has it drawn as it has the
pictures of games in Python. Who reads a sketch holds nothing of it to be harmless: each element, attribute and value
that is not in the vocabulary is refused, with its name.

elements.py    the text of a sketch as elements
vocabulary.py  which elements and attributes there are, and what each may hold
drawings.py    drawings: the elements and attributes of SVG that do no harm
model.py       a sketch as values
size.py        how large the picture of a sketch gets at most
decoding.py    bytes -> a sketch, within its bounds
refusal.py     what stands in the place of a sketch that was refused

All of it is pure, and none of it uses a parser of XML: what arrives on the wire is well-formed.
"""
