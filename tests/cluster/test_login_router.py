"""Peers at a door whose game type is at home elsewhere: real sockets, two nodes in this process."""

import pytest
import trio
from structlog.testing import capture_logs

from tests.cluster.nodes import running
from tests.daemon.shell import GO, Far, move, turn
from ugs.broker.events import ShutdownAsked
from ugs.broker.values.access import AccessRule
from ugs.cluster import home_turns, node_port
from ugs.cluster.local_line import shared_path
from ugs.wire.extensions import Hello, Session
from ugs.wire.messages import BeginGame, Error, GameMasterLogin, GameState, LoginResponse, Message, Move, PlayerLogin

SOON_S = 20.0
both_ways = pytest.mark.parametrize("hand_over", [True, False], ids=["handed over", "relayed"])
"""What holds for peers of both kinds."""


async def hears(far: Far) -> Message | None:
    """The next message; machines may be slow."""
    return await far.hears(SOON_S)


async def logged_in(far: Far, login: PlayerLogin | GameMasterLogin) -> Far:
    await far.says(login)
    assert await hears(far) == LoginResponse()
    return far


@both_ways
async def test_old_peers_play_through_a_door_and_notice_nothing(hand_over: bool) -> None:
    async with running("a", "b", hand_over=hand_over) as (table, nodes):
        table.move(GO, "b")
        await nodes["a"].look()
        door = nodes["a"]
        master = await logged_in(await door.dials(), GameMasterLogin("m", GO, "2", "2"))
        ann = await logged_in(await door.dials(), PlayerLogin("ann", GO))
        bob = await logged_in(await nodes["b"].dials(), PlayerLogin("bob", GO))
        begun = await hears(master)
        assert isinstance(begun, BeginGame)
        await master.says(turn("ann", begun.game_id))
        assert isinstance(await hears(ann), GameState)
        assert isinstance(await hears(bob), GameState)
        await ann.says(move(begun.game_id))
        assert isinstance(await hears(master), Move)
        assert nodes["a"].names() == set()
        assert nodes["b"].names() == {"m", "ann", "bob"}
        outcomes, passed_on = door.node.status.outcomes(), (2, 0) if hand_over else (0, 2)
        assert (outcomes["handed over"], outcomes["relayed"]) == passed_on
        assert door.node.status.relayed().get("b", 0) == door.shell.peers.count() == passed_on[1]
        await ann.hangs_up()
        while "ann" in nodes["b"].names():  # the bytes of its end are on their way
            await trio.lowlevel.checkpoint()


@both_ways
async def test_the_home_sees_where_a_peer_of_another_door_comes_from_and_limits_it(hand_over: bool) -> None:
    async with running("a", "b", max_connections_per_ip=2, hand_over=hand_over) as (table, nodes):
        table.move(GO, "b")
        await nodes["a"].look()
        direct = await nodes["b"].dials()
        ann = await nodes["a"].dials()
        await logged_in(ann, PlayerLogin("ann", GO))
        addresses = {one.address for one in nodes["b"].shell.broker.server.connections.values()}
        assert addresses == {ann.address, direct.address}
        bob = await nodes["a"].dials()
        await bob.says(PlayerLogin("bob", GO))
        assert await hears(bob) == Error("too many connections from your address")


@both_ways
@pytest.mark.parametrize("together", [False, True])
async def test_a_peer_that_says_hello_is_answered_once(together: bool, hand_over: bool) -> None:
    async with running("a", "b", session_grace_s=10, hand_over=hand_over) as (table, nodes):
        table.move(GO, "b")
        await nodes["a"].look()
        ann = await nodes["a"].dials()
        if together:
            await ann.says(Hello(("session",)), PlayerLogin("ann", GO))
        else:
            await ann.says(Hello(("session",)))
        assert await hears(ann) == Hello(("session",))
        if not together:
            await ann.says(PlayerLogin("ann", GO))
        assert await hears(ann) == LoginResponse()
        session = await hears(ann)
        assert isinstance(session, Session)
        assert session.token.startswith("2~")
        assert nodes["b"].names() == {"ann"}


@both_ways
async def test_a_home_that_drains_refuses_those_of_another_door_as_its_own(hand_over: bool) -> None:
    async with running("a", "b", drain_s=1000, hand_over=hand_over) as (table, nodes):
        table.move(GO, "b")
        await nodes["a"].look()
        master = await logged_in(await nodes["b"].dials(), GameMasterLogin("m", GO, "2", "2"))
        ann = await logged_in(await nodes["a"].dials(), PlayerLogin("ann", GO))
        await logged_in(await nodes["a"].dials(), PlayerLogin("bob", GO))
        begun = await hears(master)
        assert isinstance(begun, BeginGame)
        await master.says(turn("ann", begun.game_id))
        assert isinstance(await hears(ann), GameState)
        nodes["b"].shell.driver.happens(ShutdownAsked())
        answers = []
        for door, nick in (("a", "carl"), ("b", "dora")):
            late = await nodes[door].dials()
            await late.says(PlayerLogin(nick, GO))
            answers.append(await hears(late))
        assert answers == [Error("playerLogin: the server is shutting down")] * 2
        await ann.says(move(begun.game_id))
        assert isinstance(await hears(master), Move), "games of those who were passed on go on"


async def test_a_home_that_does_not_answer_is_named() -> None:
    with capture_logs() as lines:
        await _meet_nobody()
    reasons = [line["reason"] for line in lines if line["event"] == "cannot relay"]
    assert [reason.partition("; ")[2] for reason in reasons] == [
        "other machines do not reach that address: set node_address at node b"
    ]


async def test_of_a_home_on_this_machine_nobody_is_told_to_change_its_address() -> None:
    with capture_logs() as lines:
        await _meet_nobody(shared_path("/nowhere/node.sock"))
    reasons = [line["reason"] for line in lines if line["event"] == "cannot relay"]
    assert [reason.partition("; ")[2] for reason in reasons] == [""]


async def _meet_nobody(place: str = "") -> None:
    async with running("a", "b") as (table, nodes):
        table.move(GO, "b")
        await nodes["a"].look()
        for gone in (nodes["b"].node.homes.nodes["b"].address, ""):
            address = "127.0.0.1:1" if gone else ""
            table.beat("b", address, 1, place)
            nodes["a"].node.homes = table.read()
            ann = await nodes["a"].dials()
            await ann.says(PlayerLogin("ann", GO))
            assert await hears(ann) == Error(f"{GO} is at home at node b, which does not answer: connect again")
            assert await hears(ann) is None


async def test_all_who_come_at_once_are_relayed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A home lets only so many lines wait that have proven nothing yet, and would hang up on the oldest."""
    monkeypatch.setattr(node_port, "MAX_UNKNOWN", 8)
    monkeypatch.setattr(home_turns, "MAX_AT_ONCE", 2)
    async with running("a", "b", hand_over=False, max_logins_per_second_per_ip=0) as (table, nodes):
        table.move(GO, "b")
        await nodes["a"].look()
        crowd = [await nodes["a"].dials() for _ in range(100)]
        async with trio.open_nursery() as nursery:
            for number, far in enumerate(crowd):
                nursery.start_soon(far.says, PlayerLogin(f"player-{number}", GO))
        for far in crowd:
            assert await hears(far) == LoginResponse()


async def test_who_is_relayed_to_a_server_that_hangs_is_let_go_when_its_standby_has_come() -> None:
    async with running("a", "b", hand_over=False) as (table, nodes):
        table.move(GO, "b")
        await nodes["a"].look()
        ann = await logged_in(await nodes["a"].dials(), PlayerLogin("ann", GO))
        await nodes["a"].look()
        assert nodes["a"].node.status.relayed() == {"b": 1}
        table.beat("b", "127.0.0.1:1", 2)
        await nodes["a"].look()
        while await hears(ann) is not None:  # the table of champions
            pass


@both_ways
async def test_who_is_passed_on_once_is_not_passed_on_again(hand_over: bool) -> None:
    """Two doors that each think that the other one is the home."""
    async with running("a", "b", hand_over=hand_over) as (table, nodes):
        table.move(GO, "b")
        await nodes["a"].look()
        table.move(GO, "a")
        await nodes["b"].look()
        ann = await nodes["a"].dials()
        await ann.says(PlayerLogin("ann", GO))
        assert await hears(ann) == Error(f"{GO} is at home at node a by now: connect again")
        assert await hears(ann) is None
        assert nodes["b"].node.router.outcomes["moved"] == 1


async def test_idle_peers_leave_a_home_that_has_moved_and_games_go_on_to_their_end() -> None:
    async with running("a", "b") as (table, nodes):
        home = nodes["a"]
        master = await logged_in(await home.dials(), GameMasterLogin("m", GO, "2", "2"))
        await home.look()
        assert table.homes.node_of_type(GO) == "a"
        ann = await logged_in(await home.dials(), PlayerLogin("ann", GO))
        await logged_in(await home.dials(), PlayerLogin("bob", GO))
        carl = await logged_in(await home.dials(), PlayerLogin("carl", GO))
        begun = await hears(master)
        assert isinstance(begun, BeginGame)
        await master.says(turn("ann", begun.game_id))
        assert isinstance(await hears(ann), GameState)
        table.move(GO, "b")
        await home.look()
        assert await hears(carl) == Error(f"{GO} is at home at node b: connect again")
        assert await hears(carl) is None
        await ann.says(move(begun.game_id))
        assert isinstance(await hears(master), Move)
        await nodes["a"].look()
        carl = await logged_in(await home.dials(), PlayerLogin("carl", GO))
        assert nodes["b"].names() == {"carl"}


async def test_who_is_banned_at_one_node_is_kept_out_of_all() -> None:
    async with running("a") as (table, nodes):
        eve = await logged_in(await nodes["a"].dials(), PlayerLogin("eve", GO))
        table.acts, table.banned = 1, [AccessRule("eve", False, "spam")]
        await nodes["a"].look()
        assert await hears(eve) == Error("removed by the organiser: eve is banned from this server: spam")
        table.acts, table.banned = 2, []
        await nodes["a"].look()
        await logged_in(await nodes["a"].dials(), PlayerLogin("eve", GO))


async def test_strangers_at_the_port_of_nodes_get_nothing() -> None:
    async with running("a") as (_table, nodes):
        host, _, port = nodes["a"].node.homes.nodes["a"].address.rpartition(":")
        for said in (b"<message type='playerLogin'/>\n", b"x" * 300, b"ugs-node 1 " + b"0" * 32 + b" b\n"):
            async with await trio.open_tcp_stream(host, int(port)) as stream:
                await stream.send_all(said)
                with trio.fail_after(SOON_S):
                    assert await stream.receive_some() == b""
        async with await trio.open_tcp_stream(host, int(port)) as stream:
            await stream.send_all(b"ugs-node 1 " + b"0" * 32 + b" a\n")
            assert len(await stream.receive_some()) == 32 + 1 + 64 + 1
            await stream.send_all(b"0" * 64 + b" 10.1.2.3:4\n<message")
            with trio.fail_after(SOON_S):
                assert await stream.receive_some() == b""
        assert nodes["a"].node.port.strangers == 4
        assert not nodes["a"].shell.broker.server.connections
