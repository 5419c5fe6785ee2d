"""What the command ``ugs engine`` does: standard input and output on one side, a player of the server on the other."""

import os
import random
import ssl
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

import structlog
import trio
import typer
from structlog.typing import FilteringBoundLogger

from game_masters.commands.options import LogLevel
from game_masters.kit.front_end import FrontEnd, FrontEndProtocol, front_end_protocols
from game_masters.kit.player import Player
from game_masters.kit.rules import AnyGame, Options
from game_masters.kit.run import run
from game_masters.kit.tables import Place
from ugs import peer
from ugs.commands.server_option import servers_at
from ugs.log import configure_logging
from ugs.peer import Peer

CHUNK: Final = 65_536
MAX_LINE: Final = 1_048_576
"""Bytes of a line of the front end; what is longer is dropped."""

Dial = Callable[[], Awaitable[Peer]]


@dataclass(frozen=True)
class EngineSeat:
    """Whose seat the front end has, and in what."""

    game: AnyGame
    options: Options
    nick: str
    token: str = ""
    place: Place | None = None


def protocol_for(game: AnyGame, name: str | None) -> FrontEndProtocol:
    """The protocol of this name, or the first one in that the game is played. Raises typer.BadParameter."""
    known = list(front_end_protocols())
    for found in known:
        if name in (None, found.name) and game.name in found.games:
            return found
    if name is not None and name not in [found.name for found in known]:
        names = ", ".join(found.name for found in known) or "none is installed"
        raise typer.BadParameter(f"{name!r} is no protocol of front ends; allowed: {names}", param_hint="--protocol")
    games = ", ".join(one for found in known if name in (None, found.name) for one in found.games)
    raise typer.BadParameter(f"{game.name} is not played by front ends; allowed: {games}", param_hint="--game")


def run_engine(
    protocol: FrontEndProtocol, seat: EngineSeat, address: str, log_level: LogLevel, tls: ssl.SSLContext | None
) -> None:
    """Be an engine until the front end quits. Raises typer.Exit with the exit code."""
    servers = servers_at(address)
    configure_logging(log_level)
    log = structlog.get_logger().bind(role="engine", game_name=seat.game.name, server=address)
    dial = partial(peer.connect_any, servers, tls=tls)
    try:
        code = trio.run(be_engine, protocol, seat, dial, lines_of(0), write_line, log)
    except KeyboardInterrupt:
        code = 0
    raise typer.Exit(code)


async def be_engine(
    protocol: FrontEndProtocol,
    seat: EngineSeat,
    dial: Dial,
    lines: AsyncIterator[str],
    write: Callable[[str], None],
    log: FilteringBoundLogger,
) -> int:
    """Receive ``lines`` of a front end, and answer with ``write``; ``dial`` connects to the server once for each game.
    Returns the exit code."""
    front_end = FrontEnd(protocol.start(seat.options), write)

    async def play() -> int:
        client = Player(
            seat.game,
            seat.options,
            front_end.bot(),
            nick=seat.nick,
            rng=random.Random(),
            games=1,
            place=seat.place,
            token=seat.token,
        )
        return await run(client, connect, once=False, rng=random.Random(), log=log)

    async def connect() -> Peer:
        try:
            return await dial()
        except OSError as error:
            front_end.remarks(f"no connection to the server, which is tried again: {error}")
            raise

    async with trio.open_nursery() as nursery:
        nursery.start_soon(front_end.receives, lines)
        code = await front_end.plays(play)
        nursery.cancel_scope.cancel()
    return code


async def lines_of(descriptor: int) -> AsyncIterator[str]:
    """Yield the lines that arrive at a file descriptor, until it ends. A thread waits for them: standard input may be
    anything, and nothing of it is locked when the program ends."""
    rest = b""
    while chunk := await trio.to_thread.run_sync(_read, descriptor, abandon_on_cancel=True):
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line.decode("utf-8", "replace").strip()
        rest = rest[:MAX_LINE]
    if rest:
        yield rest.decode("utf-8", "replace").strip()


def _read(descriptor: int) -> bytes:
    """What has arrived; nothing if the front end has closed the descriptor, or never had one."""
    try:
        return os.read(descriptor, CHUNK)
    except OSError:
        return b""


def write_line(line: str) -> None:
    """Write a line for the front end. If it has gone away, standard input reports it."""
    if sys.stdout is None:  # it was started without one
        return
    try:
        sys.stdout.write(line.encode(sys.stdout.encoding, "backslashreplace").decode(sys.stdout.encoding) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # Otherwise the interpreter would try to write once more as it ends, and fail.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
