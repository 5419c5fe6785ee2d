"""The Trio shell: it does what the broker decides, and decides nothing itself.

The way of an event, from the socket to the broker and back::

    transport.py             bytes in and out: a raw socket
    tls.py                   the same, encrypted
    connection.py            one peer, from its first byte to its end
    shares.py                who is served next, so that no peer keeps another waiting
    turns.py                 a pass: turns for those who have something to say
    reading.py               one task that reads for all peers, a turn at a time
    watchdog.py              counts and names the documents that hold the loop for too long
    rates.py                 how much a connection and an address may say in a time
    unfinished.py            documents that do not end
    intake.py                bytes -> documents -> events
    driver.py                an event goes into the broker, its effects are performed, without an await
    in_hand.py               the document that is being handled, for whoever it is handed on to
    deliveries.py            messages -> bytes -> batches, and one flush when all ready tasks have run
    outbox.py                what waits to be sent to one peer
    account.py               the memory that is held for peers and games, added up in slices
    growth.py                how much more it may be by now, without a look at anybody
    holders.py               who holds it: what a look at each finds, and how it is given back
    shedding.py              the limits of what is held, and who has to go when it is too much

The other performers of effects::

    peers.py                 the connections: they come, log in, are closed and end
    recorder.py              entries and results to the journal, each with its moments
    timers_after_sending.py  timers that count from when a peer has been handed its messages
    wire_credit.py           for how long a clock may stand still meanwhile
    heard_out.py             a timer waits until the peer that it judges has been heard
    spectators.py            what is published goes to many spectators, when there is time for it
    channel.py               one channel of spectators
    gateway_players.py       players for whom a gateway speaks
    draws.py                 draws of championships, in a process of their own
    accounts.py              accounts of games, read from the journal by a thread
    pasts.py                 the past of running games: kept outside of memory, and read again
    access.py                the file that says who may come in
    proofs.py                secrets are checked, by a thread
    questions.py             questions and orders for the broker, and its answers
    tally.py                 what has happened, counted
    health.py                whether the server is ready for peers
    status.py                what the server is doing, as data with names
    metrics.py               the same for Prometheus
    shell.py                 all these put together, and the table: effect -> performer

What they use::

    timers.py                named timers
    supervision.py           tasks that fail begin again, or end the server where games are at stake
    wall_clock.py            what the clock on the wall shows, and showed before it was set
    draw_worker.py           what that process does
    standings_writer.py      standings to bytes, row by row
    payload_log.py           documents in the log, without secrets
    journal_bridge.py        the journal's thread and the broker's tell each other what has happened

A server and its doors::

    serve.py                 listeners, nurseries, signals, the order of start and stop
    listening.py             accepting connections, within limits
    handshakes.py            TLS handshakes, before anybody knows of the peer
    certificates.py          the server's certificate, read at the start and when it has changed
    chance.py                ids and secrets
    process.py               open files, the garbage collector, which signals stop a server
    garbage.py               looks for old garbage in quiet moments
    admin.py                 the socket for people at this machine
    http.py                  connections of web clients
    http_turns.py            whose turn it is among them
    http_strict.py           requests that are not clear are refused
    http_tls.py              the same over TLS
    live.py                  what the page asks of the running server
    administering.py         what the administration of the page needs of the server
    probes.py                what programs ask over HTTP: /metrics and /readyz
    page.py                  the page of a server, in a nursery of its own
    steps.py                 the watchdog hears of steps of its tasks
    page_players.py          connections of people who play with a browser
    gateways.py              the server of one gateway: its clients, its timers, what it asks
    websocket.py             one client of a gateway
    text_outbox.py           the texts that wait to be sent to it
    websocket_line.py        the WebSocket library on a transport

No two modules import each other, directly or through others. Where a lower part calls a higher one it knows a small
protocol: a connection its :class:`~ugs.daemon.connection.Host`, a doorkeeper its :class:`~ugs.daemon.listening.Door`.
"""
