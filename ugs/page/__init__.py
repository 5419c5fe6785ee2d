"""The page: what people see with a browser, and programs as JSON.

Whatever takes long happens in processes of their own, the workers. In the server there is only what may not wait::

    contract.py   what the page needs of the server, and what goes to the worker and back
    app.py        the routes: queries are checked, answers sent with strict headers
    facts.py      what the running server adds to a page
    boards.py     running games: sent to the worker as they go on
    audience.py   open pages that are told when what they show changes
    office.py     the workers, seen from the server: queues, answers that are kept
    desks.py      which worker answers what: a table
    code_below.py whether the code on disk is still the server's, from which workers start
    dear.py       what was too dear for a worker
    worker_process.py  a worker: its process and its pipes
    lines.py      over which line a request has come
    play/         people who play
    corner.py     a player's own games, for whoever has its token
    keys.py       the tokens of organisers
    cookies.py    what is remembered of browsers
    visits.py     who is at the administration
    orders.py     its forms, as requests to the server
    admin.py      its pages
    forms.py      what browsers send
    assets.py     style and scripts: what is in the folder of this name

Both sides know::

    pages.py      the table of all pages: paths, parameters, what the server adds
    pipe.py       what goes through the pipes between them
    squeezed.py   events, compressed once for all
    html.py       HTML, written with the templates in the folder of this name
    model.py      what pages show of the running server, as values
    played.py     the same of games
    results.py    the same of standings, players, championships and the overview

The worker::

    bounds.py     what is computed for one request, at most: all bounds in one place
    worker.py     the process
    answers.py    what it can be asked: a table
    views.py      one function for each page: from journal and facts to values; the table of them
    live_views.py what the running server says
    games.py      games: as they run, as they were
    tables.py     standings
    people.py     players
    contests.py   championships
    replays.py    games that have ended, position by position
    charts.py     charts
    site.py       the journal, as everybody may read it
    scores.py     standings, computed in a thread and kept
    own.py        the games of one player, as it saw them
    drawing.py    running games: each position is drawn once
    hands.py      positions as those see them who play at a browser
    openapi.py    the description of the API
    export.py     the pages of a journal as files
    packed.py     the positions of a game as one script for them

No page has a script or style in it; none loads anything from elsewhere. What others chose is escaped by the templates.
The room knows no sockets and nothing of the inside of the broker.
"""
