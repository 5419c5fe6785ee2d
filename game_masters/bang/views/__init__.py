"""What readers of a game know of it.

view.py     what a reader is shown
known.py    what a reader knows, and how it follows from events
readers.py  what all readers of a game know, and knew before
dealing.py  what a reader does not know, dealt at random
"""
