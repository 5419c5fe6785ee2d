"""Adds ``ugs catan`` to the command line. It loads nothing of the game: ``ugs --help`` has to stay quick."""

import typer

from ugs.commands.lazy import PLAY, add_listed


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    help = "Catan beside JSettlers: logs of games as .soclog, what is in them, and a bridge for its robots."
    add_listed(app, "catan", "game_masters.catan.tools:app", help, panel=PLAY)
