"""The page in the server: only what may not wait for a worker.

admin.py           its pages
admin_orders.py    its forms, as requests to the server
admin_tokens.py    the tokens of organisers
admin_visits.py    who is at the administration
app.py             the routes: queries are checked, answers sent with strict headers
event_stream.py    open pages that are notified when what they show changes
live_boards.py     running games: sent to the worker as they go on
code_on_disk.py    whether the code on disk, that workers start from, is still the server's
cookies.py         what is remembered of browsers
overview_games.py  the games that the overview shows: each keeps its place until its end was seen
package_types.py   what games are called: their packages, and their titles
live_facts.py      what the running server adds to a page
forms.py           what browsers send
manual.py          the manual under /docs
request_line.py    whether a request came over a safe line
masthead.py        what stands around all pages
my_games.py        a player's own games, for clients with its token
too_expensive.py   what was too expensive for a worker
worker_client.py   the workers, seen from the server: queues, answers that are kept
worker_duties.py   which worker answers what: a table
worker_process.py  a worker: its process and its pipes
play/              People who play with a browser, as ordinary players of the broker.
"""
