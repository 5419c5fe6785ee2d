"""What ``ugs watch`` does: shows games as pictures or as lines, until they are over or a signal comes."""

import json
import os
import random
import ssl
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from typing import Final, Literal, NamedTuple, TypeAlias

import trio
import typer

from ugs.commands.failure import FAILED, WRONG_USAGE, failure
from ugs.commands.picture_output import canvas
from ugs.commands.server_option import servers_at
from ugs.commands.stop_signals import STOP_SIGNALS
from ugs.game_ids import NoSuchGame, id_meant
from ugs.peer import Peer, connect_any
from ugs.printable import meant, safe
from ugs.terminal import Column, grid, output
from ugs.type_hint import installed_types, type_hint
from ugs.watch.following import Ahead, LineLost, WatchFailed, follow, running, waited_for
from ugs.watch.joining import OnMessage, Past
from ugs.watch.lines import WRITERS
from ugs.watch.terminal import InPlace, OneByOne
from ugs.wire.extensions import NO_MASTER, Account, Watch, WatchableGame, WatchFrom
from ugs.wire.framing import Limits

COLUMNS: Final = ("id", "game type", "players", Column("moves", right=True), Column("spectators", right=True))
MAX_MESSAGE = 64 * 1024 * 1024
"""Bytes; any message that a server lets its masters send fits into it."""
MAX_LIMITS = Limits(MAX_MESSAGE, max_depth=2000, max_markup=MAX_MESSAGE)

AGAIN: Final = "it is watched again when the server is back; who shows moves more slowly than they come is let go, too"
FIRST_WAIT_S, MOST_WAIT_S = 0.5, 10.0
"""Seconds until the server is tried again after it has gone, and at most between two tries."""

Dial: TypeAlias = Callable[[], Awaitable[Peer]]
"""Connects."""


class WrongType(WatchFailed):
    """No master leads games of a type that is called so, and it is the name of a game, or close to another type."""


class WatchVisit(NamedTuple):
    """What to watch, and the token of the name to watch under, or the empty text."""

    watch: Watch
    token: str
    once: bool = False
    """Whether it ends when the server stops; a single game does in any case."""


class Viewer(NamedTuple):
    """What is called with what the server sends, as for :func:`follow`."""

    report: OnMessage
    past: Past | None = None
    ahead: Ahead = lambda _: None


def visit(
    game: str,
    game_type: str,
    begin: Literal["now", "begin"],
    delay: float,
    nick: str,
    token: str,
    *,
    once: bool = False,
) -> WatchVisit:
    """Return what a command line asks for; empty texts for what it does not name."""
    return WatchVisit(Watch(game, game_type, WatchFrom(begin), delay, nick), token, once)


def print_lines(address: str, tls: ssl.SSLContext | None, wanted: WatchVisit, *, as_json: bool) -> None:
    """Print a line for each thing that happens."""
    write = WRITERS[as_json]
    dialled = _dialled(address, tls)
    with _failures(address):
        trio.run(_run, dialled, wanted, Viewer(lambda message: _print(write(message))))


def show_pictures(address: str, tls: ssl.SSLContext | None, wanted: WatchVisit) -> None:
    """Show pictures: on a terminal in their place, elsewhere one by one."""
    dialled = _dialled(address, tls)
    with _failures(address):
        screen = canvas()
        with InPlace(screen) if screen.is_terminal else OneByOne(screen) as shown:
            trio.run(_run, dialled, wanted, Viewer(shown.report, shown.past, shown.ahead))


def list_running(address: str, tls: ssl.SSLContext | None, wanted: WatchVisit, *, as_json: bool) -> None:
    """Print the games that run, each in a row, and how to watch one."""
    dialled = _dialled(address, tls)
    with _failures(address):
        games = trio.run(_listed, dialled, wanted.token)
    if as_json:
        typer.echo(json.dumps({"games": [asdict(game) for game in games]}, indent=2))
        return
    if not games:
        typer.echo("no game is running that may be watched")
        return
    nodes = any(game.node for game in games)
    columns = (*COLUMNS, "node") if nodes else COLUMNS
    rows = [
        (game.game_id, game.game_type, game.players, str(game.moves), str(game.spectators), *([game.node] * nodes))
        for game in games
    ]
    output().print(grid(columns, rows, caption="ugs watch --game ID shows one; the beginning of an ID is enough"))


async def _listed(dialled: Dial, token: str) -> tuple[WatchableGame, ...]:
    async with await dialled() as peer:
        return await running(peer, token)


def _dialled(address: str, tls: ssl.SSLContext | None) -> Dial:
    return partial(connect_any, servers_at(address), limits=MAX_LIMITS, tls=tls)


@contextmanager
def _failures(address: str) -> Iterator[None]:
    """Report errors of the block without a traceback."""
    try:
        yield
    except WatchFailed as error:
        code = WRONG_USAGE if isinstance(error, WrongType) else FAILED
        raise failure("ugs watch", safe(str(error)), code) from None
    except OSError as error:
        raise failure("ugs watch", f"no server answers at {address}: {error.strerror or error}") from None


async def _meant(dialled: Dial, wanted: WatchVisit) -> WatchVisit:
    """The same with the whole id of the game, if it is the beginning of one. Raises WatchFailed when several fit."""
    games = await _listed(dialled, wanted.token)
    fitting = [game.game_id for game in games if game.game_id.startswith(wanted.watch.game_id)]
    if not fitting:
        return wanted  # the server has the last word: it may list not all
    try:
        game_id = id_meant(wanted.watch.game_id, fitting, " running")
    except NoSuchGame as error:
        raise WatchFailed(str(error)) from None
    return wanted._replace(watch=replace(wanted.watch, game_id=game_id))


async def _check_type(dialled: Dial, wanted: WatchVisit, hint: str) -> None:
    """Warn that the type to watch is perhaps the name of a game, where there is that ``hint``. Raises WrongType where
    no master leads it, and another one is meant: it would be waited for without end."""
    game_type = wanted.watch.game_type
    async with await dialled() as peer:
        waits = await waited_for(peer, game_type, wanted.token)
    if waits.startswith(f"{NO_MASTER} {game_type}"):
        guess = hint or meant(game_type, installed_types())
        if guess:
            raise WrongType(f"{waits}{guess}")
    if hint:
        _waits(f"{game_type}{hint}")


async def _run(dialled: Dial, wanted: WatchVisit, viewer: Viewer) -> None:
    """Watch until the end, or a signal."""
    with trio.open_signal_receiver(*STOP_SIGNALS) as signals:
        failures: list[WatchFailed | OSError] = []
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_watch, dialled, wanted, viewer, failures, nursery.cancel_scope)
            async for _ in signals:
                nursery.cancel_scope.cancel()
    if failures:
        raise failures[0]


async def _watch(
    dialled: Dial,
    wanted: WatchVisit,
    viewer: Viewer,
    failures: list[WatchFailed | OSError],
    scope: trio.CancelScope,
) -> None:
    """Watch to the end; what goes wrong is put aside, so that it comes out as what it is."""
    try:
        if wanted.watch.game_id:
            wanted = await _meant(dialled, wanted)
        elif (hint := type_hint(wanted.watch.game_type)) or wanted.watch.game_type not in installed_types():
            await _check_type(dialled, wanted, hint)
        await _follow(dialled, wanted, viewer)
    except (BrokenPipeError, SystemExit):  # the reader of our lines has seen enough; rich raises the second one then
        # Else Python would fail once more when it flushes standard output at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (WatchFailed, OSError) as error:
        failures.append(error)
    scope.cancel()


async def _follow(dialled: Dial, wanted: WatchVisit, viewer: Viewer) -> None:
    """Watch a game to its end; a game type for ever, where the server was there before, unless that is not wanted."""
    waits_s = 0.0
    while True:
        try:
            async with await dialled() as peer:
                waits_s = FIRST_WAIT_S
                watch, token = wanted.watch, wanted.token
                await follow(peer, watch, viewer.report, viewer.past, _waits, token, viewer.ahead, _account)
            gone = "the server stops"
        except LineLost as error:
            gone = str(error)
            if wanted.watch.game_id or wanted.once:
                raise
        except BrokenPipeError:  # not the line to the server, but whoever reads what is printed
            raise
        except OSError:
            if not waits_s:
                raise
            gone = ""
            waits_s = min(MOST_WAIT_S, 1.5 * waits_s)
        if wanted.watch.game_id or wanted.once:
            return
        if gone:
            typer.echo(f"ugs watch: {gone}: {AGAIN}", err=True)
        # By chance, so that not all come back at one moment.
        await trio.sleep(waits_s * random.uniform(0.5, 1))


def _waits(text: str) -> None:
    """Print what the games of a type wait for, where it does not disturb what is shown."""
    typer.echo(f"ugs watch: no game yet: {'; '.join(map(safe, text.splitlines()))}", err=True)


def _account(message: Account) -> None:
    """Print that a game waits for its lost master, or goes on, where it does not disturb what is shown."""
    typer.echo(safe(f"ugs watch: {message.game_id}: {message.text}"), err=True)


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    # A pipe is written in blocks: its reader would get each line much later.
    sys.stdout.flush()
