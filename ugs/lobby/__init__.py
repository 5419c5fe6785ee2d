"""A look into the lobby of a server from the command line: the players, the game types, and the open tables.

client.py     the conversation with the server: log in, one question, log out
text.py       the answers as text laid out for people, and as values for JSON
"""
