"""HTTP on the port of the page: connections, turns, and what the running server answers.

admin_page.py    what the administration of the page needs of the server
live.py          what the page asks of the running server
mount_route.py  applications of other packages in the page
page_nursery.py  the page of a server, in a nursery of its own
page_players.py  connections of people who play with a browser
probes.py        what programs ask over HTTP: /metrics and /readyz
server.py        connections of web clients
strict.py        requests that are not clear are refused
tls.py           the same over TLS
request_turns.py  whose turn it is among them
whole_page.py    the page of a running server, put together
"""
