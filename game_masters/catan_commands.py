"""Adds ``ugs catan`` to the command line. It loads nothing of the game: ``ugs --help`` has to stay quick."""

import typer

from ugs.commands.lazy import add_listed


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    help = "Logs of Catan: export recorded games as .soclog, list the actions in logs, and replay them."
    add_listed(app, "catan", "game_masters.catan.tools:app", help, panel="Games")
