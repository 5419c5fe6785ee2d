"""The Trio shell: it does what the broker decides, and decides nothing itself.

The way of an event, from the socket to the broker and back::

    network/        sockets and TLS: from a port that listens to a transport
    connections/    one peer: reads its bytes, queues what it is sent
    fairness/       whose turn it is, how much a peer may send
    peers.py        the connections: they come, log in, are closed and end
    intake.py       bytes -> documents -> events
    server_clock.py what time it is: no clock runs while peers wait for the journal
    driver.py       an event goes into the broker, its effects are performed, without an await
    deliveries.py   messages -> bytes -> batches, and one flush when all ready tasks have run

The other performers of effects::

    clocks/         timers, and what they count
    journal/        entries and results to the journal, and what is read again
    watch/          spectators
    memory/         what is held for peers and games, and how it is freed
    access.py       the file of who may come in
    proofs.py       secrets are checked, by a thread
    questions.py    questions and orders for the broker, and its answers
    status/         what the server is doing: for people, for Prometheus
    processes/      tasks that fail, the process of the server, processes that it starts
    random_ids.py   ids and secrets
    shell.py        all these put together, and the table: effect -> performer

A server and its doors::

    serve.py        listeners, nurseries, signals, the order of start and stop
    admin.py        the socket for people at this machine
    http/           the page and what programs ask over HTTP
    gateways/       clients of other protocols

No two modules import each other, directly or through others. Where a lower part calls a higher one it knows a small
protocol: a connection its :class:`~ugs.daemon.connections.connection.ConnectionHost`, a doorkeeper its
:class:`~ugs.daemon.network.listening.ListeningDoor`.
"""
