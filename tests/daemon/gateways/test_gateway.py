"""The shell of gateways: players without bytes, events within events, bugs, timers, doors and the end."""

import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock, wait_all_tasks_blocked

from tests.daemon.shell import Far, Shell, move, over, turn
from tests.daemon.toy_gateway import FRIDAY, Client, Closed, Toy, ToyHouse
from ugs.broker.events import Event, ShutdownAsked
from ugs.broker.state.connection import PeerState
from ugs.daemon.gateways.gateway import GatewayServer
from ugs.daemon.network.listening import Doorkeeper, open_listeners
from ugs.gateway import GatewayError, GatewaySettings
from ugs.wire.extensions import Advertise, Advertised, Cancel, Family, Hello, Join, Joined, ListTables, Tables
from ugs.wire.messages import (
    BeginGame,
    ChampionsList,
    Error,
    GameState,
    LoginResponse,
    Message,
    Move,
    PlayerLogin,
    ServerShutdown,
    ThankYou,
)

Opens = Callable[..., Shell]
Receives = Callable[..., ToyHouse]


@pytest.fixture
def receives(opens: Opens) -> Receives:
    """Opens a server with these settings and a toy gateway with those in ``gateway``."""
    return lambda gateway=(), **settings: ToyHouse(opens(**settings), **dict(gateway))


def first_of(messages: Sequence[Message], kind: type[Message]) -> Message:
    """The first message of this kind."""
    return next(message for message in messages if isinstance(message, kind))


def told(house: ToyHouse, what: str) -> list[object]:
    """What the gateway was told of one kind: the socket, player or timer."""
    return [received[1] for received in house.toy.received if received[0] == what]


async def duel(house: ToyHouse) -> tuple[Far, int, int]:
    """A master and two players of the gateway, for whom game g1 has begun."""
    ann, bob = house.toy.enters("ann"), house.toy.enters("bob")
    master = await house.shell.master()
    assert await master.hears() == BeginGame("g1", ("ann", "bob"))
    return master, ann, bob


# Players without bytes.


async def test_what_follows_from_what_a_player_says_has_been_delivered_when_it_has_been_said(
    receives: Receives, autojump_clock: MockClock
) -> None:
    house = receives()
    conn = house.toy.enters("ann", lobby=True)
    assert first_of(house.toy.of("ann"), LoginResponse) == LoginResponse()
    house.toy.server.send_message(conn, Advertise(FRIDAY, ref="7"))
    answer = first_of(house.toy.of("ann"), Advertised)
    assert isinstance(answer, Advertised)
    assert (answer.ref, answer.table.owner) == ("7", "ann")


async def test_a_client_plays_at_a_table_with_a_real_player(receives: Receives, autojump_clock: MockClock) -> None:
    house = receives()
    client = await house.client()
    await client.says("table ann")
    received = [await client.hears() for _ in range(4)]
    assert [text for text in received if text != ChampionsList.TYPE][:2] == ["x-hello", "loginResponse"]
    assert "x-advertised" in received
    bob = house.shell.connects()
    await bob.says(Hello((Family.LOBBY,)), PlayerLogin("bob", "go"), ListTables())
    tables = next(message for message in [await bob.hears() for _ in range(3)] if isinstance(message, Tables))
    await bob.says(Join(tables.tables[0].id))
    assert isinstance(await bob.hears(), Joined)
    await wait_all_tasks_blocked()
    assert len(house.toy.of("ann")) > len(received), "a player has sat down"


async def test_numbers_are_those_of_real_connections_too(receives: Receives, autojump_clock: MockClock) -> None:
    house = receives()
    ann = house.toy.enters("ann")
    await house.shell.player("bob")
    carl = house.toy.enters("carl")
    assert sorted(house.shell.broker.server.connections) == [ann, ann + 1, carl] == [1, 2, 3]
    assert house.shell.peers.count() == 1
    assert [link.by_gateway for link in house.shell.broker.server.connections.values()] == [True, False, True]


async def test_players_of_one_gateway_get_a_message_together_and_real_players_get_the_same(
    receives: Receives, autojump_clock: MockClock
) -> None:
    house = receives()
    ann, carl = house.toy.enters("ann"), house.toy.enters("carl")
    bob = await house.shell.player("bob")
    master = await house.shell.master(players=3)
    begun = await master.hears()
    assert isinstance(begun, BeginGame)
    await master.says(turn("ann"))
    assert await bob.hears() == turn("ann")
    assert house.toy.delivered_to[-1] == ((ann, carl), turn("ann"))
    house.toy.server.send_message(ann, move(payload=b"<move>e4</move>"))
    assert await master.hears() == move(payload=b"<move>e4</move>")


async def test_what_only_gateway_players_get_is_never_written(
    receives: Receives, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = receives()
    written: list[Message] = []

    def encode(message: Message) -> bytes:
        written.append(message)
        raise AssertionError

    monkeypatch.setattr("ugs.daemon.deliveries.encode", encode)
    house.toy.enters("ann")
    assert house.toy.of("ann")[0] == LoginResponse()
    assert written == []


async def test_a_gateway_may_answer_within_deliveries(receives: Receives, autojump_clock: MockClock) -> None:
    house = receives()
    answered = 0

    def answer(conns: Sequence[int], message: Message) -> None:
        nonlocal answered
        if isinstance(message, GameState) and message.next_player is not None:
            answered += 1
            house.toy.server.send_message(house.toy.conns[message.next_player], move())

    house.toy.on_delivery = answer
    master, ann, bob = await duel(house)
    for number in range(3):
        nick = ("ann", "bob")[number % 2]
        await master.says(turn(nick))
        assert await master.hears() == move()
    await master.says(over("ann", "bob"))
    await wait_all_tasks_blocked()
    assert answered == 3
    for conn in (ann, bob):
        house.toy.server.send_message(conn, ThankYou("g1"))
    assert await master.hears() == BeginGame("g2", ("bob", "ann"))


async def test_what_is_said_while_something_is_delivered_waits_until_that_is_done(
    receives: Receives, autojump_clock: MockClock
) -> None:
    house = receives()
    steps: list[str] = []

    def reply(conns: Sequence[int], message: Message) -> None:
        steps.append(message.TYPE)
        if isinstance(message, LoginResponse):
            conn = house.toy.conns["ann"]
            house.toy.server.send_message(conn, Advertise(FRIDAY, ref="1"))
            house.toy.server.send_message(conn, Cancel(ref="2"))
            steps.append("said")

    house.toy.on_delivery = reply
    house.toy.enters("ann", lobby=True)
    steps = [step for step in steps if step != ChampionsList.TYPE]
    assert steps[:4] == ["x-hello", "loginResponse", "said", "x-advertised"]
    assert len(steps) > 4, "the second one was heard, too"


async def test_a_chain_of_answers_may_be_longer_than_any_stack(receives: Receives, autojump_clock: MockClock) -> None:
    house = receives()
    left = 5000

    def again(conns: Sequence[int], message: Message) -> None:
        nonlocal left
        if isinstance(message, Tables) and left:
            left -= 1
            house.toy.server.send_message(conns[0], ListTables())

    house.toy.on_delivery = again
    conn = house.toy.enters("ann", lobby=True)
    house.toy.server.send_message(conn, ListTables())
    assert left == 0
    assert sum(isinstance(message, Tables) for message in house.toy.of("ann")) == 5001


async def test_a_player_who_is_gone_gets_nothing_more_though_it_is_told_later(
    receives: Receives, autojump_clock: MockClock
) -> None:
    house = receives()

    def leave(conns: Sequence[int], message: Message) -> None:
        if isinstance(message, LoginResponse):
            house.toy.server.send_message(conns[0], Advertise(FRIDAY))
            house.toy.server.disconnect(conns[0])
            assert conns[0] in house.shell.broker.server.connections

    house.toy.on_delivery = leave
    conn = house.toy.enters("ann", lobby=True)
    assert conn not in house.shell.broker.server.connections
    assert not any(isinstance(message, Advertised) for message in house.toy.of("ann"))
    house.toy.server.disconnect(conn)
    house.toy.server.send_message(conn, PlayerLogin("ann", "go"))
    assert told(house, "hung_up") == []
    house.toy.enters("ann")
    assert house.toy.of("ann")[0] == LoginResponse(), "the nick is free again"


async def test_who_cannot_be_reached_stays_logged_in_and_leaves_its_game(
    receives: Receives, autojump_clock: MockClock
) -> None:
    house = receives()
    master, ann, _bob = await duel(house)
    await master.says(turn("bob"))
    await wait_all_tasks_blocked()
    house.toy.server.reachable(ann, False)
    assert house.shell.broker.server.connections[ann].peer.state is PeerState.IDLE
    house.toy.server.reachable(ann, True)
    house.toy.server.reachable(99, False)
    assert not house.shell.broker.server.connections[ann].peer.away


async def test_a_gateway_cannot_speak_for_players_who_are_not_its_own(
    receives: Receives, autojump_clock: MockClock
) -> None:
    house = receives()
    bob = await house.shell.player("bob")
    house.toy.server.send_message(1, Move("g1", b"<move/>"))
    house.toy.server.disconnect(1)
    house.toy.server.reachable(1, False)
    await bob.hears_nothing_for(1)


async def test_who_does_not_log_in_is_hung_up_on_and_the_gateway_hears_why(
    receives: Receives, autojump_clock: MockClock
) -> None:
    house = receives(login_timeout_s=3)
    conn = house.toy.server.connect("192.0.2.7:7")
    house.toy.conns["ann"] = conn
    await trio.sleep(4)
    assert told(house, "hung_up") == [conn]
    assert isinstance(house.toy.of("ann")[-1], Error)
    assert house.shell.peers.gateway_players.gateways == {}


async def test_payloads_are_logged_at_debug_only(receives: Receives, autojump_clock: MockClock) -> None:
    with capture_logs() as lines:
        receives().toy.enters("ann")
        assert not [line for line in lines if line["log_level"] == "debug"]
        receives(log_level="debug").toy.enters("ann")
    documents = [(line["event"], line["document"]) for line in lines if line["log_level"] == "debug"]
    assert [way for way, _ in documents][:2] == ["in", "out"]
    assert 'nick="ann"' in documents[2][1]


# Bugs.


@pytest.mark.parametrize("order", ["opened", "text", "binary"])
async def test_a_bug_costs_the_client_whom_it_was_about_and_is_logged(
    receives: Receives, autojump_clock: MockClock, order: str
) -> None:
    house = receives()
    other = await house.client()
    house.toy.fails = {order}
    with capture_logs() as lines:
        client = await house.client()
        if order != "opened":
            await client.says("hello", "is heard no more")
        if order == "binary":
            house.toy.fails = {"text"}
        assert await client.hears() == Closed(1011, "bug in the server")
        await client.answers_close()
        house.toy.fails = set()
        await other.says("echo fine")
        assert await other.hears() == "fine"
    assert told(house, "closed") == [2]
    (bug,) = [line for line in lines if line["log_level"] == "error"]
    assert (bug["event"], bug["socket"], bug["exc_info"]) == ("bug in a gateway", 2, True)


@pytest.mark.parametrize("where", ["delivered", "hung_up", "closed", "timer"])
async def test_a_bug_that_is_about_no_client_is_logged_and_costs_nobody_anything(
    receives: Receives, autojump_clock: MockClock, where: str
) -> None:
    house = receives(login_timeout_s=3)
    house.toy.fails = {where}
    with capture_logs() as lines:
        bob = await house.shell.player("bob")
        house.toy.enters("ann")
        house.toy.server.connect("192.0.2.7:7")
        house.toy.server.start("t", 1)
        client = await house.client()
        await client.closes()
        await trio.sleep(10)
        await bob.says(PlayerLogin("bob", "go"))
        assert isinstance(await bob.hears(), Error)
    bugs = [line for line in lines if line["log_level"] == "error"]
    assert {(bug["event"], bug["during"]) for bug in bugs} == {("bug in a gateway", where)}


async def test_a_bug_of_the_broker_costs_the_gateway_player_that_met_it(
    receives: Receives, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = receives()
    ann, bob = house.toy.enters("ann"), house.toy.enters("bob")
    handle = house.shell.broker.handle

    def fails_on_moves(event: Event, now: float) -> object:
        if isinstance(getattr(event, "message", None), Move):
            raise RuntimeError("a bug")
        return handle(event, now)

    monkeypatch.setattr(house.shell.broker, "handle", fails_on_moves)
    with capture_logs() as lines:
        house.toy.server.send_message(ann, move())
    assert [line["event"] for line in lines if line["log_level"] == "error"] == ["bug in the server"]
    assert told(house, "hung_up") == [ann]
    assert sorted(house.shell.broker.server.connections) == [bob]


# Timers, and what else is asked.


async def test_a_timer_is_told_once_and_started_anew_later(receives: Receives, autojump_clock: MockClock) -> None:
    house = receives()
    server = house.toy.server
    start = server.now()
    server.start("a", 5)
    server.start("b", 7)
    await trio.sleep(4)
    server.start("a", 5)
    await trio.sleep(4.5)
    assert told(house, "timer") == ["b"]
    await trio.sleep(1)
    assert told(house, "timer") == ["b", "a"]
    assert server.now() - start == 9.5
    server.start("a", 0)
    await trio.sleep(100)
    assert told(house, "timer") == ["b", "a", "a"]


async def test_ids_are_different_and_the_date_is_in_utc(receives: Receives, autojump_clock: MockClock) -> None:
    server = receives().toy.server
    assert len({server.new_id() for _ in range(100)}) == 100
    assert server.date().tzinfo is UTC
    assert abs((server.date() - datetime.now(UTC)).days) <= 1


async def test_a_gateway_has_its_lines_in_the_log(receives: Receives, autojump_clock: MockClock) -> None:
    house = receives()
    with capture_logs() as lines:
        house.toy.server.note("a client registered", handle="ada")
        house.toy.server.note("too many", warning=True)
    assert [(line["log_level"], line["event"], line.get("handle")) for line in lines] == [
        ("info", "a client registered", "ada"),
        ("warning", "too many", None),
    ]


async def test_what_is_sent_to_who_is_not_there_is_lost_without_a_word(
    receives: Receives, autojump_clock: MockClock
) -> None:
    house = receives()
    house.toy.server.send(99, "hello")
    house.toy.server.close(99, 1000, "")


# The end.


async def test_at_the_end_last_words_go_out_and_all_are_closed_with_1001(
    receives: Receives, autojump_clock: MockClock
) -> None:
    house = receives()
    clients = [await house.client(), await house.client()]
    waiting = house.connects()
    await clients[0].says("login ann")
    house.toy.server.start("never", 2)
    await wait_all_tasks_blocked()
    house.shell.driver.happens(ShutdownAsked())
    assert house.shell.driver.stopped.is_set()
    assert house.toy.of("ann")[-1] == ServerShutdown()
    assert told(house, "hung_up") == [house.toy.conns["ann"]]
    house.server.shutdown()

    async def says_good_bye(client: Client) -> None:
        received = [await client.hears()]
        while not isinstance(received[-1], Closed):
            received.append(await client.hears())
        assert received[-2:] == ["farewell", Closed(1001, "the server stops")]
        await client.answers_close()
        await client.stream.aclose()

    for client in clients:
        await says_good_bye(client)
    assert await waiting.hears() is None
    await waiting.stream.aclose()
    await house.server.all_gone()
    assert told(house, "closed") == []
    await trio.sleep(5)
    assert house.toy.received[-1] == ("shutdown",)


async def test_a_gateway_that_fails_at_the_end_stops_nothing(receives: Receives, autojump_clock: MockClock) -> None:
    house = receives(gateway={"close_s": 1})
    client = await house.client()
    house.toy.fails = {"shutdown"}
    house.server.shutdown()
    assert await client.hears() in ("farewell", Closed(1001, "the server stops"))
    await house.server.all_gone()


async def test_who_comes_when_the_server_has_stopped_is_hung_up_on(
    receives: Receives, autojump_clock: MockClock
) -> None:
    house = receives()
    house.shell.driver.happens(ShutdownAsked())
    conn = house.toy.server.connect("192.0.2.7:7")
    assert told(house, "hung_up") == [conn]


# How it is made.


async def test_one_that_cannot_be_started_is_an_error(opens: Opens, autojump_clock: MockClock) -> None:
    class Broken(Toy):
        def started(self) -> None:
            raise RuntimeError("no board")

    with pytest.raises(GatewayError, match=r"cannot be started: .*no board"):
        GatewayServer(opens(), Broken, GatewaySettings.read({}))


# The door, on real sockets: waiting is bounded and, in fact, never done.

BOUND_S = 120.0


@asynccontextmanager
async def open_door(shell: Shell, **settings: object) -> AsyncIterator[tuple[GatewayServer, tuple[str, int]]]:
    """A gateway with these settings that listens, and its address."""
    server = GatewayServer(shell, Toy, GatewaySettings.read(settings))
    (listener,) = await open_listeners("127.0.0.1", 0)
    with listener, trio.fail_after(BOUND_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(Doorkeeper(shell.config, shell.tasks, server).welcome, listener)
            yield server, listener.getsockname()
            nursery.cancel_scope.cancel()
        server.shutdown()
        await server.all_gone()


async def dials(address: tuple[str, int], source: str = "127.0.0.1") -> Client:
    """A client connects."""
    sock = trio.socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    await sock.bind((source, 0))
    await sock.connect(address)
    return Client(trio.SocketStream(sock))


async def test_clients_come_through_the_door(opens: Opens) -> None:
    async with open_door(opens()) as (_, address):
        client = await (await dials(address)).shakes_hands()
        await client.says("echo hello", "flood 60000")
        assert await client.hears() == "hello"
        for _ in range(10):
            assert await client.hears() == "x" * 60_000
        await client.says("close bye")
        assert await client.hears() == Closed(4000, "bye")
        await client.answers_close()
        await client.stream.aclose()


async def test_who_sends_far_too_much_reads_why_it_is_closed(opens: Opens) -> None:
    async with open_door(opens(), max_message_bytes=2000) as (_, address):
        client = await (await dials(address)).shakes_hands()
        await client.says("x" * 300_000)
        received = await client.hears()
        assert isinstance(received, Closed)
        assert received.code == 1009
        await client.stream.aclose()


@pytest.mark.parametrize(
    ("limits", "why"),
    [({"max_connections": 1}, b"the server is full"), ({"max_connections_per_ip": 1}, b"from your address")],
)
async def test_beyond_the_limits_clients_are_turned_away_in_http(
    opens: Opens, limits: dict[str, int], why: bytes
) -> None:
    async with open_door(opens(**limits)) as (server, address):
        client = await (await dials(address)).shakes_hands()
        other = await dials(address)
        received = bytearray()
        while data := await other.stream.receive_some():
            received += data
        assert received.startswith(b"HTTP/1.1 503 ")
        assert why in received
        await other.stream.aclose()
        if "max_connections_per_ip" in limits:
            elsewhere = await (await dials(address, "127.0.0.2")).shakes_hands()
            await elsewhere.stream.aclose()
        await client.stream.aclose()
        await server.all_gone()
        again = await (await dials(address)).shakes_hands()
        await again.stream.aclose()
