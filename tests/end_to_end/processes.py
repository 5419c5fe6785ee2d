"""Real processes and real sockets: a server, whatever else speaks to it, and peers that the test speaks for.

Every wait here is bounded. Nothing sleeps for a time that was guessed: what is waited for is an answer, a line of a
log, or an end.
"""

import inspect
import io
import json
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, redirect_stdout, suppress
from http import HTTPStatus
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from unittest import mock
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

import ugs.__main__
from tests.end_to_end.forking import WARNINGS, Fork
from tests.end_to_end.forking import start as fork
from ugs.setting_tables import as_toml
from ugs.wire.codec import DECLARATION, decode, encode
from ugs.wire.framing import Framer
from ugs.wire.messages import (
    BeginGame,
    ChampionsList,
    GameMasterLogin,
    GameState,
    LoginResponse,
    Logout,
    Message,
    Move,
    PlayerLogin,
    PlayerResult,
    Result,
)

BOUND_S = 300.0
"""Seconds within which anything must have happened: a net for what never happens, not a measure of how fast it is."""
POLL_S = 0.005
"""Between two looks at what tells nobody that it has changed."""
GAME_TYPE = "5-in-line-tic-tac-toe"
TOP = Path(__file__).parents[2]
UGS = [sys.executable, "-m", "ugs"]
FORKS = os.environ.get("UGS_STARTS") != "python" and hasattr(os, "pidfd_open")
"""Whether commands of ``ugs`` are forks of a process that has loaded it."""
PATIENT: dict[str, bool | float | str] = {
    "begin_timeout_s": 300,
    "move_timeout_s": 600,
    "master_timeout_s": 600,
    "thank_you_timeout_s": 300,
    "login_timeout_s": 300,
    "document_timeout_s": 300,
    "write_timeout_s": 300,
    "gather_as_offered": False,
}
"""Settings of every server here unless its test sets them: nobody is too late because the machine is busy, and games
begin with the first who are enough."""
SLOW = "a peer held the server up"
"""What a server logs when a document takes long, which on a slow machine any may."""
OWN_PORTS = range(15_000, 30_000)
"""Ports that the system gives to nobody who asks for any port, nor to the near end of a connection."""


def until(is_so: Callable[[], bool]) -> None:
    """Wait for what other processes bring about."""
    deadline = time.monotonic() + BOUND_S
    while not is_so():
        assert time.monotonic() < deadline, f"not so within {BOUND_S:g} s: {inspect.getsource(is_so).strip()}"
        time.sleep(POLL_S)


def answer_of(url: str) -> bytes:
    """What a page answers, asked again as long as it is too busy to answer. Raises HTTPError for any other refusal."""
    answers: list[bytes] = []

    def has_answered() -> bool:
        try:
            with urlopen(url, timeout=BOUND_S) as answer:
                answers.append(answer.read())
        except HTTPError as refusal:
            refusal.close()
            if refusal.code != HTTPStatus.SERVICE_UNAVAILABLE:
                raise
        return bool(answers)

    until(has_answered)
    return answers[0]


def start(command: list[str], environment: Mapping[str, str]) -> "subprocess.Popen[str] | Fork":
    """Start a process in the top folder, with this added to the environment; a command of ``ugs`` is a fork."""
    whole = {**os.environ, **environment}
    own_python = any(name.startswith("PYTHON") for name in environment.keys() - {WARNINGS})
    if command[:3] == UGS and not own_python and environment.get(WARNINGS) == "error" and FORKS:
        return fork(command[3:], TOP, whole)
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=TOP, env=whole, text=True)


def own_port() -> str:
    """A port for a server that comes back to it, or for nobody at all: none of the system's choice, which others may
    get while no server listens there, or a program that tries to connect to it, from it to itself."""
    while True:
        port = random.SystemRandom().choice(OWN_PORTS)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return str(port)


class Program:
    """A process whose lines (standard output and standard error as one) are kept as they come."""

    def __init__(self, *command: str | Path, environment: Mapping[str, str] | None = None) -> None:
        self.lines: list[str] = []
        self._events: list[dict[str, Any]] = []
        self._parsed = 0
        """How many of the lines have been looked at for events."""
        self._news = threading.Condition()
        self._process = start([str(part) for part in command], {WARNINGS: "error", **(environment or {})})
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @classmethod
    def ugs(cls, *arguments: str | Path, environment: Mapping[str, str] | None = None) -> "Program":
        """A command line of ``ugs``."""
        return cls(sys.executable, "-m", "ugs", *arguments, environment=environment)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    @property
    def output(self) -> str:
        """All it has written so far."""
        return "\n".join(self.lines)

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        self._process.send_signal(number)

    def ends(self) -> int:
        """Wait for its end; the exit code."""
        try:
            code = self._process.wait(BOUND_S)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"has not ended within {BOUND_S:g} s:\n{self.output}") from None
        self._reader.join(BOUND_S)
        return code

    def events(self, name: str, **fields: object) -> list[dict[str, Any]]:
        """What its log says so far about events of that name, with these fields."""
        return [event for event in self.logs_so_far() if event.items() >= {"event": name, **fields}.items()]

    def logs_so_far(self) -> list[dict[str, Any]]:
        """All events of its log."""
        with self._news:
            news, self._parsed = self.lines[self._parsed :], len(self.lines)
            self._events += (json.loads(line) for line in news if line.startswith("{"))
            return list(self._events)

    def logs(self, name: str, times: int = 1, **fields: object) -> list[dict[str, Any]]:
        """Wait until its log says so, that often."""
        with self._news:
            self._news.wait_for(lambda: len(self.events(name, **fields)) >= times or not self.running, BOUND_S)
        found = self.events(name, **fields)
        assert len(found) >= times, f"no {times} lines of {name!r} with {fields} in:\n{self.output}"
        return found

    def complaints(self) -> list[dict[str, Any]]:
        """What its log says that is no mere information, except that this machine is slow."""
        return [event for event in self.logs_so_far() if event["level"] != "info" and event["event"] != SLOW]

    def waits_for(self, words: str) -> None:
        """Wait until it has written these words."""
        with self._news:
            self._news.wait_for(lambda: words in self.output or not self.running, BOUND_S)
        assert words in self.output, f"not {words!r} in:\n{self.output}"

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                with self._news:
                    self.lines.append(line.rstrip("\n"))
                    self._news.notify_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self.running:
            self._process.kill()
        self._process.wait(BOUND_S)
        self._reader.join(BOUND_S)


def output(*arguments: str | Path) -> str:
    """What a command of ``ugs`` prints; it has to end well. It runs in this process, beside those it asks."""
    printed = io.StringIO()
    command_line = mock.patch.object(sys, "argv", ["ugs", *map(str, arguments)])
    with command_line, redirect_stdout(printed), pytest.raises(SystemExit) as end:
        ugs.__main__.main()
    assert end.value.code == 0, printed.getvalue()
    return printed.getvalue()


class Peer:
    """A peer for whom the test speaks."""

    def __init__(self, address: str, *, declares: bool = True, receive_buffer: int = 0) -> None:
        host, _, port = address.rpartition(":")
        self.socket = socket.socket()
        self.socket.settimeout(BOUND_S)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.connect((host, int(port)))
        self.segments: list[bytes] = []
        """What came, one entry per read."""
        self._declares = declares
        self._documents: Iterator[bytes] = iter(())
        self._framer = Framer()

    def says(self, *said: Message | bytes) -> None:
        """Send all of it in one piece."""
        prefix = DECLARATION if self._declares else b""
        self.socket.sendall(b"".join(one if isinstance(one, bytes) else prefix + encode(one) for one in said))

    def document(self) -> bytes | None:
        """The next document, None at the end of the stream. Raises TimeoutError when neither comes."""
        while True:
            document = next(self._documents, None)
            if document is not None:
                return document
            data = self.socket.recv(65_536)
            if not data:
                return None
            self.segments.append(data)
            self._documents = (document.raw for document in self._framer.feed(data))

    def hears(self) -> Message | None:
        """The next message that is no table, None at the end of the stream."""
        while True:
            document = self.document()
            if document is None:
                return None
            message = decode(document)
            if not isinstance(message, ChampionsList):
                return message

    def closes(self) -> None:
        """Hang up."""
        self.socket.close()

    def resets(self) -> None:
        """Hang up so that the network says it was no orderly end."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


class Server(Program):
    """``ugs serve`` on a free port of the loopback interface."""

    def __init__(self, directory: Path, *arguments: str | Path, config: str = "") -> None:
        file = directory / "test.toml"
        patient = "".join(f"{name} = {json.dumps(value)}\n" for name, value in PATIENT.items() if name not in config)
        file.write_text(patient + config if config else as_toml(PATIENT), encoding="utf-8")
        self.ready_file = directory / "ready.json"
        self._at_end = ExitStack()
        # What is kept is shown on a page, whose usual port may be taken by a test beside this one.
        page = ("--http-port", "0") if "--data-dir" in arguments and "--http-port" not in arguments else ()
        super().__init__(
            sys.executable,
            *("-m", "ugs", "serve", "--port", "0", "--config", file, "--ready-file", self.ready_file),
            *page,
            *arguments,
        )
        try:
            self.logs("listening")
        except BaseException:
            self.__exit__(None, None, None)
            raise
        self.ready: dict[str, Any] = json.loads(self.ready_file.read_text(encoding="utf-8"))
        self.address: str = self.ready["game"]

    def dials(self, *, declares: bool = True, receive_buffer: int = 0) -> Peer:
        """A peer connects."""
        peer = Peer(self.address, declares=declares, receive_buffer=receive_buffer)
        self.at_end(peer.closes)
        return peer

    def player(self, nick: str, game_type: str = GAME_TYPE) -> Peer:
        """A player who has logged in."""
        peer = self.dials()
        peer.says(PlayerLogin(nick, game_type))
        assert peer.hears() == LoginResponse()
        return peer

    def master(self, name: str = "m", game_type: str = GAME_TYPE) -> Peer:
        """A master of games of two who has logged in."""
        peer = self.dials()
        peer.says(GameMasterLogin(name, game_type, "2", "2"))
        assert peer.hears() == LoginResponse()
        return peer

    def at_end(self, close: Callable[[], None]) -> None:
        """This is to be done when the server is done with."""
        self._at_end.callback(close)

    def stops(self) -> int:
        """Stop it in good order; the exit code."""
        self.signal(signal.SIGTERM)
        return self.ends()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._at_end.close()
        super().__exit__(kind, error, traceback)


def client(role: str, server: Server, *arguments: str, environment: Mapping[str, str] | None = None) -> Program:
    """``ugs master`` or ``ugs bot`` connected to a server, once."""
    return Program.ugs(role, *arguments, "--connect", server.address, "--once", environment=environment)


class Game:
    """A game of ann and bob that the test leads and plays, step by step; every step proves that it goes on well."""

    def __init__(self, server: Server) -> None:
        self.master, self.ann, self.bob = server.master(), server.player("ann"), server.player("bob")
        begun = self.master.hears()
        assert isinstance(begun, BeginGame)
        self.id = begun.game_id
        self.seats = begun.players
        self._moves = 0
        self._tells()

    def goes_on(self) -> None:
        """One more move."""
        mover = self._player(self._moves)
        move = Move(self.id, b"<move><!-- %d --></move>" % self._moves)
        mover.says(move)
        heard = self.master.hears()
        assert heard == move, f"not {heard}"
        self._moves += 1
        self._tells()

    def ends(self) -> None:
        """The one who moved last has won; everybody goes."""
        winner, loser = self.seats[(self._moves - 1) % 2], self.seats[self._moves % 2]
        results = (PlayerResult(winner, Result.WINNER), PlayerResult(loser, Result.LOSER))
        state = GameState(self.id, None, results)
        self.master.says(state)
        for player in (self.ann, self.bob):
            assert player.hears() == state
        for peer in (self.ann, self.bob, self.master):
            peer.says(Logout())
            assert peer.hears() is None
            peer.closes()

    def _player(self, number: int) -> Peer:
        return {"ann": self.ann, "bob": self.bob}[self.seats[number % 2]]

    def _tells(self) -> None:
        payload = b'<gameState><n x="%d"/></gameState>' % self._moves
        state = GameState(self.id, self.seats[self._moves % 2], None, payload)
        self.master.says(state)
        assert self.ann.hears() == state
        assert self.bob.hears() == state


def played(server: Server, nick: str) -> int:
    """How many games that counted this player has played."""
    return sum(nick in event["outcomes"] for event in server.events("game ended", fault="nobody"))
