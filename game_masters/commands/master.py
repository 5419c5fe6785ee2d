"""The command ``ugs master``."""

import os
import random
import secrets
import socket
from typing import Annotated

import typer

from game_masters.commands.playing import (
    Connect,
    GameName,
    GameOptions,
    GameType,
    Level,
    LogLevel,
    Once,
    PlainV4,
    game_named,
    options_of,
    run,
)
from game_masters.kit.leading import PayloadCheck
from game_masters.kit.master import Master
from game_masters.kit.rules import AnyGame, Unreadable
from ugs.address import DEFAULT_ADDRESS
from ugs.peer import TO_SERVER
from ugs.wire.codec import WrongMessage


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
    check: Annotated[
        bool, typer.Option("--check", help="Check payloads, sent and received, against the game's XML schema.")
    ] = False,
    max_message_bytes: Annotated[
        int,
        typer.Option(
            min=1024, help="The server's setting of this name. A game with a longer state is given up, not the others."
        ),
    ] = TO_SERVER.max_message_bytes,
    v4: PlainV4 = False,
    once: Once = False,
    log_level: Level = LogLevel.INFO,
) -> None:
    """Lead games: connect to a server as the game master of GAME, and again whenever the connection is lost.

    Examples:

        ugs master tic-tac-toe

        ugs master tic-tac-toe --connect games.example.org:4747 --option width=15 --option height=15
    """
    chosen = game_named(game)
    options = options_of(chosen, option)
    secret = secrets.token_hex(16) if seed is None else seed
    if v4 and chosen.hides(options):
        always = chosen.hides(chosen.choose_options({}))
        what = chosen.name if always else f"{chosen.name} with {', '.join(option or [])}"
        raise typer.BadParameter(
            f"{what} has hidden information, and plain v4 shows every state to all players", param_hint="--v4"
        )
    client = Master(
        chosen,
        options,
        id=id or f"{chosen.name}-{socket.gethostname()}-{os.getpid()}"[:64],
        chance=lambda game_id: random.Random(f"{secret} {game_id}"),
        game_type=game_type,
        check=_payload_check(chosen) if check else None,
        v4=v4,
        max_message_bytes=max_message_bytes,
    )
    run(client, connect, once=once, rng=random.Random(), log_level=log_level, role="master", name=chosen.name)


def _payload_check(game: AnyGame) -> PayloadCheck:
    """The game's schema as the master wants it."""
    # Reading schemas takes a library that is slow to load, and most masters run without it.
    from ugs.wire.schema import PayloadSchema

    schema = PayloadSchema(game.schema)

    def check(payload: bytes) -> None:
        try:
            schema.check(payload)
        except WrongMessage as error:
            raise Unreadable(str(error)) from error

    return check
