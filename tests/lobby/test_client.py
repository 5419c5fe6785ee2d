"""Questions to the lobby of a real broker, and to servers that misbehave."""

import math
from collections.abc import Awaitable, Callable

import pytest
import trio
import trio.testing

from tests.daemon.shell import GO, Shell
from ugs.lobby.client import FAREWELL_S, NOWHERE, PATIENCE_S, Answer, List, NoLobby, ask, visit
from ugs.peer import Peer
from ugs.wire.codec import encode
from ugs.wire.extensions import (
    Advertise,
    Failed,
    GameTypes,
    Hello,
    ListGameTypes,
    ListTables,
    NewTable,
    Players,
    RefusalReason,
    Tables,
    Visibility,
)
from ugs.wire.messages import Error, GameMasterLogin, LoginError, LoginResponse, Logout, Message, PlayerLogin

Server = Callable[[trio.abc.Stream], Awaitable[None]]
HELLO = Hello(("lobby",))


async def asked(shell: Shell, what: List, nick: str = "bob", game_type: str = GO) -> Answer:
    """What the broker answers."""
    return await visit(Peer(shell.connects().stream), nick, game_type, what)


async def advertises(shell: Shell, table: NewTable) -> None:
    """Ann logs in with the lobby extension and sets up a table."""
    ann = shell.connects()
    await ann.says(HELLO, PlayerLogin("ann", GO), Advertise(table))
    for _ in range(3):
        await ann.hears()


async def test_who_is_here(nursery: trio.Nursery, autojump_clock: trio.testing.MockClock) -> None:
    shell = Shell(nursery)
    await shell.player("ann")
    answer = await asked(shell, List.PLAYERS)
    assert isinstance(answer, Players)
    assert [player.nick for player in answer.players] == ["ann", "bob"]


async def test_what_is_played(nursery: trio.Nursery, autojump_clock: trio.testing.MockClock) -> None:
    shell = Shell(nursery)
    await shell.master(players=3)
    answer = await asked(shell, List.TYPES, game_type="lobby")
    assert isinstance(answer, GameTypes)
    assert [(game.game_type, game.players_min) for game in answer.games] == [("go", 3), ("lobby", 0)]


@pytest.mark.parametrize(("nick", "tables"), [("bob", ["Friday"]), ("eve", [])])
async def test_which_tables_a_player_is_shown(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock, nick: str, tables: list[str]
) -> None:
    shell = Shell(nursery)
    await advertises(shell, NewTable("Friday", 2, Visibility.PRIVATE, invited=("bob",)))
    answer = await asked(shell, List.TABLES, nick)
    assert isinstance(answer, Tables)
    assert [table.name for table in answer.tables] == tables


async def test_where_no_game_is_called_so_the_names_of_games_are_told(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    shell = Shell(nursery)
    await shell.master(players=2)
    with pytest.raises(NoLobby, match=r"^game type 'goo': unknown \(did you mean 'go'\?\); there are: go$"):
        await asked(shell, List.TABLES, game_type="goo")
    answer = await asked(shell, List.TABLES)
    assert isinstance(answer, Tables)
    assert answer.tables == ()


async def test_players_and_types_are_those_of_the_type_that_is_named(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock
) -> None:
    shell = Shell(nursery)
    await shell.master(players=3)
    await shell.player("ann")
    eve = shell.connects()
    await eve.says(PlayerLogin("eve", "chess"))
    await eve.hears()
    players = await asked(shell, List.PLAYERS)
    assert isinstance(players, Players)
    assert [player.nick for player in players.players] == ["ann", "bob"]
    everybody = await asked(shell, List.PLAYERS, game_type=NOWHERE)
    assert isinstance(everybody, Players)
    assert [player.nick for player in everybody.players] == ["ann", "eve", "bob"]
    types = await asked(shell, List.TYPES)
    assert isinstance(types, GameTypes)
    assert [game.game_type for game in types.games] == [GO]
    for what in (List.PLAYERS, List.TYPES):
        with pytest.raises(NoLobby, match=r"^game type 'goo': unknown \(did you mean 'go'\?\); there are: go$"):
            await asked(shell, what, game_type="goo")


@pytest.mark.parametrize("what", List)
async def test_the_name_of_a_game_is_taken_for_its_type(
    nursery: trio.Nursery, autojump_clock: trio.testing.MockClock, what: List, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = Shell(nursery)
    master = shell.connects()
    await master.says(GameMasterLogin("m", "settlers", "2", "4"))
    await master.hears()
    ann = shell.connects()
    await ann.says(HELLO, PlayerLogin("ann", "settlers"), Advertise(NewTable("Friday", 2, Visibility.PUBLIC)))
    for _ in range(3):
        await ann.hears()

    async def connected(_: object, tls: object) -> Peer:
        return Peer(shell.connects().stream)

    monkeypatch.setattr("ugs.peer.connect_any", connected)
    by_name, by_type = [await ask([], "bob", word, what) for word in ("catan", "settlers")]
    assert by_name == by_type
    assert "settlers" in repr(by_type) or "Friday" in repr(by_type)


async def test_the_nick_is_free_again_at_once(nursery: trio.Nursery, autojump_clock: trio.testing.MockClock) -> None:
    shell = Shell(nursery)
    for _ in range(3):
        assert isinstance(await asked(shell, List.TABLES), Tables)
    assert trio.current_time() == 0


@pytest.mark.parametrize(
    ("settings", "game_type", "why"),
    [
        ({}, GO, "login refused: playerLogin: nick is in use"),
        (
            {"allowed_game_types": (GO,)},
            "lobby",
            "login refused: playerLogin: gameType is not allowed here",
        ),
        ({"max_logins": 1}, "lobby", "login refused: playerLogin: the server is full"),
    ],
)
async def test_a_refused_login_is_told(
    nursery: trio.Nursery,
    autojump_clock: trio.testing.MockClock,
    settings: dict[str, object],
    game_type: str,
    why: str,
) -> None:
    shell = Shell(nursery, **settings)
    await shell.player("ann")
    with pytest.raises(NoLobby) as caught:
        await asked(shell, List.PLAYERS, "ann" if game_type == GO else "bob", game_type)
    assert str(caught.value) == why


async def met(server: Server) -> Answer | NoLobby:
    """The outcome of a visit to such a server."""
    here, there = trio.testing.memory_stream_pair()
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(server, there)
            answer: Answer | NoLobby
            try:
                answer = await visit(Peer(here), "bob", GO, List.TABLES)
            except NoLobby as error:
                answer = error
            nursery.cancel_scope.cancel()
    return answer


def says(*said: Message | bytes) -> Server:
    """A server that answers the login with these messages and the next message by closing, whatever they are."""

    async def server(stream: trio.abc.Stream) -> None:
        await stream.receive_some()
        await stream.send_all(b"".join(one if isinstance(one, bytes) else encode(one) for one in said))
        await stream.receive_some()
        await stream.aclose()

    return server


@pytest.mark.parametrize(
    ("server", "why"),
    [
        (
            says(Error("x-hello: no such type")),
            "the server answers with an error, perhaps it has no extensions: x-hello",
        ),
        (says(Hello(())), "the server does not grant the extension lobby"),
        (says(HELLO, LoginResponse()), "the server has closed the connection"),
        (
            says(HELLO, LoginResponse(), Failed(RefusalReason.USER_LIMIT, "too many")),
            "the server refuses: too many (USER_LIMIT)",
        ),
        (
            says(HELLO, LoginResponse(LoginError.MASTER_ALREADY_REGISTERED)),
            "login refused: the server gives reason 4",
        ),
        (
            says(
                HELLO,
                Failed(RefusalReason.INVALID_PLAYER, "playerLogin: a secret is needed"),
                LoginResponse(LoginError(1)),
            ),
            "login refused: playerLogin: a secret is needed",
        ),
        (says(b"220 mail ready\r\n"), "the conversation with the server broke off: "),
    ],
    ids=["no extensions", "no lobby", "closes", "refuses", "odd refusal", "reason", "nonsense"],
)
async def test_a_server_that_cannot_answer_is_told_of(
    autojump_clock: trio.testing.MockClock, server: Server, why: str
) -> None:
    answer = await met(server)
    assert isinstance(answer, NoLobby)
    assert str(answer).startswith(why)


async def test_unknown_messages_of_newer_servers_are_ignored(autojump_clock: trio.testing.MockClock) -> None:
    async def server(stream: trio.abc.Stream) -> None:
        peer = Peer(stream)
        heard = [await peer.receive() for _ in range(2)]
        assert heard[1] == PlayerLogin("bob", GO)
        await stream.send_all(encode(HELLO) + b'<message type="x-news"><sun/></message>')
        await peer.send(LoginResponse())
        assert await peer.receive() == ListTables(), "not before the login is answered"
        await peer.send(Tables(()))
        assert await peer.receive() == ListGameTypes()
        await peer.send(GameTypes(()))
        assert await peer.receive() == Logout()

    assert await met(server) == Tables(())


async def test_a_server_that_does_not_close_is_not_waited_for_long(autojump_clock: trio.testing.MockClock) -> None:
    async def server(stream: trio.abc.Stream) -> None:
        await Peer(stream).send(HELLO, LoginResponse(), Tables(()), GameTypes(()))
        await trio.sleep(math.inf)

    assert await met(server) == Tables(())
    assert trio.current_time() == FAREWELL_S


async def test_a_server_that_says_nothing_is_given_up(autojump_clock: trio.testing.MockClock) -> None:
    async with trio.open_nursery() as nursery:
        (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
        port = listener.socket.getsockname()[1]
        with trio.CancelScope() as scope:
            with pytest.raises(NoLobby, match=f"port {port}: no answer within {PATIENCE_S:g} s"):
                await ask([("127.0.0.1", port)], "bob", GO, List.PLAYERS)
            scope.cancel()
        await listener.aclose()
        nursery.cancel_scope.cancel()
