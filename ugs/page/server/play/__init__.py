"""People who play with a browser, as ordinary players of the broker.

::

    persons.py          a WebSocket to the page, a connection to the broker, and all that goes between them
    page_requests.py    what the page asks, as messages to the server: a login, a move
    server_messages.py  what the server sends
    person_state.py     what the person is doing, and what the page shows

All but the first know no I/O.
"""
