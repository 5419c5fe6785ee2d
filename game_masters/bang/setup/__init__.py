"""How a game begins: its lobby, then the deal, by chance or as a fixture says.

lobby.py      a game that waits for its start
beginning.py  how a game is set up
fixture.py    a beginning that is fixed, in place of chance
"""
