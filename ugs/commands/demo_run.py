"""What ``ugs demo`` does: a broker, a game master and some bots as processes of their own, a game and the table.

The table is read off the broker's log, where every game that ends is one line of JSON. The game is watched as any
spectator may.
"""

import json
import os
import shlex
import shutil
import sys
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import aclosing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import trio
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from ugs.address import read_address
from ugs.broker.values.standings import LiveStandings
from ugs.broker.verdict import Outcome
from ugs.commands.demo_game import DEFAULT_GAME, DemoGame
from ugs.commands.demo_parts import BROKER, MASTER, START_PATIENCE_S, DemoPart, PartFailed, stop
from ugs.commands.stop_signals import STOP_SIGNALS
from ugs.log import configure_logging
from ugs.peer import connect as dial
from ugs.pictures.installed_renderers import of_game
from ugs.pictures.terminal import show as show_picture
from ugs.pictures.terminal import width_of
from ugs.terminal import Column, grid, safe, safe_lines
from ugs.unkept_folders import unkept_folder
from ugs.watch.following import WatchFailed, follow
from ugs.watch.pictures import GamesShown
from ugs.watch.terminal import in_front
from ugs.wire.extensions import EventKind, GameEvent, Watch, Watching

LAST_SIGHT_S = 3.0
"""Seconds that the last pictures may take to come."""


class Show:
    """The standings so far, for people."""

    def __init__(self, game_type: str) -> None:
        self.games = 0
        self._game_type = game_type
        self._table = LiveStandings()
        self._has_master = False
        self._last = ""
        self._news = trio.lowlevel.ParkingLot()

    def __contains__(self, name: str) -> bool:
        """Whether this player, or the game master, has come."""
        return self._has_master if name == MASTER else name in self._table

    def take(self, line: str) -> bool:
        """One line of the broker's log; True when it is the end of a game that counts."""
        event = read_event(line)
        if event.get("event") == "player logged in":
            self._table.enter(event["nick"])
            self._news.unpark_all()
        self._has_master |= event.get("event") == "master logged in"
        if event.get("event") != "game ended" or "void" in event["outcomes"].values():
            return False
        self.games += 1
        for nick, outcome in event["outcomes"].items():
            self._table.credit(nick, Outcome(outcome))
        self._last = f"game {self.games}: " + ", ".join(f"{nick} {how}" for nick, how in event["outcomes"].items())
        self._last += f" ({event['verdict']} after {event['moves']} moves)"
        return True

    async def has(self, players: int) -> None:
        """Wait until the table has that many players."""
        while len(self._table.rows()) < players:
            await self._news.park()

    @property
    def last(self) -> str:
        """The latest game in a line."""
        return self._last

    def grid(self, address: str) -> Group:
        """The table, to be shown on a terminal, between lines that may be longer than it is wide."""
        table = grid(
            ("nick", *(Column(heading, right=True) for heading in ("won", "lost", "drawn"))),
            ((row.nick, str(row.won), str(row.lost), str(row.drawn)) for row in self._table.rows()),
        )
        last = safe(self._last or "waiting for the first game")
        return Group(Text(f"{self._game_type} on {address}", style="bold"), table, Text(last, style="italic"))


@dataclass(frozen=True, slots=True)
class WantedDemo:
    """What to show: a game, the number of bots, games in all (0: no end), and milliseconds for each move."""

    game: DemoGame
    bots: int
    games: int
    think_ms: int
    port: int
    """Of the broker; 0 is a free one."""
    http_port: int = 0
    """The same for the page."""
    data_dir: Path | None = None
    """Where the broker keeps everything; None: in a directory that is removed at the end."""


async def run_demo(wanted: WantedDemo) -> int:
    """Play until all games are over, Ctrl-C, SIGTERM, or the terminal is closed; returns the exit code."""
    if wanted.data_dir is not None:
        return await _run_demo(wanted, wanted.data_dir)
    with unkept_folder("ugs-demo") as own:
        return await _run_demo(wanted, own)


async def _run_demo(wanted: WantedDemo, data_dir: Path) -> int:
    console, games = Console(), wanted.games
    configure_logging("warning")
    parts: list[DemoPart] = []
    failures: list[str] = []
    table = Show(wanted.game.game_type)
    try:
        with trio.open_signal_receiver(*STOP_SIGNALS) as signals:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(until_signal, signals, nursery.cancel_scope)
                ports = ("--port", str(wanted.port), "--http-port", str(wanted.http_port))
                broker = await DemoPart.start(BROKER, "serve", *ports, "--data-dir", str(data_dir))
                parts.append(broker)
                async with aclosing(broker.log()) as log:
                    address, page = await listening(broker, log)
                    explain(console, address, page, wanted)
                    seen = SeenGames(console, wanted.game.name)
                    await nursery.start(spectate, address, wanted.game.game_type, seen)
                    nursery.start_soon(start_players, nursery, parts, address, wanted, table)
                    if not await show(console, log, address, games, table, seen):
                        # Its log ends a moment before its exit code is known.
                        await broker.process.wait()
                        raise PartFailed(broker.failure())
                nursery.cancel_scope.cancel()
    except* PartFailed as group:
        failures += [str(failure) for failure in group.exceptions]
    finally:
        with trio.CancelScope(shield=True):
            in_time = await stop(parts)
    if in_time:
        broken = ended_badly(parts, table, wanted)
        failures = broken if parts and parts[0].failed else failures or broken
    for failure in failures:
        console.print(safe_lines(failure), style="red", markup=False, soft_wrap=True)
    return 1 if failures else 0


def ended_badly(parts: Sequence[DemoPart], table: Show, wanted: WantedDemo) -> list[str]:
    """What is known of the parts that ended otherwise than in order, though they had the time."""
    if parts and parts[0].failed:  # all others end with it
        return [f"{parts[0].failure()}\n{what_to_do(parts[0].lines, wanted)}"]
    # Bots and a master that were still starting when all was stopped find no server any more.
    return [part.failure() for part in parts if part.failed and (part.name == BROKER or part.name in table)]


def what_to_do(lines: Iterable[str], wanted: WantedDemo) -> str:
    """What people can do when the broker has ended with these last words, so that they see the demonstration."""
    demo = "ugs demo" if wanted.game.name == DEFAULT_GAME else f"ugs demo --game {wanted.game.name}"
    if any("Address already in use" in line for line in lines):
        return f"Something else has this port; let the demonstration pick free ones: {demo} --port 0 --http-port 0"
    if wanted.data_dir is None:
        return f"Start it again: {demo}. What was played is gone; --data-dir DIR would keep it."
    kept = shlex.quote(str(wanted.data_dir.absolute()))
    return f"Start it again: {demo} --data-dir {kept} goes on with the standings so far."


async def listening(broker: DemoPart, log: AsyncIterator[str]) -> tuple[str, str]:
    """Wait until the broker logs where it listens; returns the address, and its page's or nothing."""
    with trio.move_on_after(START_PATIENCE_S):
        async for line in log:
            event = read_event(line)
            if event.get("event") == "listening":
                return str(event["address"]), str(event.get("http") or "")
        await broker.process.wait()
        raise PartFailed(broker.failure())
    raise PartFailed(f"the broker does not listen after {START_PATIENCE_S:g} s")


def read_event(line: str) -> dict[str, Any]:
    """A line of the log as an event; one without a name where the line is something else."""
    try:
        event = json.loads(line)
    except ValueError:
        return {}
    return event if isinstance(event, dict) else {}


async def start_players(
    nursery: trio.Nursery, parts: list[DemoPart], address: str, wanted: WantedDemo, table: "Show"
) -> None:
    """Start two bots of different kinds, and when they are in the table, the others and then the game master.

    So the first game of two is one between these two, which is soon over, since one of them is much the better; and a
    player who is here when the master comes plays from the first game on.
    """
    game, kinds = wanted.game.name, wanted.game.bots

    async def start(name: str, *arguments: str) -> None:
        part = await DemoPart.start(name, *arguments)
        parts.append(part)
        nursery.start_soon(watch, part)

    for number in range(wanted.bots):
        bot = kinds[number % len(kinds)]
        nick = f"{bot}-{number // len(kinds) + 1}"
        options = ("--connect", address, "--nick", nick, "--bot", bot, "--think-ms", str(wanted.think_ms), "--once")
        if number == len(kinds):
            await table.has(number)
        await start(nick, "bot", game, "--no-state", *options)
    await start(MASTER, "master", game, "--connect", address, "--once")


class SeenGames:
    """What a spectator sees: on a terminal one game as it goes on, elsewhere how each game ended."""

    def __init__(self, console: Console, game: str) -> None:
        self.games = GamesShown(of_game(game))
        self.over = 0
        """Games whose end was seen."""
        self._console = console
        self._news = trio.lowlevel.ParkingLot()

    def report(self, message: Watching | GameEvent) -> None:
        """Take the next message."""
        frame = self.games.take_in(message)
        over = isinstance(message, GameEvent) and message.what is EventKind.OVER
        if over and frame.picture is not None and not self._console.is_terminal:
            show_picture(self._console, frame.picture, indent=2)
            self._console.print()
        self.over += over
        self._news.unpark_all()

    async def all_over(self, games: int) -> None:
        """Wait until the ends of that many games were seen: a spectator is served after the players."""
        with trio.move_on_after(LAST_SIGHT_S):
            while self.over < games:
                await self._news.park()


async def spectate(
    address: str, game_type: str, seen: SeenGames, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
) -> None:
    """Watch the games, until the broker stops. Without it the demonstration goes on, without pictures."""
    host, port = read_address(address)
    try:
        peer = await dial(host, port)
    except OSError:  # the broker has ended at once, as its log is going to show
        task_status.started()
        return
    try:
        async with peer:
            task_status.started()
            await follow(peer, Watch(game_type=game_type), seen.report)
    except (WatchFailed, OSError, SystemExit):  # the last: rich reports that our output is no longer read
        return


def command_line() -> str:
    """How people type the command that they have typed: in a checkout it may not be on the path."""
    return "ugs" if shutil.which("ugs") else shlex.quote(os.path.abspath(sys.argv[0]))


def explain(console: Console, address: str, page: str, wanted: WantedDemo) -> None:
    """Print what people are going to see, and what they can do now."""
    game, (host, _, port) = wanted.game, address.rpartition(":")
    lines = [
        f"{wanted.bots} bots play {game.name}: {game.summary}.",
        *(f"  {name}: {what}" for name, what in zip(game.bots, game.explanations, strict=True)),
        "The broker pairs them, a game master knows the rules.\n",
        *([f"Look at http://{page}/ with a browser."] if page else []),
        f"A broker listens on {address}. Plug in a bot of your own from another terminal:",
        f"  {command_line()} bot {game.name} --connect {address} --nick me",
    ]
    if game.name == DEFAULT_GAME:  # the example plays no other game
        lines.append(f"  {command_line()} new bot mybot && python3 mybot/bot.py {host} {port} me")
    lines.append("Stop with Ctrl-C.\n")
    console.print(safe_lines("\n".join(lines)), markup=False, highlight=False, soft_wrap=True)


async def show(
    console: Console, log: AsyncIterator[str], address: str, games: int, table: Show, seen: SeenGames
) -> bool:
    """Show a game and the standings until enough games are over; False when the broker ends before."""

    def look() -> Group:
        grid = table.grid(address)
        room = console.height - len(console.render_lines(grid, pad=False)) - 1
        return Group(grid, Text(""), in_front(seen.games, width_of(console), room))

    on_terminal = Live(console=console, refresh_per_second=8, vertical_overflow="crop", get_renderable=look)
    with on_terminal if console.is_terminal else nullcontext() as live:
        async for line in log:
            over = table.take(line)
            if over and live is None:
                console.print(safe(table.last), markup=False, highlight=False, soft_wrap=True)
            if games and table.games >= games:
                break
        else:
            return False
    if live is None:
        await seen.all_over(table.games)
        console.print(table.grid(address))
    return True


async def watch(part: DemoPart) -> None:
    """No part is meant to end before the demonstration does."""
    await part.drain()
    await part.process.wait()
    raise PartFailed(part.failure())


async def until_signal(signals: AsyncIterator[int], scope: trio.CancelScope) -> None:
    """Ctrl-C ends the demonstration."""
    async for _ in signals:
        scope.cancel()
