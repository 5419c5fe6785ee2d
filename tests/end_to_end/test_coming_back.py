"""A bot that is killed and started again plays on; a second one with its nick does not take its place.

All processes are the real ones.
"""

import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.end_to_end.processes import Program, Server, output, until
from ugs.broker.verdict import Cause
from ugs.journal.reader import Reader
from ugs.state_files import token_in


class Evening:
    """A server with a master, and bots that can be killed; their state lies in the directory of the test."""

    def __init__(self, directory: Path, stack: ExitStack, session_grace_s: int = 600) -> None:
        self.data, self.home = directory / "data", directory / "home"
        self._stack = stack
        config = f"session_grace_s = {session_grace_s}\n"
        self.server = stack.enter_context(Server(directory, "--data-dir", self.data, config=config))

    def master(self) -> Program:
        return self._ugs("master", "tic-tac-toe", "--connect", self.server.address)

    def bot(self, nick: str, *options: str) -> Program:
        command = ("bot", "tic-tac-toe", "--nick", nick, "--connect", self.server.address, "--log-level", "debug")
        return self._ugs(*command, "--think-ms", "20", *options)

    def _ugs(self, *arguments: str) -> Program:
        environment = {"XDG_STATE_HOME": str(self.home), "HOME": str(self.home)}
        return self._stack.enter_context(Program.ugs(*arguments, environment=environment))


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    with ExitStack() as stack:
        yield Evening(tmp_path, stack)


def moved(evening: Evening, nick: str) -> int:
    """How many moves the bot has written down in its present game."""
    files = evening.home.glob(f"ugs/sessions/{nick}-*.jsonl")
    return sum(file.read_text().count('{"move"') for file in files)


def test_a_killed_bot_plays_on_when_it_is_started_again(evening: Evening) -> None:
    evening.master()
    ann = evening.bot("ann", "--bot", "random")
    ben = evening.bot("ben", "--bot", "random", "--games", "1")
    for number in range(1, 4):
        until(lambda least=4 * number: moved(evening, "ann") >= least)  # type: ignore[misc]
        ann.signal(signal.SIGKILL)
        ann.ends()
        ann = evening.bot("ann", "--bot", "random")
        ann.waits_for("session resumed")
    assert ben.ends() == 0, ben.output
    ann.waits_for("verdict")
    with Reader(evening.data) as reader:
        (game,) = reader.games()
    assert game.verdict is not None
    assert game.verdict.cause in (Cause.FINISHED, Cause.DRAW), ann.output
    assert not evening.server.events("wrong message")
    (state,) = evening.home.glob("ugs/sessions/ben-*.jsonl")
    token = token_in(state, evening.server.address, "ben")
    assert token, "it still serves for questions"
    # Far away, with nothing but what the bot has kept.
    told = output("why", game.game_id, "--connect", evening.server.address, "--nick", "ben", "--state", state)
    assert f"game {game.game_id} (5-in-line-tic-tac-toe)" in told
    assert "as judged by the game master" in told or "the same result" in told
    assert " master 5-in" not in told
    assert " ben -> " in told
    assert " ann -> " not in told, "what others say is theirs"


def test_without_its_state_it_is_told_how_long_to_wait_and_waits(tmp_path: Path) -> None:
    """It is there before the first one is gone, so that it asks soon after that: that it starts may take a while."""
    with ExitStack() as stack:
        evening = Evening(tmp_path, stack, session_grace_s=8)
        ann = evening.bot("ann", "--no-state")
        evening.server.logs("player logged in", nick="ann")
        again = evening.bot("ann", "--no-state")
        again.waits_for("login refused, will try again")
        ann.signal(signal.SIGKILL)
        ann.ends()
        evening.server.logs("line cut", nick="ann")
        again.waits_for("login refused, waits")
        evening.server.logs("player logged in", times=2, nick="ann")
        again.waits_for('"logged in"')
        assert len(again.events("login refused, waits")) == 1
        earlier = again.events("login refused, will try again")
        assert len(evening.server.events("login refused")) == len(earlier) + 1, "it has not asked again meanwhile"


def test_a_second_bot_of_the_same_nick_does_not_take_the_place_of_the_first(evening: Evening) -> None:
    ann = evening.bot("ann")
    evening.server.logs("player logged in", nick="ann")
    other = evening.bot("ann")
    other.waits_for("another bot uses this state file")
    other.waits_for("login refused, will try again")
    assert ann.running
    assert not evening.server.events("session resumed")


def test_a_bot_without_a_master_says_what_it_waits_for(evening: Evening) -> None:
    evening.bot("ann").waits_for("there is no game master for 5-in-line-tic-tac-toe")
