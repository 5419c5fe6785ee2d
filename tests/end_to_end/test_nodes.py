"""Two servers of one database: peers that one hands over to the other, and what the end of either is to them."""

import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.end_to_end.processes import GAME_TYPE, Game, Server
from tests.journal.postgresql.conftest import shared_database, url
from tests.journal.postgresql.database_server import JournalUrl

__all__ = ["shared_database", "url"]


@pytest.fixture
def nodes(tmp_path: Path, url: JournalUrl) -> Iterator[tuple[Server, Server]]:
    """The home of games of the tests, and a door that has seen it."""
    with ExitStack() as stack:

        def start(name: str, *more: str) -> Server:
            (tmp_path / name).mkdir()
            node = ("--journal", url.text, "--node", name, "--http-port", "0", *more)
            return stack.enter_context(Server(tmp_path / name, *node))

        yield start("home", "--home", GAME_TYPE), start("door")


def test_a_game_whose_peers_came_through_a_door_outlives_the_door(nodes: tuple[Server, Server]) -> None:
    home, door = nodes
    game = Game(door)
    game.goes_on()
    door.signal(signal.SIGKILL)
    door.ends()
    game.goes_on()
    game.ends()
    assert len(home.logs("game ended")) == 1
    assert not door.events("relayed, not handed over")


def test_peers_that_were_handed_over_see_the_end_of_their_home(nodes: tuple[Server, Server]) -> None:
    home, door = nodes
    game = Game(door)
    home.signal(signal.SIGKILL)
    home.ends()
    for peer in (game.master, game.ann, game.bob):
        assert peer.hears() is None
