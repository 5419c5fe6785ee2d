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
    runner     watched.py: with spectators and without, in turns

Where things are::

    load.py      how many games, how long, how large: what is asked for
    payload.py   filler that looks like a game's XML, to the byte
    script.py    what a scripted master and player answer             (no I/O)
    tally.py     what they heard, and how long it took                (no I/O)
    generator.py the epoll loop that carries the scripts
    process.py   processor time and memory of another process
    ready.py     the file in which a listening broker names its port
    targets.py   the table of brokers that can be measured
    run.py       one window, one sweep, all rounds
    restart.py   how soon a broker is ready on a large journal
    watched.py   what spectators cost the players of a game
    pacer.py     one game at a natural pace
    spectators.py  many who only read
    figures.py   samples -> medians and ratios                        (no I/O)
    goals.py     what must come out                                   (no I/O)
    report.py    the table, and the same as JSON                      (no I/O)

Only Linux can run it: it waits with epoll and reads the processor clock of other processes.
"""
