"""The command ``ugs master``."""

import os
import random
import secrets
import socket
from pathlib import Path
from typing import Annotated

import typer

from game_masters.commands.options import (
    Connect,
    GameName,
    GameOptions,
    GameType,
    Level,
    LogLevel,
    Once,
    PlainV4,
)
from ugs.address import DEFAULT_ADDRESS
from ugs.commands.server_option import Ca, Cert, Key, Tls, encryption
from ugs.commands.token_option import TokenFile, token_in

MAX_MESSAGE_BYTES = 1_048_576
"""The limit of a server with default settings."""


def master(
    game: GameName,
    connect: Connect = DEFAULT_ADDRESS,
    id: Annotated[
        str | None, typer.Option("--id", help="Name of this master on the server.  [default: made up]")
    ] = None,
    game_type: GameType = None,
    option: GameOptions = None,
    seed: Annotated[
        str | None,
        typer.Option(
            help="Makes chance repeatable where the server gives no seeds: same seed, same game id, same luck. "
            "Keep it from the players."
        ),
    ] = None,
    fixture: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Begin every game as this file describes (seats, options, hands, piles, dice), for tests and puzzles. "
            "The server keeps it with the record.",
        ),
    ] = None,
    saves: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Keep games here that their players go on with another time. It holds all that is hidden in them.",
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Check payloads, sent and received, against the game's XML schema.")
    ] = False,
    max_message_bytes: Annotated[
        int,
        typer.Option(
            min=1024, help="The server's setting of this name. A game with a longer state is given up, not the others."
        ),
    ] = MAX_MESSAGE_BYTES,
    token_file: TokenFile = None,
    v4: PlainV4 = False,
    once: Once = False,
    log_level: Level = LogLevel.INFO,
    tls: Tls = False,
    ca: Ca = None,
    cert: Cert = None,
    key: Key = None,
) -> None:
    """Lead games: connect to a server as the game master of GAME, and again whenever the connection is lost.

    Examples:

        ugs master tic-tac-toe

        ugs master tic-tac-toe --connect games.example.org:4747 --option width=15 --option height=15

        ugs master apologies --fixture puzzle.toml

        ugs master titan --saves suspended
    """
    from game_masters.commands import playing, starting  # a shell that asks for the options does not wait for these

    encrypted = encryption(tls, ca, cert, key)
    chosen = playing.game_named(game)
    option, words = starting.split_words(chosen, option)
    if words and fixture is not None:
        raise typer.BadParameter(
            f"{min(words)} stands in a fixture, too; leave out this or --fixture", param_hint="--option"
        )
    start = starting.fixture_in(chosen, fixture) if fixture is not None else None
    start = starting.fixture_of_words(chosen, words) if words else start
    options = playing.options_of(chosen, starting.with_fixed(option, start))
    if start is not None:
        if v4:
            raise typer.BadParameter(
                "a fixture is kept by the server, which plain v4 has no word for", param_hint="--v4"
            )
        starting.check_start(chosen, start, options, "--option" if words else "--fixture")
    # Players know the ids of their games: without a secret they could work out what chance brings.
    secret = secrets.token_hex(16) if seed is None else seed
    if v4 and chosen.hides(options):
        always = chosen.hides(chosen.choose_options({}))
        what = chosen.name if always else f"{chosen.name} with {', '.join(option or [])}"
        raise typer.BadParameter(
            f"{what} has hidden information, and plain v4 shows every state to all players", param_hint="--v4"
        )
    client = playing.Master(
        chosen,
        options,
        id=id or f"{chosen.name}-{socket.gethostname()}-{os.getpid()}"[:64],
        chance=lambda game_id: random.Random(f"{secret} {game_id}"),
        game_type=game_type,
        check=starting.payload_check(chosen) if check else None,
        v4=v4,
        max_message_bytes=max_message_bytes,
        fixture=start,
        token=token_in(token_file),
        shelf=starting.shelf_in(chosen, saves) if saves is not None else None,
    )
    playing.run(
        client,
        connect,
        once=once,
        rng=random.Random(),
        log_level=log_level,
        role="master",
        name=chosen.name,
        tls=encrypted,
    )
