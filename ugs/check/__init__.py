"""Conformance: does this bot, or this game master, speak the protocol?

Without I/O::

    case.py          what a case is, and what has come of it
    sentences.py     the sentences of the protocol that cases stand on
    unusual_names.py  nicks, ids of games and texts as they seldom are
    xml_spelling.py  XML written and cut in many ways
    as_server.py     what a server sends
    suites.py        all cases
    findings_output.py  what has come of a check: console, JUnit XML, TAP

The cases of bots and of game masters::

    shared_cases.py            what both read, and how connections end
    bot_cases.py               a bot comes in, moves, thanks and ends
    bot_reading_cases.py       what it reads: cut, glued, written otherwise, with unusual names
    bot_extension_cases.py     families
    master_cases.py            a master comes in, leads games, sees players leave, and ends
    master_reading_cases.py    what it reads, and many games at once
    master_wrong_cases.py      moves that are none, messages that are late or unknown
    master_extension_cases.py  families, and verdicts beside those of installed rules
    master_sketch_cases.py     what it draws

With it::

    visitors.py      where connections of a program come from: started here, or by hand
    byte_line.py     one connection, as bytes
    referee.py       a game master that is known to be right, and opponents
    offered_moves.py  opponents in a game whose rules are not installed
    stage.py         what all stages have in common: a connection from case to case
    tried_bot.py     the stage of bots: server, game master and opponents around one
    bot_game.py      a game with a bot on trial
    bot_requests.py  what a bot may send at any time, and what is done about it
    tried_master.py  the stage of game masters: server and players around one
    led_game.py      a game that the master on trial leads
    drawn_positions.py  what it draws of a game, judged as by a server, and the moves that are offered in it
    trial.py         tries cases, one after another
    whole_check.py   a whole check

and for replays::

    move_verdict.py  whether an answer is legal by the rules
"""
