"""A recording of a terminal as a picture that moves, made from a real run.

screen.py  what a terminal shows after it was sent these bytes
film.py    an asciicast as SVG, without a script
record.py  ``python -m tests.cast.record docs/pictures/demo.svg``
"""
