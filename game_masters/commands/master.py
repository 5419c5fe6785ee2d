"""The command ``ugs master``."""

import os
import random
import secrets
import socket
from pathlib import Path
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
from game_masters.kit.fixture import Fixture, read_fixture
from game_masters.kit.leading import PayloadCheck
from game_masters.kit.master import Master
from game_masters.kit.rules import AnyGame, BadFixture, Options, Unreadable
from ugs.address import DEFAULT_ADDRESS
from ugs.commands.connecting import Ca, Cert, Key, Tls, encryption
from ugs.commands.showing_tokens import TokenFile, token_in
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
    fixture: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Begin every game as this file says (seats, options, hands, piles, dice), for tests and puzzles. "
            "The server keeps it with the record.",
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
    """
    encrypted = encryption(tls, ca, cert, key)
    chosen = game_named(game)
    start = _fixture(chosen, fixture) if fixture is not None else None
    options = options_of(chosen, _with_fixed(option, start))
    if start is not None:
        if v4:
            raise typer.BadParameter(
                "a fixture is kept by the server, which plain v4 has no word for", param_hint="--v4"
            )
        _checked(chosen, start, options)
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
        fixture=start,
        token=token_in(token_file),
    )
    run(
        client,
        connect,
        once=once,
        rng=random.Random(),
        log_level=log_level,
        role="master",
        name=chosen.name,
        tls=encrypted,
    )


def _fixture(game: AnyGame, path: Path) -> Fixture:
    """The fixture in a file. Raises typer.BadParameter."""
    try:
        return read_fixture(game, path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise typer.BadParameter(f"{path}: cannot be read: {error}", param_hint="--fixture") from error
    except BadFixture as error:
        raise typer.BadParameter(f"{path}: {error}", param_hint="--fixture") from error


def _with_fixed(pairs: list[str] | None, fixture: Fixture | None) -> list[str] | None:
    """The options of the command line and those of the fixture. Raises typer.BadParameter where they differ."""
    fixed = fixture.options if fixture is not None else {}
    for pair in pairs or []:
        name, _, value = pair.partition("=")
        if fixed.get(name, value) != value:
            raise typer.BadParameter(f"{pair}; the fixture says {fixed[name]!r}", param_hint="--option")
    return [*(pairs or []), *(f"{name}={value}" for name, value in fixed.items())]


def _checked(game: AnyGame, fixture: Fixture, options: Options) -> None:
    """Raise typer.BadParameter unless the game can begin from the fixture."""
    try:
        fixture.start(game, options)
    except BadFixture as error:
        raise typer.BadParameter(str(error), param_hint="--fixture") from error


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
