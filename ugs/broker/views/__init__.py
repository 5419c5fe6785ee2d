"""Descriptions of the state, read only: for people, pages, spectators and rules.

awaited.py        whose silence a timer judges
away_entrants.py  until when a championship waits for entrants
candidates.py     who may be in the field of a championship
championship_waits.py  what a championship and its entrants wait for
closed_types.py   why no game of a type begins
deserted_tables.py  where all who sit there have lost their lines
next_games.py     what the next game of an entrant of a championship waits for
offered_options.py  which options masters offer, and which wishes they meet
offered_types.py  game types as lists of the lobby show them
overview.py       the whole server, in numbers and a line for each game type
privacy.py        which players may find a table, or its game
public.py         what is public about the server
seat_infos.py     who sits where
spectator.py      a game as spectators see it
whole.py          what is public about all nodes of a cluster
why.py            why a peer waits, how a game stands
wording.py        how sentences name games, peers and numbers
"""
