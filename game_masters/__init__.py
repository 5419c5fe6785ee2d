"""Game masters and bots for the universal game server, and the kit they are made with.

kit/          what every game has in common; its __init__.py is the map
registry.py   finds the installed games (entry-point group ``ugs.games``)
agents/       a door for agents that call tools (``ugs[mcp]``)
env/          games as environments for learners (``ugs[env]``)
commands/     ``ugs master``, ``ugs bot``, ``ugs games``
chess/        chess, Chess960, variants of chess, and engines that speak UCI
go/           Go by area rules, and programs that speak GTP
bang/         Bang!, with hidden roles and hands
tic_tac_toe/  five in line
apologies/    Apologies in two modes, and the gateway for its original clients
titan/        Titan, the monster slugathon
catan/        Catan in the message sequences of JSettlers, with sea and scenarios
openspiel/    the games of OpenSpiel, made on demand
pettingzoo/   environments of PettingZoo as games, made on demand
catan_commands.py  adds ``ugs catan``

Each game is a package with rules.py, notation.py, bots.py, and GAME in __init__.py.

Imports point one way: commands -> registry, kit -> ugs.peer, ugs.wire. A game's rules import only
``game_masters.kit.rules``; one game never imports another. ``docs/adding-a-game.md`` shows how to add a game.
"""
