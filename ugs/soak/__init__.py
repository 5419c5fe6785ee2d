"""`ugs soak`: a real server under attack, and a real server whose peers come, go and crash.

What runs under ``--attacks``, each line a process of its own, and all of them started again
for each attack::

    server    `ugs serve` with a data directory, HTTP and every installed gateway
    referee   `ugs master`, for the witness
    witness   witness.py: calm games whose moves are timed
    attacker  attacker.py with one script, nice 10, from an address of its own
    runner    measure.py: starts the others, watches the server's memory, reads its log

and under ``--churn``, all the time::

    server    `ugs serve`, killed now and then
    masters   three times `ugs master`, killed now and then
    bot       `ugs bot`, killed now and then
    runner    churn.py, with a churn_player.ChurnPlayer for each player

and under ``--faults`` the same, where lines, disk and clocks of the server fail and one more master answers garbage.
Under ``--rehearsal`` players speak TLS and own their names, and witness, impostors and attackers are beside them.

Modules::

    traffic.py       what attackers send, as bytes                        (no I/O)
    target.py        connections of an attacker, and what becomes of them
    request_attacks.py  attacks with requests
    document_attacks.py  attacks with documents
    door_attacks.py  attacks with connections, logins, HTTP and WebSockets
    impostors.py     attacks by clients that pretend to be another one
    fresh_names.py   an attack with nicks that were never used before
    page_attacks.py  attacks on the page
    person_attacks.py  attacks on the page in the name of a person
    picture_attacks.py  attacks on the pictures of the page
    sketch_attacks.py  attacks with boards that a master describes
    remark_attacks.py  an attack with remarks
    game_attacks.py  attacks in games
    many_seats.py    attacks in games of thousands of seats
    crowding.py      attacks in many games at a time, and on the lines of others
    fault_attacks.py attacks with refused moves: more than may be, and players that do not read
    field_attack.py  an attack on the field of a championship
    first_starts.py  first starts that are killed
    hostile_files.py records, plans and settings that cost more than they are worth
    attacks.py       the table of all attacks
    attacker.py      one attack, as a process
    witness.py       the calm games, as a process
    neighbours.py    others at the doors beside an attack
    server_process.py  processes: a server, a master
    measure.py       one attack after another
    findings.py      what an attack did, held against the bounds          (no I/O)
    report.py        findings and summaries as text                       (no I/O)
    churn_invariants.py  what must hold of games: each loss is explained by what a player did  (no I/O)
    summary.py       what happened under churn                            (no I/O)
    churn_player.py  a player that gets into trouble
    line_faults.py   lines that fail
    set_clock.py     a clock on the wall that can be set for one server
    machine_faults.py  a disk that is full or slow, a machine that sleeps, a clock that is set
    bad_master.py    a game master that answers garbage
    page_and_journal.py  what the page shows, held against the journal
    churn_settings.py  what kind of trouble there is
    churn.py         rounds of trouble, and the invariants
    rehearsal.py     the same on a public address, with attackers
    long_games.py    very many long games, in this process: ``--long-games`` starts none
    cluster/         servers, databases and masters of a cluster, killed in turn: ``--cluster``
    costs/           what one message costs, in this process: ``--costs`` starts none

It only runs on Linux: it reads the memory of other processes, and attackers come from 127.0.0.2.
"""
