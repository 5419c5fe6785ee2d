"""The server of a match: `ugs serve` and `ugs master`, as processes; games are ordered at its socket for organisers.

What happens on the server is read off its log, where each login and each end of a game is a line.
"""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

import trio

from ugs.address import read_address
from ugs.admin import SOCKET_NAME, short_address
from ugs.journal.lock import is_held
from ugs.match.match_settings import MatchSettings
from ugs.match.own_programs import filled
from ugs.match.programs import MatchFailed, cpu_s, start, stop, tail
from ugs.setting_tables import as_toml

START_S: Final = 120.0
"""Seconds until server and master must be there: on a busy machine, too."""
ANSWER_S: Final = 30.0
LEFT_S: Final = 20.0
"""How long the server of a match that was killed may take to end."""
AGAIN_S: Final = 0.1
WARNINGS: Final = ("warning", "error", "critical")
EVERY_LINE: Final = ("event", "level", "timestamp")
"""What each line of the log has."""
MAX_ANSWER: Final = 1_048_576
MAX_MASTER_STARTS: Final = 5
"""Starts of a master that ends without a game between."""

Event: TypeAlias = Mapping[str, Any]
"""A line of the log; ``event`` is what has happened."""


class MatchServer:
    """A running server with its master. ``happened`` is called with each line of its log."""

    def __init__(self, directory: Path, happened: Callable[[Event], None], *, keeps_games: bool) -> None:
        """``keeps_games``: whether games are written down, and shown on its page."""
        self.directory = directory
        self._keeps_games = keeps_games
        self._data = directory / "server"
        self.address = ""
        self.page = ""
        self.master_cpu_s = 0.0
        """Of masters that have ended, and what the present one had used when it was there."""
        self.master_code: int | None = None
        """The exit code of the last master that has ended by itself, negative for a signal; None: none has."""
        self.games = 0
        """Games that have ended."""
        self._happened = happened
        self._broker: trio.Process | None = None
        self._master: trio.Process | None = None
        self._stream: trio.SocketStream | None = None
        self._rest = b""
        self._turn = trio.Lock()

    @property
    def host(self) -> tuple[str, int]:
        """Where it listens."""
        return read_address(self.address)

    @property
    def broker_cpu_s(self) -> float:
        """Processor time of the broker."""
        return cpu_s(self._broker.pid) if self._broker is not None else 0.0

    @property
    def all_master_cpu_s(self) -> float:
        """Processor time of the master."""
        return self.master_cpu_s + (cpu_s(self._master.pid) if self._master is not None else 0.0)

    @property
    def master_pids(self) -> tuple[int, ...]:
        """The process of the master, once there is one."""
        return (self._master.pid,) if self._master is not None else ()

    async def serve(
        self, wanted: MatchSettings, game_type: str, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Run the broker until cancelled. Raises MatchFailed when it ends before."""
        log, config = self.directory / "server.log", self.directory / "server.toml"
        await self.wait_for_last()
        config.write_text(settings(wanted, self._data, keeps_games=self._keeps_games), encoding="utf-8")
        command = [sys.executable, "-m", "ugs.match.tied_process", "serve", "--config", str(config), "--port", "0"]
        self._broker = broker = await start(command + ["--http-port", "0"] * self._keeps_games, None)
        listens = trio.Event()
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._follow, broker, log, listens)
                with trio.move_on_after(START_S):
                    await listens.wait()
                if not listens.is_set():
                    raise MatchFailed(f"the server does not listen{last_words(log)}")
                task_status.started()
        finally:
            with trio.CancelScope(shield=True):
                if self._stream is not None:
                    await self._stream.aclose()
                await stop([broker])

    async def lead(self, wanted: MatchSettings) -> None:
        """Run a master until cancelled, a new one when one ends. Raises MatchFailed when that happens all the time."""
        errors = self.directory / "master.log"
        command = filled(wanted.master, self.host) if wanted.master else installed_master(wanted, self.address)
        starts, games = 0, 0
        while True:
            starts = starts + 1 if self.games == games else 1
            games = self.games
            if starts > MAX_MASTER_STARTS:
                raise MatchFailed(f"the game master ends again and again\n{tail(errors)}")
            self._master = master = await start(command, errors)
            try:
                self.master_code = await master.wait()
            finally:
                with trio.CancelScope(shield=True):
                    await stop([master])
            # Longer each time: a master that cannot start must not take the processors from others.
            await trio.sleep(0.1 * starts)

    async def ask(self, request: Mapping[str, object]) -> dict[str, Any]:
        """Ask the server or order something, as an organiser. Raises MatchFailed."""
        async with self._turn:
            for _ in range(2):  # the server hangs up on who has been silent for long
                try:
                    with trio.fail_after(ANSWER_S):
                        return await self._asked(request)
                except (OSError, trio.BrokenResourceError, trio.EndOfChannel):
                    self._stream, self._rest = None, b""
                except trio.TooSlowError:
                    break
        raise MatchFailed(f"the server does not answer{last_words(self.directory / 'server.log')}")

    async def _asked(self, request: Mapping[str, object]) -> dict[str, Any]:
        if self._stream is None:
            with short_address(self._data / SOCKET_NAME) as address:
                self._stream = await trio.open_unix_socket(address)
        await self._stream.send_all(json.dumps(request).encode() + b"\n")
        while b"\n" not in self._rest:
            data = await self._stream.receive_some(65_536)
            if not data or len(self._rest) > MAX_ANSWER:
                raise trio.EndOfChannel
            self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer

    async def _follow(self, broker: trio.Process, log: Path, listens: trio.Event) -> None:
        """Keep the log, and report each line. Raises MatchFailed at its end."""
        assert broker.stderr is not None
        rest = b""
        # Unbuffered: an error text has its last lines.
        with log.open("ab", buffering=0) as file:
            async for data in broker.stderr:
                file.write(data)
                *lines, rest = (rest + data).split(b"\n")
                for event in map(read_event, lines):
                    if event.get("event") == "listening":
                        self.address, self.page = event["address"], event.get("http") or ""
                        listens.set()
                    self.games += event.get("event") == "game ended"
                    self._happened(event)
        code = await broker.wait()
        killed = f", killed by signal {-code}" if code < 0 else ""
        raise MatchFailed(f"the server has ended{killed}{last_words(log)}")

    async def wait_for_last(self) -> None:
        """Wait until the server of a match that was killed has left the directory: it ends when it notices."""
        with trio.move_on_after(LEFT_S):
            while self._data.is_dir() and is_held(self._data):  # noqa: ASYNC110  (no event shows when it ends)
                await trio.sleep(AGAIN_S)


def installed_master(wanted: MatchSettings, address: str) -> list[str]:
    """The command that starts the game master of an installed game."""
    options = [word for key, value in wanted.option.items() for word in ("--option", f"{key}={value}")]
    command = [sys.executable, "-m", "ugs", "master", wanted.game, "--connect", address, "--id", "match"]
    return [*command, *options, "--log-level", "warning", "--once"]


def settings(wanted: MatchSettings, data: Path, *, keeps_games: bool) -> str:
    """The settings of the server: a lost line is a lost game, no bot rests, lists are short and rare, and the log is
    whole, since it is read here. In the folder ``data`` are its socket for organisers and, if they are kept, games."""
    time_s, increment_s = wanted.budget_s
    return as_toml(
        {
            "data_dir" if keeps_games else "admin_dir": str(data),
            "session_grace_s": 0,
            "player_strikes": 0,
            "move_timeout_s": wanted.move_timeout_s,
            "time_s": time_s,
            "increment_s": increment_s,
            "table_rows": 1,
            "champions_interval_s": 3600,
            "log_joined": False,
        }
    )


def last_words(log: Path) -> str:
    """What a server has written last that is for people, each in a line of its own: of its lines for programs, only
    what it warns of."""
    lines = []
    for line in tail(log).splitlines():
        event = read_event(line.encode())
        if event.get("level") in WARNINGS:
            more = ", ".join(f"{key}={value}" for key, value in event.items() if key not in EVERY_LINE)
            lines.append(f"{event.get('event')} ({more})" if more else str(event.get("event")))
        elif not event:
            lines.append(line)
    return "".join(f"\n{line}" for line in lines)


def read_event(line: bytes) -> Event:
    """A line of the log; empty where it is something else."""
    try:
        event = json.loads(line)
    except ValueError:
        return {}
    return event if isinstance(event, dict) else {}
