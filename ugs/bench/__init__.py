"""`ugs bench`: what a relayed message costs the broker, beside two yardsticks under the same traffic.

What runs, each line a process of its own::

    targets    `ugs serve`, the bare relay (bare.py), the naive broker (naive.py): one at a time
    players    generator.py with a script.ScriptedPlayer per connection
    masters    generator.py with a script.ScriptedMaster per connection
    runner     run.py: starts the others, takes their samples, interleaves the targets

and for `--spectators`::

    target     `ugs serve`
    game       pacer.py: two players who think, and their master
    spectators spectators.py
    runner     watched.py: in turns with spectators and without

and for `--latency`, `--flat` and `--idle`::

    targets    `ugs serve`, for latency also the bare relay: all at the same time, measured in turns
    load       paced.py, for each of them: moves at the moments of a schedule; none for idle
    others     bystanders.py: peers that are there and do nothing
    runner     latency.py, flat.py, idle.py

and for `--logins`::

    target     `ugs serve`
    load       newcomers.py: players who all come at once, and their master
    others     programs that want a processor
    runner     login_rush.py

and for `--nodes`::

    targets    three `ugs serve` on one database, of which one only relays
    players, masters  generator.py, one for each node that is measured
    runner     nodes.py

Modules::

    load.py        what is asked for: how many games, how many moves, how large the payloads
    payload.py     filler that looks like a game's XML, to the byte
    message_script.py  what a scripted master and player answer             (no I/O)
    message_counts.py  what they received, and how long it took             (no I/O)
    connections.py the epoll loop that carries the scripts
    generator.py   scripts that play as fast as they are served
    move_schedule.py  when moves are due                                   (no I/O)
    paced.py       a load at a steady rate of deliveries
    bystanders.py  peers that are there and do nothing
    orders.py      the runner's orders to a process of the load
    process.py     processor time and memory of another process
    ready.py       the file where a listening broker names its port
    child.py        a process that a measurement starts with a plan
    certificate.py a certificate for a server that is only measured
    targets.py     the table of brokers that can be measured
    bare.py        yardstick: a Trio relay without XML
    naive.py       yardstick: a broker written in an afternoon
    run.py         one window, one sweep, all rounds
    latency.py     how soon players have the states that follow their moves
    flat.py        what a message costs beside few and beside many
    idle.py        memory for each of many players who wait
    login_rush.py  many logins at once on a busy machine
    nodes.py       what a delivery costs two nodes of a cluster, one of them, and one through another's door
    processor_quota.py  a part of a processor for each process
    newcomers.py   the players who come then
    restart.py     how soon a broker is ready on a large journal
    site_copy.py   how long a copy of the site takes
    watched.py     what spectators cost the players of a game
    pacer.py       games at a natural pace
    pages.py       what the page costs: open pages beside games, standings, a first view
    open_pages.py  many open pages that only listen
    spectators.py  many spectators that only read
    figures.py     samples -> medians and ratios                        (no I/O)
    goals.py       the goals, and whether figures meet them             (no I/O)
    report.py      figures as text and as JSON                          (no I/O)
    paced_report.py the same of latency, of many, and of idle players   (no I/O)

It only runs on Linux: it waits with epoll and reads the processor clock of other processes.
"""
