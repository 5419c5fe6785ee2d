"""How a game begins: by chance, or as a fixture says.

beginning.py  options, seats, board, deck, and who begins
fixture.py    what a fixture says of that
laying.py     shuffles a board
plans.py      what boards.toml says of boards
"""
