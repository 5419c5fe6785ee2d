"""The command ``ugs demo``: its options. What it does is in :mod:`ugs.commands.demo_run`."""

from pathlib import Path
from typing import Annotated, Final

import typer

from ugs.commands.failure import WRONG_USAGE, failure
from ugs.commands.game_names import games as games_named

MAX_BOTS: Final = 200
"""Bots of a demonstration: each is a process."""


def demo(
    game: Annotated[
        str, typer.Option(help="Which game is played; `ugs games` lists those installed.", autocompletion=games_named)
    ] = "tic-tac-toe",
    bots: Annotated[
        int | None,
        typer.Option(min=2, max=MAX_BOTS, help="How many bots play.  [default: 4, or as many as the game needs]"),
    ] = None,
    games: Annotated[int, typer.Option(min=0, help="Games to play in all; 0: until stopped.")] = 0,
    think_ms: Annotated[int, typer.Option(min=0, help="How long a bot thinks about each move.")] = 20,
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to use; 0: a free one.")] = 4747,
    http_port: Annotated[int, typer.Option(min=0, max=65535, help="Port of the page; 0: a free one.")] = 0,
    data_dir: Annotated[
        Path | None, typer.Option(file_okay=False, help="Keep the games in this directory, to look at later.")
    ] = None,
) -> None:
    """Start a broker, a game master and some bots, and show a game and the table as they move, until Ctrl-C.

    Prints first where to look with a browser. Plug in a bot of your own from another terminal: it is playing at once.

    Examples:

        ugs demo

        ugs demo --game NAME

        ugs demo --bots 8 --games 20 --think-ms 0

        ugs demo --data-dir data

        ugs demo --port 0 --http-port 8081
    """
    from ugs.commands.demo_game import NoDemo, WrongDemo, demo_game

    try:
        shown = demo_game(game)
        players = shown.number_of_bots(bots)
    except WrongDemo as error:
        raise failure("ugs demo", error, WRONG_USAGE) from None
    except NoDemo as error:
        raise failure("ugs demo", error) from None

    import trio

    from ugs.commands.demo_run import (  # a shell that asks for the options does not wait for all this to load
        WantedDemo,
        run_demo,
    )

    raise typer.Exit(trio.run(run_demo, WantedDemo(shown, players, games, think_ms, port, http_port, data_dir)))
