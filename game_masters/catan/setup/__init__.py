"""How a game begins: by chance, or from a fixture.

beginning.py  options, seats, board, deck, and who begins
fixture.py    the beginning in a fixture
laying.py     shuffles a board
plans.py      the boards in boards.toml
"""
