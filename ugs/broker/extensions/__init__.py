"""The extensions of UGS v4, one module or folder each; a peer that has not asked for any notices nothing.

chat.py           chat
clocks.py         clock: players are told their time, and warned when it runs out
idle_timeouts.py  players and tables that do nothing for long
lobby/            lobby: tables that players set up, lists, news
masters.py        views, movers, table, restore: what game masters may say beyond v4
request.py        what an extension is: requests, hooks, timers
sessions.py       session, state: coming back after the line was cut
switchboard.py    finds the extensions, and takes in their messages
watch/            watch: spectators, and what they follow

An extension is found by its file: a module or folder here with an ``EXTENSION``. It keeps its data under keys of its
own (``state/extras.py``) and hears of what happens by facts (``facts.py``). None imports another one; the server runs
without any of them.
"""
