"""The command ``ugs master``."""

import os
import random
import secrets
import socket
from pathlib import Path
from typing import Annotated

import typer

from game_masters.commands.options import Connect, GameName, LineOptions, WireOptions
from ugs.address import DEFAULT_ADDRESS
from ugs.commands.name_options import checked_id
from ugs.commands.option_groups import OptionGroup, with_groups
from ugs.commands.token_option import token_in

MAX_MESSAGE_BYTES = 1_048_576
"""The limit of a server with default settings."""


class LeadingOptions(OptionGroup):
    """How games are led: chance, a position to begin with, what is kept and checked."""

    seed: Annotated[
        str | None,
        typer.Option(
            help="Makes chance repeatable where the server gives no seeds: same seed, same game id, same luck. "
            "Keep it from the players."
        ),
    ] = None
    fixture: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Begin every game as this file describes (seats, options, hands, piles, dice), for tests and puzzles. "
            "The server keeps it with the record.",
        ),
    ] = None
    saves: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Keep games here that their players go on with another time. It holds all that is hidden in them.",
        ),
    ] = None
    check: Annotated[
        bool, typer.Option("--check", help="Check payloads, sent and received, against the game's XML schema.")
    ] = False
    max_message_bytes: Annotated[
        int,
        typer.Option(
            min=1024, help="The server's setting of this name. A game with a longer state is given up, not the others."
        ),
    ] = MAX_MESSAGE_BYTES


@with_groups
def master(
    *,
    game: GameName,
    connect: Connect = DEFAULT_ADDRESS,
    id: Annotated[
        str | None,
        typer.Option("--id", callback=checked_id, help="Name of this master on the server.  [default: made up]"),
    ] = None,
    wire: WireOptions,
    leading: LeadingOptions,
    line: LineOptions,
) -> None:
    """Lead games: connect to a server as the game master of GAME, and again whenever the connection is lost.

    Examples:

        ugs master tic-tac-toe

        ugs master tic-tac-toe --connect games.example.org:4747 --option width=15 --option height=15

        ugs master apologies --fixture puzzle.toml

        ugs master titan --saves suspended
    """
    from game_masters.commands import playing, starting  # a shell that asks for the options does not wait for these

    encrypted = line.tls.context()
    chosen = playing.game_named(game)
    options, start = starting.beginning(chosen, wire.option, leading.fixture, v4=line.v4)
    # Players know the ids of their games: without a secret they could work out what chance brings.
    secret = secrets.token_hex(16) if leading.seed is None else leading.seed
    client = playing.Master(
        chosen,
        options,
        id=id or f"{chosen.name}-{socket.gethostname()}-{os.getpid()}"[:64],
        chance=lambda game_id: random.Random(f"{secret} {game_id}"),
        game_type=wire.game_type,
        check=starting.payload_check(chosen) if leading.check else None,
        v4=line.v4,
        max_message_bytes=leading.max_message_bytes,
        fixture=start,
        token=token_in(line.token_file),
        shelf=starting.shelf_in(chosen, leading.saves) if leading.saves is not None else None,
    )
    dialled = playing.Dialled(connect, encrypted)
    playing.run(client, dialled, line, rng=random.Random(), name=chosen.name)
