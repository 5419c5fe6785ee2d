"""What the broker keeps: data and their names, no rules. Imports nothing of the broker but its values.

connection.py       a connection, a peer, a newcomer, a spectator
model.py            players, game masters, game types, games
table.py            tables in a lobby
turn.py             whose turn it is in a game
unannounced_end.py  the end of a game before it is announced
standings_news.py   which version of the standings players have
phases.py           the phases of a game, and what can happen to it
last_shown.py       what the players of a game were shown, and the master's reasons
time_budgets.py     the time that each player has left
remarks_made.py     how much the players of a game have remarked
move_faults.py      how many moves of players were refused
games_given_up.py   how many games a master has given up in a row
game_state.py       states of a master: one for all, or one for each
history.py          the public history of a game
championship.py     one championship: its plan, its ledger, what has become of its schedule
meetings.py         whom players met last in open play
gathering.py        how many players a game of the pool wants, and how long they wait for more
rests.py            players who rest after faults in a row
seating.py          which seats each player has had
names.py            which peer has a name
other_nodes.py      what other nodes have shown
bans.py             who may not come in
identities.py       which names have tokens, and failed attempts
absent.py           players whose line is cut and who may come back
allowance.py        how many long answers a peer, and an address, may have
recent_refusals.py  logins that were refused lately
session_tokens.py   the tokens of sessions: who has which, and who had it
extras.py           what extensions keep with a peer, a game, a table or the server
server_state.py     the registries, the present moment, the effects, and how rules reach each other
"""
