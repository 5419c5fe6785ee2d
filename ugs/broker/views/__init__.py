"""Descriptions of the state, read only: for people, pages, spectators and rules.

awaited.py     whose silence a timer judges
candidates.py  who may be in the field of a championship
overview.py    the whole server, in numbers and a line for each game type
privacy.py     which players may find a table, or its game
public.py      what is public about the server
seat_infos.py  who sits where
spectator.py   a game as spectators see it
why.py         why a peer waits, how a game stands
"""
