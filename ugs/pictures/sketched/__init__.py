"""Pictures of sketches: positions that a game master of any language has described.

picture.py  a sketch as a picture: SVG, terminal, words, offers
terminal.py a sketch as lines for a terminal
fitting.py  where points stand on a terminal
letters.py  what stands on a terminal, letter by letter
words.py    a sketch in words
grounds.py  where cells are, and what they look like
pieces.py   what lies on cells and in hands
legend.py   who plays, with counters and hands
"""
