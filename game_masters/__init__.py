"""Game masters and bots for the universal game server, and the kit they are made with.

Where things are::

    kit/rules.py     what a game is: declared facts, a state that obeys the rules, notation, bots   (no I/O, no wire)
    kit/payload.py   safe reading of the XML that a game's notation understands
    kit/client.py    what a master or a bot may ask of its connection: send, pause, note, finish
    kit/entry.py     how both get in: extensions asked for, login, refusal                            (no I/O)
    kit/master.py    the broker's messages in, a master's answers out, many games at once             (no I/O)
    kit/leading.py   one of those games, from its beginning to its end                                (no I/O)
    kit/seating.py   who sits where: players, the seats that the program plays, options               (no I/O)
    kit/showing.py   what the players are told of a state: one for all, or one for each               (no I/O)
    kit/news.py      what each seat has certainly heard, so that states tell it the rest              (no I/O)
    kit/player.py    the broker's messages in, a bot's answers out                                   (no I/O)
    kit/sitting.py   one game as a bot goes through it, cut lines included                            (no I/O)
    kit/tables.py    how a bot comes to its games: from the pool, or at a table                       (no I/O)
    kit/hosting.py   setting a table up, or sitting down at one                                       (no I/O)
    kit/wishes.py    what was asked for on the command line, as a place to play at                    (no I/O)
    kit/run.py       the Trio loop that masters and bots run in: connect, log in, answer, reconnect
    kit/contract.py  what a promise of a game is
    kit/check.py     contract tests that every game must pass: its rules, notation and bots
    kit/check_led.py the same for a game that is led by the master; stage.py plays it for them
    kit/golden.py    whole games as readable text, recorded and replayed
    registry.py      finds the installed games (entry-point group ``ugs.games``)
    commands/        ``ugs master``, ``ugs bot``, ``ugs games``, one module each
    <game>/          one package per game: rules.py, notation.py, bots.py, and GAME in __init__.py

Arrows point one way: commands -> registry, kit -> ugs.peer, ugs.wire. A game's rules import nothing but
``game_masters.kit.rules``; one game never imports another. ``docs/adding-a-game.md`` shows how a game is added.
"""
