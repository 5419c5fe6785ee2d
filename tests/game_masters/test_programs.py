"""Masters and bots of the command line play at a server: as many games as they were told, and whom they chose."""

from importlib.metadata import EntryPoint

import pytest
from trio.testing import MockClock

from game_masters.commands import playing
from game_masters.registry import find_game
from tests.game_masters.programs import MemoryServer, Opens, Program
from ugs.lobby.client import List
from ugs.wire.extensions import Players, Tables
from ugs.wire.messages import Logout, PlayerLogin

GAME = "tic-tac-toe"
TYPE = "5-in-line-tic-tac-toe"
SMALL = ("--option", "width=4", "--option", "height=4", "--option", "row=3")


@pytest.fixture
def server(opens_server: Opens) -> MemoryServer:
    """A server with every setting at its default."""
    return opens_server()


def bot(server: MemoryServer, nick: str, *words: str) -> Program:
    """A bot that plays always alike."""
    return server.starts("bot", GAME, "--once", "--nick", nick, "--bot", "random", "--seed", "1", *words)


def at_fault(server: MemoryServer) -> list[str]:
    """What anybody has said that no program should say."""
    return [str(line) for line in server.log.of("wrong message")]


async def test_they_play_as_many_games_as_they_were_told(server: MemoryServer, autojump_clock: MockClock) -> None:
    server.starts("master", GAME, "--once", "--check", "--id", "m")
    ann = server.starts("bot", GAME, "--once", "--nick", "ann", "--games", "5", "--seed", "1")
    bob = bot(server, "bob", "--games", "5")
    assert (await ann.ends(), await bob.ends()) == (0, 0)
    games = await server.log.tells("game ended", times=5, fault="nobody")
    assert [sorted(game["outcomes"]) for game in games] == [["ann", "bob"]] * 5
    assert at_fault(server) == []


async def test_the_earlier_spellings_of_the_command_line(server: MemoryServer, autojump_clock: MockClock) -> None:
    server.starts("master", GAME, "--connect_to", "127.0.0.1:1")
    ann, bob = (
        server.starts("player", GAME, "--connect_to", "127.0.0.1:1", "--nick", nick, "--games", "1")
        for nick in ("ann", "bob")
    )
    assert (await ann.ends(), await bob.ends()) == (0, 0)
    await server.log.tells("game ended", fault="nobody")


async def test_anybody_may_plug_into_a_championship(opens_server: Opens, autojump_clock: MockClock) -> None:
    server = opens_server(entrants_per_ip=3, game_types={TYPE: {"mode": "championship", "championship_players": 3}})
    server.starts("master", GAME, "--once")
    bot(server, "ann")
    bot(server, "bob")
    await server.log.tells("player logged in", times=2)
    cat = server.shell.connects()
    await cat.says(PlayerLogin("cat", TYPE))
    (begun,) = await server.log.tells("championship begun")
    assert sorted(begun["players"]) == ["ann", "bob", "cat"]
    await cat.says(Logout())
    (over,) = await server.log.tells("championship over")
    assert {nick for nick, *_ in over["standings"]} >= {"ann", "bob"}


async def test_friends_meet_at_a_private_table(server: MemoryServer, autojump_clock: MockClock) -> None:
    server.starts("master", GAME, "--once", "--check")
    pool = bot(server, "pat")
    await pool.log.tells("logged in")
    ada = bot(server, "ada", "--advertise", "Friday table", "--private", "--invite", "bob", "--games", "2", *SMALL)
    await ada.log.tells("sits at a table")
    assert await server.lobby(List.TABLES, "eve", TYPE) == Tables(())
    found = await server.lobby(List.TABLES, "bob", TYPE)
    assert isinstance(found, Tables)
    assert [(table.name, table.owner, table.free) for table in found.tables] == [("Friday table", "ada", 1)]
    there = await server.lobby(List.PLAYERS, "eve", TYPE)
    assert isinstance(there, Players)
    doing = {player.nick: player.play for player in there.players if player.nick != "eve"}
    assert doing == {"pat": "WAITING", "ada": "JOINED"}
    bob = bot(server, "bob", "--join", "Friday table", "--games", "2")
    assert (await ada.ends(), await bob.ends()) == (0, 0)
    games = await server.log.tells("game ended", times=2, fault="nobody")
    assert [sorted(game["outcomes"]) for game in games] == [["ada", "bob"]] * 2
    assert pool.log.of("game over") == [], "who waits in the pool is never seated at a table"
    assert at_fault(server) == []
    assert not ada.log.of("unreadable state") + bob.log.of("unreadable state"), "bob knows the board without being told"


async def test_a_table_for_one_and_a_computer(server: MemoryServer, autojump_clock: MockClock) -> None:
    server.starts("master", GAME, "--once", "--check", *SMALL)
    ada = bot(server, "ada", "--advertise", "Me and it", "--computers", "1")
    assert await ada.ends() == 0
    (game,) = await server.log.tells("game ended", fault="nobody")
    assert list(game["outcomes"]) == ["ada"]
    assert not ada.log.of("unreadable state"), "it has asked how the master plays"


@pytest.fixture
def high_card(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of an installed game for two to four."""
    point = EntryPoint("high-card", "tests.game_masters.high_card:HIGH_CARD", "ugs.games")
    monkeypatch.setattr(playing, "find_game", lambda name: find_game(name, [point]))
    return point.name


async def test_two_friends_and_a_computer_begin_when_the_host_likes(
    server: MemoryServer, high_card: str, autojump_clock: MockClock
) -> None:
    server.starts("master", high_card, "--once", "--check")
    bob = server.starts("bot", high_card, "--once", "--nick", "bob", "--join", "Cards")
    await bob.log.tells("no such table yet, will look again")
    cards = ("--advertise", "Cards", "--seats", "4", "--computers", "1", "--private", "--invite", "bob")
    ada = server.starts("bot", high_card, "--once", "--nick", "ada", *cards, "--start-with", "2")
    assert (await ada.ends(), await bob.ends()) == (0, 0)
    (game,) = await server.log.tells("game ended", fault="nobody")
    assert sorted(game["outcomes"]) == ["ada", "bob"]
    seats = [line["there"] for line in ada.log.of("at the table")]
    assert [len(there) for there in seats] == [1, 2, 2, 4], "set up, joined, begun, named by the master"


async def test_who_is_refused_a_table_is_told_why(server: MemoryServer, autojump_clock: MockClock) -> None:
    ada = bot(server, "ada", "--advertise", "x" * 41)
    assert await ada.ends() == 1
    (line,) = ada.log.of("the server cannot seat it so")
    assert line["reason"] == "x-advertise: table name: has 41 characters; allowed are 1 to 40"
