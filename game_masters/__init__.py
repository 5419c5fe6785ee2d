"""Game masters and bots for the universal game server, and the kit they are made with.

Where things are::

    kit/rules.py     what a game is: declared facts, a state that obeys the rules, notation, bots   (no I/O, no wire)
    kit/payload.py   safe reading of the XML that a game's notation understands
    kit/client.py    what a master or a bot may ask of its connection: send, pause, note, finish
    kit/master.py    the broker's messages in, a master's answers out, many games at once             (no I/O)
    kit/player.py    the same for a bot                                                              (no I/O)
    kit/run.py       the Trio loop that both run in: connect, log in, answer, reconnect
    kit/check.py     contract tests that every game must pass
    kit/golden.py    whole games as readable text, recorded and replayed
    registry.py      finds the installed games (entry-point group ``ugs.games``)
    commands.py      ``ugs master``, ``ugs bot``, ``ugs games``
    <game>/          one package per game: rules.py, notation.py, bots.py, and GAME in __init__.py

Arrows point one way: commands -> registry, kit -> ugs.peer, ugs.wire. A game's rules import nothing but
``game_masters.kit.rules``; one game never imports another. ``docs/adding-a-game.md`` shows how a game is added.
"""
