"""Several servers, called nodes, on one database: each game type is at home at one of them, and each is a door to all.

node_places.py        where a node's journal is in the database, and how all of them are read together
shared_database.py    the connection to that database
homes_table.py        the table of nodes and homes, in the database
known_homes.py        the same in memory, as old as the latest look
shared_table.py       what a node asks of the table
nick_table.py         the nicks in use at all nodes, in the database
nick_sharing.py       how a node claims and releases them, many at a time
overview_table.py     what nodes show of themselves, in the database
overview_sharing.py   how much of itself a node shows, and when
login_router.py       which logins are for another node, and what becomes of them
introduction.py       how a node proves to another one that it is one, and whom it relays
home_turns.py         how many peers are on their way to a home at once
node_lines.py         what they send and receive meanwhile
relayed_transport.py  the line from a door, as the home sees it
games_elsewhere.py    games of other nodes, as the page here follows them
relay.py              the bytes of a relayed peer, both ways
node_port.py          where other nodes connect
local_line.py         a line between nodes on one machine: a peer's socket can go over it
hand_over.py          how a door gives a peer to a home on its machine
handed_transport.py   the line of such a peer, as the home sees it
home_socket.py        where doors on this machine hand peers over
node.py               a server as a node: these parts put together

Nothing but the command line imports this package.
"""
