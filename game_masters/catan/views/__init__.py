"""What a seat is shown, as values and as XML.

view.py     what a seat is shown
showing.py  makes that out of the game
writing.py  the parts of a table as XML
changes.py  writes what has changed of it, and puts it into what is known
"""
