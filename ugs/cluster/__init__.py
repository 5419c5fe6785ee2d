"""Several servers, called nodes, on one database: each game type is at home at one of them, and each is a door to all.

node_places.py   where a node's journal is in the database, and how all of them are read together
homes_table.py   the table of nodes and homes, in the database
homes.py         the same in memory, as old as the latest look

Nothing but the command line imports this package.
"""
