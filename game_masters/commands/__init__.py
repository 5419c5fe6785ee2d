"""The commands that this package adds to ``ugs``, one module each.

master.py   lead games
bot.py      play games; ``ugs player`` is another name of it
bot_lines.py  what it writes on a terminal
engine.py   an engine for a chess or Go interface, which has a seat of a server
engine_run.py  what it does
engines.py  programs that play by a protocol of engines
games.py    the installed games with their options and bots
puzzle.py   puzzles to solve
puzzling.py what it does
puzzle_program.py  programs that try puzzles
options.py  options that master and bot have in common
playing.py  what they mean, and the run
mcp.py      a door for agents on standard input and output
tour.py     ten guided minutes
starting.py what a master begins games with
"""

import typer

from ugs.commands.lazy import BEGIN, BETTER, PLAY, add_listed


def register(app: typer.Typer) -> None:
    """Add the commands to the command line of ``ugs``; none is loaded before it is asked for."""
    leads = "Lead games: connect to a server as the game master of GAME, and again whenever the connection is lost."
    plays = "Play games: connect a bot to a server, and again whenever the connection is lost."
    shows = "List the installed games, one a line; of one game, or with --long of all, show the options and bots, too."
    add_listed(app, "master", "game_masters.commands.master:master", leads, panel=PLAY)
    add_listed(app, "bot", "game_masters.commands.bot:bot", plays, panel=PLAY)
    add_listed(app, "player", "game_masters.commands.bot:bot", plays, hidden=True)
    solves = "Solve puzzles: a position, a task, and a judge that knows the rules."
    add_listed(app, "puzzle", "game_masters.commands.puzzle:puzzle", solves, panel=BETTER)
    leads_on = "Ten guided minutes: games, a match, why a player lost, a bot of your own, a check of it."
    add_listed(app, "tour", "game_masters.commands.tour:tour", leads_on, panel=BEGIN)
    lets_in = "Let an agent play: serve the Model Context Protocol on standard input and output."
    add_listed(app, "mcp", "game_masters.commands.mcp:mcp", lets_in, panel=PLAY)
    is_engine = (
        "Be an engine on standard input and output for a chess or Go interface, which plays with a seat of a server."
    )
    add_listed(app, "engine", "game_masters.commands.engine:engine", is_engine, panel=PLAY)
    add_listed(app, "games", "game_masters.commands.games:games", shows, panel=PLAY)
