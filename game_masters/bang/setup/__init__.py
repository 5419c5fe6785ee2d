"""How a game begins: its lobby, then the deal, by chance or from a fixture.

lobby.py      a game that waits for its start
beginning.py  how a game is set up
fixture.py    a beginning that is fixed, in place of chance
"""
