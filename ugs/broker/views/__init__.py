"""What can be said about the state: read only, for people, pages, spectators and rules.

awaited.py     whose silence a timer judges
candidates.py  who may be in the field of a championship
overview.py    the whole server, in numbers and a line for each game type
privacy.py     who may find a table, or the game at it
public.py      what everybody may know of the server
seat_infos.py  who sits where
spectator.py   a game as spectators see it
why.py         why a peer waits, how a game stands
"""
