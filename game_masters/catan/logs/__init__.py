"""Logs of games in the text format of JSettlers, and the actions of players that are found in them.

soclog.py           logs of games, as text and as XML
extractor.py        finds the actions in a log
action.py           what is found
sequences.py        the sequence of each action
piece_sequences.py  those of pieces
card_sequences.py   those of development cards
steps.py            what several of them take from a log
matching.py         a place in a log, and what may come next there
"""
