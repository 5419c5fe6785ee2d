"""The command ``ugs watch``."""

import os
import signal
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated, NamedTuple, TypeAlias

import trio
import typer

from ugs.address import DEFAULT_ADDRESS
from ugs.commands.connecting import Ca, Cert, Key, Tls, encryption, server_at
from ugs.commands.drawing import canvas
from ugs.commands.failing import failure
from ugs.commands.showing_tokens import TokenFile, token_in
from ugs.peer import Peer
from ugs.peer import connect as dial
from ugs.terminal import safe
from ugs.watch.following import Past, Tell, WatchFailed, follow
from ugs.watch.lines import WRITERS
from ugs.watch.showing import InPlace, OneByOne
from ugs.wire.extensions import Watch, WatchFrom
from ugs.wire.framing import Limits

LARGEST_MESSAGE = 64 * 1024 * 1024
"""Bytes; whatever a server lets its masters say fits into it."""
LARGEST = Limits(LARGEST_MESSAGE, max_depth=2000, max_markup=LARGEST_MESSAGE)

Dial: TypeAlias = Callable[[], Awaitable[Peer]]
"""Connects."""


class Visit(NamedTuple):
    """What is to be watched, and the token of the name under which it is, or the empty text."""

    watch: Watch
    token: str


def watch(
    connect: Annotated[
        str, typer.Option("--connect", metavar="HOST:PORT", help="Where the server listens.")
    ] = DEFAULT_ADDRESS,
    game: Annotated[str, typer.Option(metavar="ID", help="The game to watch.")] = "",
    game_type: Annotated[str, typer.Option("--type", metavar="NAME", help="Watch all games of this type.")] = "",
    begin: Annotated[
        WatchFrom, typer.Option("--from", help="now: what happens from now on; begin: all there was, too.")
    ] = WatchFrom.NOW,
    delay: Annotated[
        float, typer.Option(min=0, metavar="SECONDS", help="See everything so much later; the server may want more.")
    ] = 0,
    as_lines: Annotated[
        bool, typer.Option("--lines", help="One line for each thing that happens, no pictures.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines.")] = False,
    nick: Annotated[str, typer.Option(help="The name under which you watch.  [default: none]")] = "",
    token_file: TokenFile = None,
    tls: Tls = False,
    ca: Ca = None,
    cert: Cert = None,
    key: Key = None,
) -> None:
    """Watch a game, or all games of a type, as pictures.

    On a terminal the picture stays in its place and shows one game at a time; elsewhere every picture is printed. A
    game without pictures is shown as a tree of what its master tells, with what has changed marked. Ends when the game
    is over; a game type is watched until Ctrl-C. What only one player may see is not shown to spectators.

    With --lines or --json: the id of the game, the number of the event, the seconds since the begin of the game, and
    what has happened, with the state as it was told.

    Examples:

        ugs watch --type 5-in-line-tic-tac-toe

        ugs watch --connect games.example.org:4747 --game uQ3xK9 --from begin

        ugs watch --type 5-in-line-tic-tac-toe --lines

        ugs watch --type 5-in-line-tic-tac-toe --delay 30 --json
    """
    if bool(game) == bool(game_type):
        raise typer.BadParameter("exactly one of them is needed", param_hint="--game or --type")
    if as_lines and as_json:
        raise typer.BadParameter("--lines and --json exclude each other", param_hint="--lines")
    host, port = server_at(connect)
    dialled = partial(dial, host, port, limits=LARGEST, tls=encryption(tls, ca, cert, key))
    wanted = Visit(Watch(game, game_type, begin, delay, nick), token_in(token_file))
    try:
        if as_lines or as_json:
            write = WRITERS[as_json]
            trio.run(_run, dialled, wanted, lambda message: _print(write(message)), None)
        else:
            screen = canvas()
            with InPlace(screen) if screen.is_terminal else OneByOne(screen) as shown:
                trio.run(_run, dialled, wanted, shown.tell, shown.past)
    except WatchFailed as error:
        raise failure("ugs watch", safe(str(error))) from None
    except OSError as error:
        raise failure("ugs watch", f"nobody answers at {connect}: {error.strerror or error}") from None


async def _run(dialled: Dial, wanted: Visit, tell: Tell, past: Past | None) -> None:
    """Watch until the end, or a signal."""
    with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        failures: list[WatchFailed | OSError] = []
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_watch, dialled, wanted, tell, past, failures, nursery.cancel_scope)
            async for _ in signals:
                nursery.cancel_scope.cancel()
    if failures:
        raise failures[0]


async def _watch(
    dialled: Dial,
    wanted: Visit,
    tell: Tell,
    past: Past | None,
    failures: list[WatchFailed | OSError],
    scope: trio.CancelScope,
) -> None:
    """Watch to the end; what goes wrong is put aside, so that it comes out as what it is."""
    try:
        async with await dialled() as peer:
            await follow(peer, wanted.watch, tell, past, _waits, wanted.token)
    except (BrokenPipeError, SystemExit):  # the reader of our lines has seen enough; rich says so by the second one
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (WatchFailed, OSError) as error:
        failures.append(error)
    scope.cancel()


def _waits(text: str) -> None:
    """Say what the games of a type wait for, where it does not disturb what is shown."""
    typer.echo(f"ugs watch: no game yet: {'; '.join(map(safe, text.splitlines()))}", err=True)


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
