"""What UGS v4 lacks, one room for each extension; a peer that has not asked for any of it never notices.

switchboard.py  which request of which family may come when, and who answers it
sessions.py     session, state: coming back after the line was cut
revival.py      running games after the server itself was lost
tables.py       lobby: tables that players set up, from the first seat to the end of the game there
choices.py      lobby: what may be chosen for a table, and which master can lead the game there
lists.py        lobby: who and what is here
news.py         lobby: who sits where, and why a game has ended
chat.py         chat
silence.py      who is idle or inactive
clocks.py       clock: budgets of time, round trips, warnings
watching.py     watch: spectators, and what they follow
story.py        watch: a game as everybody may know it, event by event
masters.py      views, table, movers, restore: what game masters may say beyond v4
refusal.py      how a request is refused
"""
