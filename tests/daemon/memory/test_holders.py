"""Peers, games and clients of gateways that hold memory, on a whole server: they are found, and give it back."""

from collections.abc import Callable

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock, memory_stream_pair, wait_all_tasks_blocked

from tests.daemon.shell import Far, Pipe, Shell, move, turn
from tests.daemon.stream_transport import StreamTransport
from tests.daemon.toy_gateway import HANDSHAKE, ToyHouse, masked
from ugs.daemon.connections.connection import Connection
from ugs.daemon.memory.holders import PeerHolder
from ugs.daemon.memory.memory_account import MemoryPlace
from ugs.wire.messages import Error, GameState, PlayerLogin

Opens = Callable[..., Shell]

MIB = 1_048_576
BEGINNING = b'<message type="x-ping"><a>'


async def begins(shell: Shell, nick: str, size: int, address: str = "192.0.2.7:1") -> tuple[Far, Connection]:
    """A player who has begun a document of which so many bytes have come."""
    near, stream = memory_stream_pair()
    connection = shell.attaches(StreamTransport(near, address))
    far = await shell.player(nick, Far(stream))
    await far.says(BEGINNING + b"x" * (size - len(BEGINNING)))
    await wait_all_tasks_blocked()
    assert connection.framer.pending == size
    return far, connection


async def test_each_place_is_found(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    master, ann, _bob = await shell.table()
    await ann.says(move())
    await master.hears()
    await master.says(turn("bob"))
    shell.connects()
    await begins(shell, "cat", 5000)
    slow = Pipe(room=0)
    shell.attaches(slow)
    slow.says(PlayerLogin("dan", "chess"))
    await wait_all_tasks_blocked()
    await shell.memory.account.look()
    look = shell.memory.account.latest
    assert look.bytes[MemoryPlace.DOCUMENTS] == 5000
    assert look.bytes[MemoryPlace.OUTBOXES] == shell.peers.unsent.bytes > 100
    assert look.number[MemoryPlace.GAMES] == 1
    assert 500 < look.bytes[MemoryPlace.GAMES] < 5000
    assert (look.number[MemoryPlace.CONNECTIONS], look.number[MemoryPlace.PLAYERS], look.number[MemoryPlace.ROWS]) == (
        6,
        4,
        4,
    )
    assert look.connections == {"192.0.2.1": 4, "192.0.2.7": 1, "192.0.2.9": 1}
    assert look.kinds == {"master": 1, "player": 4, "not logged in": 1}
    assert look.states == {"playing": 2, "idle": 2}
    assert {str(one.holder.describe()["kind"]) for one in look.holdings} == {"player", "game"}
    assert look.by_origin["192.0.2.7"] == 5000


async def test_a_peer_with_an_unfinished_document_is_told_why_it_has_to_go(
    opens: Opens, autojump_clock: MockClock
) -> None:
    shell = opens(max_held_bytes_per_ip=16 * MIB)
    heavy = [await begins(shell, f"heavy {number}", 950_000, f"192.0.2.7:{number}") for number in range(18)]
    light, connection = await begins(shell, "light", 10_000, "192.0.2.7:99")
    with capture_logs() as lines:
        await shell.memory.account.look()
    gone = [far for far, peer in heavy if peer.closing]
    assert len(gone) == 1
    told = await gone[0].hears()
    assert isinstance(told, Error)
    assert told.text == f"too much memory: 950000 bytes held, and more than {16 * MIB} for address 192.0.2.7"
    assert all(peer.framer.pending == 0 for _, peer in heavy if peer.closing), "given back before the peer is gone"
    assert not connection.closing
    (shed,) = [line for line in lines if line["event"] == "memory shed"]
    assert (shed["kind"], shed["address"][:9], shed["documents"], shed["held_bytes"]) == (
        "player", "192.0.2.7", 950_000, 950_000,
    )  # fmt: skip
    assert str(shed["name"]).startswith("heavy ")
    await light.says(b"</a></message>")
    assert isinstance(await light.hears(), Error), "what it said is heard, wrong as it is"
    await shell.memory.account.look()
    assert shell.status.answer()["ok"]


async def test_one_that_does_not_read_is_dropped(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    slow = Pipe(room=0)
    connection = shell.attaches(slow)
    slow.says(PlayerLogin("ann", "go"))
    await wait_all_tasks_blocked()
    peer = PeerHolder(connection, shell.broker.server, shell.driver.happens)
    held = peer.held_bytes()
    assert held == connection.outbox.waiting_bytes > 0
    with capture_logs() as lines:
        peer.give_back(held, "too much memory", "max_held_bytes")
        await wait_all_tasks_blocked()
    assert slow.is_closed()
    assert peer.held_bytes() == 0
    (line,) = [line for line in lines if line["event"] == "disconnected"]
    assert (line["nick"], line["reason"]) == ("ann", "does not read: too much memory")


async def test_one_that_is_closing_already_is_let_go_at_once(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    slow = Pipe(room=0)
    connection = shell.attaches(slow)
    slow.says(b"no document")
    await wait_all_tasks_blocked()
    peer = PeerHolder(connection, shell.broker.server, shell.driver.happens)
    assert peer.describe()["kind"] == "closing"
    assert not slow.is_closed()
    peer.give_back(peer.held_bytes(), "too much memory", "max_held_bytes")
    await wait_all_tasks_blocked()
    assert slow.is_closed()


async def test_a_game_holds_what_it_shows_and_no_more_however_much_was_said(
    opens: Opens, autojump_clock: MockClock
) -> None:
    shell = opens(max_held_bytes_per_ip=16 * MIB)
    master, ann, bob = await shell.table()
    for _ in range(18):
        await ann.says(move(payload=b"<move>" + b"x" * 950_000 + b"</move>"))
        await master.hears()
        await master.says(turn("ann"))
        await bob.hears()
    with capture_logs() as lines:
        await shell.memory.account.look()
    assert lines == []
    assert shell.memory.account.latest.bytes[MemoryPlace.GAMES] < MIB
    await ann.says(move())
    assert await master.hears() == move()


async def test_a_game_that_shows_very_much_ends_and_the_limit_is_named(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    master, _ann, bob = await shell.table()
    await master.says(GameState("g1", "ann", None, b"<gameState>" + b"x" * 950_000 + b"</gameState>"))
    await bob.hears()
    await shell.memory.account.look()
    (game,) = [one.holder for one in shell.memory.account.latest.holdings if one.holder.describe()["kind"] == "game"]
    game.give_back(game.held_bytes(), "too much memory", "max_held_bytes_per_ip")
    told = await bob.hears()
    assert isinstance(told, Error)
    assert told.text.endswith("bytes as it stands, the most of those that share max_held_bytes_per_ip")


async def test_of_clients_of_gateways_what_was_not_heard_and_not_read_counts(
    opens: Opens, autojump_clock: MockClock
) -> None:
    house = ToyHouse(opens(), max_message_bytes=100_000)
    shell = house.shell
    stream = house.connects().stream
    await stream.send_all(HANDSHAKE)
    assert (await stream.receive_some()).startswith(b"HTTP/1.1 101 ")
    await stream.send_all(masked(1, b"x" * 50_000, final=False))
    await wait_all_tasks_blocked()
    await shell.memory.account.look()
    look = shell.memory.account.latest
    assert (look.number[MemoryPlace.CLIENTS], look.bytes[MemoryPlace.CLIENTS]) == (1, 50_000)
    assert look.kinds["gateway client"] == 1
    (holding,) = look.holdings
    assert holding.holder.describe() == {"kind": "gateway client", "socket": 1, "address": "192.0.2.5:5"}
    await stream.send_all(masked(0, b"x" * 10))
    await wait_all_tasks_blocked()
    assert holding.holder.held_bytes() == 0, "heard"
    with capture_logs() as lines:
        holding.holder.give_back(1, "too much memory", "max_held_bytes")
        await house.server.all_gone()
    assert [line["reason"] for line in lines if line["event"] == "socket closed"] == ["too much memory"]


async def test_messages_of_a_client_that_says_too_much_count_while_they_wait(
    opens: Opens, autojump_clock: MockClock
) -> None:
    house = ToyHouse(opens(max_messages_per_second=1, rate_burst_s=1, rate_patience_s=1000))
    stream = house.connects().stream
    await stream.send_all(HANDSHAKE)
    assert (await stream.receive_some()).startswith(b"HTTP/1.1 101 ")
    for _ in range(4):
        await stream.send_all(masked(1, b"x" * 1000))
    await trio.sleep(0.01)
    await house.shell.memory.account.look()
    assert house.shell.memory.account.latest.bytes[MemoryPlace.CLIENTS] == 2000, (
        "one was heard, the next one is about to be"
    )
    await trio.sleep(10)
    await house.shell.memory.account.look()
    assert house.shell.memory.account.latest.bytes[MemoryPlace.CLIENTS] == 0


async def test_who_goes_while_it_is_looked_at_is_left_out(
    opens: Opens, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ugs.daemon.memory.memory_account.SLICE", 1)
    shell = opens()
    players = [await shell.player(f"p{number}") for number in range(5)]

    async def go() -> None:
        for player in players[1:]:
            await player.hangs_up()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(shell.memory.account.look)
        nursery.start_soon(go)
    await trio.sleep(2)
    await shell.memory.account.look()
    assert shell.memory.account.latest.kinds == {"player": 1}
