"""Looking into the lobby of a server from the command line: who is here, what is played, at which tables one may sit.

asking.py     the conversation with the server: in, one question, out
showing.py    the answers as tables for people, and as values for JSON
"""
