"""A game survives its master, the line of a player and the server itself, and ends as if nothing had happened.

All processes are the real ones. What is compared is what the journal says of the same game played twice: once in
peace, once with the master killed twice, the line of a player cut twice, and the server killed.
"""

import math
import re
import signal
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TypeAlias

from tests.end_to_end.processes import Program, Server, own_port, until
from tests.end_to_end.wire import Wire
from tests.profile import ONLY_DEEP
from ugs.broker.values.record import EntryKind
from ugs.journal.reader import Reader

CONFIG = """
master_grace_s = 600
session_grace_s = 600
"""
THINK_MS = "20"

Story: TypeAlias = list[tuple[EntryKind, int | None, str, bytes]]


class Match:
    """A server, a master, and two players of one game; ann's line can be cut."""

    def __init__(self, game: str, directory: Path, stack: ExitStack) -> None:
        directory.mkdir()
        self._game = game
        self._directory = directory
        self._stack = stack
        self.data = directory / "data"
        self._port = own_port()
        self.server = self._serve()
        self.master = self._master()
        self.server.logs("master logged in")
        self.wire = stack.enter_context(Wire(self.server.address))
        self.ann = self._bot("ann", "1", self.wire.address)
        self.server.logs("player logged in", nick="ann")
        self.ben = self._bot("ben", "2", self.server.address)

    def after_moves(self, moves: int, mishap: Callable[[], None]) -> None:
        """Let something happen when ann has made ``moves`` moves, and before she makes another one."""
        self.wire.most_moves = moves
        until(lambda: self.wire.moves >= moves)
        mishap()

    def cut_line(self) -> None:
        """The network between ann and the server fails for a moment; the bot comes back by itself."""
        lines = self.wire.lines
        self.wire.cut()
        until(lambda: self.wire.lines > lines)

    def kill_master(self) -> None:
        """The master is killed, and another one is started."""
        self.master.signal(signal.SIGKILL)
        self.master.ends()
        self.master = self._master()
        self.server.logs("game taken over")

    def kill_server(self) -> None:
        """The server is killed, and another one is started at the same address."""
        self.server.signal(signal.SIGKILL)
        self.server.ends()
        self.server = self._serve()
        self.server.logs("game taken over")

    def story(self) -> tuple[Story, list[str], Counter[EntryKind]]:
        """What happened in the one game there was, as far as it has to be the same, its result, and how often what
        else happened."""
        assert self.ann.ends() == 0, self.ann.output
        assert self.ben.ends() == 0, self.ben.output
        self.server.logs("game ended")
        self.server.stops()
        with Reader(self.data) as reader:
            (result,) = reader.results()
            record = reader.record(result.game_id)
        kinds = (EntryKind.STATE, EntryKind.MOVE, EntryKind.OVER)
        story = [(one.kind, one.seat, one.text, one.body) for one in record.entries if one.kind in kinds]
        mishaps = Counter(one.kind for one in record.entries if one.kind not in kinds)
        return story, [f"{seat.nick} {seat.outcome}" for seat in result.seats], mishaps

    def _serve(self) -> Server:
        options = ("--data-dir", self.data, "--port", self._port)
        return self._stack.enter_context(Server(self._directory, *options, config=CONFIG))

    def _master(self) -> Program:
        return self._stack.enter_context(
            Program.ugs("master", self._game, "--connect", self.server.address, "--id", "m")
        )

    def _bot(self, nick: str, seed: str, address: str) -> Program:
        arguments = ("--nick", nick, "--seed", seed, "--games", "1", "--think-ms", THINK_MS, "--connect", address)
        return self._stack.enter_context(Program.ugs("bot", self._game, *arguments))

    def goes_through_trouble(self) -> None:
        """ann's line is cut twice, the master killed twice, and the server once."""
        self.after_moves(2, self.cut_line)
        self.after_moves(3, self.kill_master)
        self.after_moves(4, self.kill_server)
        self.after_moves(5, self.cut_line)
        self.after_moves(6, self.kill_master)
        self.wire.most_moves = math.inf

    def replay(self) -> str:
        """What ``ugs replay`` says of the game, played once more by a master of its own."""
        with Reader(self.data) as reader:
            (result,) = reader.results()
        command = f"{sys.executable} -m ugs master {self._game} --connect {{address}} --once"
        with Program.ugs("replay", result.game_id, "--data-dir", self.data, "--master", command) as program:
            assert program.ends() == 0, program.output
        return program.output


def test_a_game_survives_everybody_it_needs(tmp_path: Path) -> None:
    with ExitStack() as stack:
        *in_peace, mishaps = Match("tic-tac-toe", tmp_path / "peace", stack).story()
        assert not mishaps[EntryKind.CUT] + mishaps[EntryKind.RESTORED]
        match = Match("tic-tac-toe", tmp_path / "trouble", stack)
        match.goes_through_trouble()
        *in_trouble, mishaps = match.story()
        assert in_trouble == in_peace
        assert mishaps[EntryKind.CUT] >= 2
        assert mishaps[EntryKind.RESTORED] >= 3, "twice for the master, once for the server"


@ONLY_DEEP
def test_so_does_one_with_chance_and_hidden_hands(tmp_path: Path) -> None:
    """Its chance comes from a seed of its own, so what it must be equal to is itself, played by one master."""
    with ExitStack() as stack:
        match = Match("apologies-adult", tmp_path / "trouble", stack)
        match.goes_through_trouble()
        _, _, mishaps = match.story()
        assert mishaps[EntryKind.CUT] >= 2
        assert mishaps[EntryKind.RESTORED] >= 3
        assert mishaps[EntryKind.VIEW]
        assert re.search(r"all \d+ states are equal", match.replay())
