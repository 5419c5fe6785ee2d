"""Games of other nodes: spectators are passed on to them, and the page follows them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing

from tests.broker.views.test_whole import GAME
from tests.cluster.nodes import RunningNode, running
from tests.cluster.test_login_router import hears, logged_in
from tests.daemon.shell import GO, Far, move, turn
from ugs.broker.events import NodesSeen
from ugs.cluster import games_elsewhere
from ugs.cluster.games_elsewhere import GameElsewhere
from ugs.daemon.http.live import LiveServer
from ugs.wire.extensions import EventKind, GameEvent, Hello, Watch, Watching
from ugs.wire.messages import BeginGame, GameMasterLogin, PlayerLogin


@asynccontextmanager
async def game_at_b() -> AsyncIterator[tuple[dict[str, RunningNode], Far, Far, str]]:
    """Two nodes, and a game at b that a has been shown: its master, the player to move, its id."""
    async with running("a", "b") as (table, nodes):
        table.move(GO, "b")
        for node in nodes.values():
            await node.look()
        master = await logged_in(await nodes["b"].dials(), GameMasterLogin("m", GO, "2", "2"))
        ann = await logged_in(await nodes["a"].dials(), PlayerLogin("ann", GO))
        await logged_in(await nodes["b"].dials(), PlayerLogin("bob", GO))
        begun = await hears(master)
        assert isinstance(begun, BeginGame)
        await master.says(turn("ann", begun.game_id))
        await hears(ann)
        await shows(nodes)
        yield nodes, master, ann, begun.game_id


async def shows(nodes: dict[str, RunningNode]) -> None:
    """Let a see what b does now."""
    nodes["b"].node.overviews._written_at = float("-inf")
    for name in ("b", "a"):
        await nodes[name].look()


async def test_a_spectator_is_passed_on_to_the_game_or_game_type_that_it_follows_first() -> None:
    async with game_at_b() as (nodes, _, _, game):
        for wanted in (Watch(game, ref="1"), Watch(game_type=GO, ref="1")):
            eve = await nodes["a"].dials()
            await eve.says(Hello(("watch",)), wanted)
            assert isinstance(await hears(eve), Hello)
            found = await hears(eve)
            assert isinstance(found, Watching)
            assert (found.game_id, found.ref) == (game, "1")
        assert nodes["a"].node.status.outcomes()["handed over"] == 3


async def seen(found: object, until: int) -> list[GameEvent]:
    """All events of a game up to this number."""
    assert isinstance(found, GameElsewhere)
    while found.now < until:
        await trio.lowlevel.checkpoint()
    return list(await found.events(0, 100))


async def test_the_page_follows_a_game_of_another_node_to_its_end() -> None:
    async with game_at_b() as (nodes, master, ann, game):
        shell = nodes["a"].shell
        live = LiveServer(shell.broker, shell.questions, cluster=shell.status.parts.cluster)
        assert live.follow("unknown") is None
        found = live.follow(game)
        assert found is not None
        assert [seat.nick for seat in found.first.seats] == ["ann", "bob"]
        assert not found.over
        assert [event.what for event in await seen(found, 2)] == [EventKind.BEGIN, EventKind.STATE]
        await ann.says(move(game))
        assert [event.nick for event in await seen(found, 3)][2:] == ["ann"]
        await master.hangs_up()
        assert [event.what for event in await seen(found, 4)][-1] is EventKind.ENDED
        assert found.over


async def test_a_line_goes_when_no_one_looks_or_its_node_has_gone_and_comes_again() -> None:
    async with game_at_b() as (nodes, _, ann, game):
        games = nodes["a"].node.status.games
        found = games.follow(game)
        assert found is not None
        await seen(found, 2)
        found.looked_at = float("-inf")
        await ann.says(move(game))
        while games._lines:
            await trio.lowlevel.checkpoint()
        assert len(await seen(found, 3)) == 3, "nothing twice, nothing left out"
        assert games._lines == {game}
        later = games.follow(game)
        nodes["a"].shell.driver.happens(NodesSeen((), 5.0))
        assert later is not None
        assert (later.now, later.over) == (0, False), "its line is there still"
        games._lines.clear()
        assert (later.now, later.over) == (0, True)


async def test_what_is_not_drawn_holds_a_bounded_amount() -> None:
    found = GameElsewhere("b", GAME, 0.0, lambda _: None)
    state = bytes(games_elsewhere.MAX_HELD_BYTES // 2)
    async with trio.open_nursery() as nursery:

        async def all_of_it() -> None:
            for number in range(1, 6):
                await found.take(GameEvent("far", number, 1.0, EventKind.STATE, state=state))

        nursery.start_soon(all_of_it)
        await trio.testing.wait_all_tasks_blocked()
        assert found.now == 2
        number = 0
        while number < 5:
            events = await found.events(number, 1)
            number = events[0].number if events else number
            await trio.testing.wait_all_tasks_blocked()
        assert len(found._held) <= 2


async def test_a_line_goes_when_what_has_come_is_not_drawn(autojump_clock: trio.testing.MockClock) -> None:
    found = GameElsewhere("b", GAME, 0.0, lambda _: None)
    state = bytes(games_elsewhere.MAX_HELD_BYTES)
    await found.take(GameEvent("far", 1, 1.0, EventKind.STATE, state=state))
    with pytest.raises(trio.TooSlowError):
        await found.take(GameEvent("far", 2, 1.0, EventKind.STATE, state=state))
    assert trio.current_time() - found.looked_at == games_elsewhere.IDLE_S
    assert [event.number for event in await found.events(0, 9)] == [1, 2], "nothing is lost: the next line goes on"
    assert found.now == 2
