"""Masters and bots of the command line play at a server: as many games as they were told, and whom they chose."""

from importlib.metadata import EntryPoint

import pytest
from trio.testing import MockClock

from game_masters import commands
from game_masters.registry import find_games
from tests.game_masters.programs import Hall, Opens, Program
from ugs.lobby.asking import List
from ugs.wire.extensions import Players, Tables
from ugs.wire.messages import Logout, PlayerLogin

GAME = "tic-tac-toe"
TYPE = "5-in-line-tic-tac-toe"
SMALL = ("--option", "width=4", "--option", "height=4", "--option", "row=3")


@pytest.fixture
def hall(opens_hall: Opens) -> Hall:
    """A server with every setting at its default."""
    return opens_hall()


def bot(hall: Hall, nick: str, *words: str) -> Program:
    """A bot that plays always alike."""
    return hall.starts("bot", GAME, "--once", "--nick", nick, "--bot", "random", "--seed", "1", *words)


def at_fault(hall: Hall) -> list[str]:
    """What anybody has said that no program should say."""
    return [str(line) for line in hall.log.of("wrong message")]


async def test_they_play_as_many_games_as_they_were_told(hall: Hall, autojump_clock: MockClock) -> None:
    hall.starts("master", GAME, "--once", "--check", "--id", "m")
    ann = hall.starts("bot", GAME, "--once", "--nick", "ann", "--games", "5", "--seed", "1")
    bob = bot(hall, "bob", "--games", "5")
    assert (await ann.ends(), await bob.ends()) == (0, 0)
    games = await hall.log.tells("game ended", times=5, fault="nobody")
    assert [sorted(game["outcomes"]) for game in games] == [["ann", "bob"]] * 5
    assert at_fault(hall) == []


async def test_the_earlier_spellings_of_the_command_line(hall: Hall, autojump_clock: MockClock) -> None:
    hall.starts("master", GAME, "--connect_to", "127.0.0.1:1")
    ann, bob = (
        hall.starts("player", GAME, "--connect_to", "127.0.0.1:1", "--nick", nick, "--games", "1")
        for nick in ("ann", "bob")
    )
    assert (await ann.ends(), await bob.ends()) == (0, 0)
    await hall.log.tells("game ended", fault="nobody")


async def test_anybody_may_plug_into_a_championship(opens_hall: Opens, autojump_clock: MockClock) -> None:
    hall = opens_hall(game_types={TYPE: {"mode": "championship", "championship_players": 3}})
    hall.starts("master", GAME, "--once")
    bot(hall, "ann")
    bot(hall, "bob")
    await hall.log.tells("player logged in", times=2)
    cat = hall.shell.connects()
    await cat.says(PlayerLogin("cat", TYPE))
    (begun,) = await hall.log.tells("championship begun")
    assert sorted(begun["players"]) == ["ann", "bob", "cat"]
    await cat.says(Logout())
    (over,) = await hall.log.tells("championship over")
    assert {nick for nick, *_ in over["table"]} >= {"ann", "bob"}


async def test_friends_meet_at_a_private_table(hall: Hall, autojump_clock: MockClock) -> None:
    hall.starts("master", GAME, "--once", "--check")
    pool = bot(hall, "pat")
    await pool.log.tells("logged in")
    ada = bot(hall, "ada", "--advertise", "Friday table", "--private", "--invite", "bob", "--games", "2", *SMALL)
    await ada.log.tells("sits at a table")
    assert await hall.lobby(List.TABLES, "eve", TYPE) == Tables(())
    found = await hall.lobby(List.TABLES, "bob", TYPE)
    assert isinstance(found, Tables)
    assert [(table.name, table.owner, table.free) for table in found.tables] == [("Friday table", "ada", 1)]
    there = await hall.lobby(List.PLAYERS, "eve", TYPE)
    assert isinstance(there, Players)
    doing = {player.nick: player.play for player in there.players if player.nick != "eve"}
    assert doing == {"pat": "WAITING", "ada": "JOINED"}
    bob = bot(hall, "bob", "--join", "Friday table", "--games", "2")
    assert (await ada.ends(), await bob.ends()) == (0, 0)
    games = await hall.log.tells("game ended", times=2, fault="nobody")
    assert [sorted(game["outcomes"]) for game in games] == [["ada", "bob"]] * 2
    assert pool.log.of("game over") == [], "who waits in the pool is never seated at a table"
    assert at_fault(hall) == []
    assert not ada.log.of("unreadable state") + bob.log.of("unreadable state"), "bob knows the board without being told"


async def test_a_table_for_one_and_a_computer(hall: Hall, autojump_clock: MockClock) -> None:
    hall.starts("master", GAME, "--once", "--check", *SMALL)
    ada = bot(hall, "ada", "--advertise", "Me and it", "--computers", "1")
    assert await ada.ends() == 0
    (game,) = await hall.log.tells("game ended", fault="nobody")
    assert list(game["outcomes"]) == ["ada"]
    assert not ada.log.of("unreadable state"), "it has asked how the master plays"


@pytest.fixture
def high_card(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of an installed game for two to four."""
    point = EntryPoint("high-card", "tests.game_masters.high_card:HIGH_CARD", "ugs.games")
    monkeypatch.setattr(commands, "find_games", lambda: find_games([point]))
    return point.name


async def test_two_friends_and_a_computer_begin_when_the_host_likes(
    hall: Hall, high_card: str, autojump_clock: MockClock
) -> None:
    hall.starts("master", high_card, "--once", "--check")
    bob = hall.starts("bot", high_card, "--once", "--nick", "bob", "--join", "Cards")
    await bob.log.tells("no such table yet, will look again")
    cards = ("--advertise", "Cards", "--seats", "4", "--computers", "1", "--private", "--invite", "bob")
    ada = hall.starts("bot", high_card, "--once", "--nick", "ada", *cards, "--start-with", "2")
    assert (await ada.ends(), await bob.ends()) == (0, 0)
    (game,) = await hall.log.tells("game ended", fault="nobody")
    assert sorted(game["outcomes"]) == ["ada", "bob"]
    seats = [line["there"] for line in ada.log.of("at the table")]
    assert [len(there) for there in seats] == [1, 2, 2, 4], "set up, joined, begun, named by the master"


async def test_who_is_refused_a_table_is_told_why(hall: Hall, autojump_clock: MockClock) -> None:
    ada = bot(hall, "ada", "--advertise", "x" * 41)
    assert await ada.ends() == 1
    (line,) = ada.log.of("the server cannot seat it so")
    assert line["reason"] == "x-advertise: table name: has 41 characters; allowed are 1 to 40"
