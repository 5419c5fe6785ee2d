"""The page: what people see with a browser, and programs as JSON.

Slow work happens in processes of their own, the workers. In the server there is only what may not wait::

    server/         what runs in the server
    worker/         what runs in a worker

Both sides know::

    contract.py     what the page needs of the server, and what goes to the worker and back
    pages.py        the table of all pages: paths, parameters, what the server adds
    pipe.py         what goes through the pipes between them
    worker_limits.py  what is computed for one request, at most: all bounds in one place
    gzip_chunks.py  events, compressed once for all
    html.py         HTML, written with the templates in the folder of this name
    option_purposes.py  what options of games are for
    assets.py       style and scripts: what is in the folder of this name
    model.py        what pages show of the running server, as values
    played.py       the same of games
    results.py      the same of standings, players, championships and the overview
    drawing.py      running games: each position is drawn once
    seen_positions.py  positions as those see them who play at a browser

No page has a script or style in it; none loads anything from elsewhere. What others chose is escaped by the templates.
The room knows no sockets and nothing of the inside of the broker.
"""
