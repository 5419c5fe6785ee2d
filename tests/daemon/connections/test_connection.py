"""One peer: how its bytes come in, how ours go out, and how it ends."""

from collections.abc import Callable
from time import perf_counter

import pytest
import trio
import trio.testing
from structlog.testing import capture_logs
from trio.testing import MockClock, wait_all_tasks_blocked

from tests.daemon.shell import GO, Far, Pipe, Shell, move, over, turn
from tests.daemon.stream_transport import StreamTransport
from ugs.broker.effects import Effect
from ugs.broker.events import Event, Received
from ugs.daemon.network.transport import LINGER_S, Gone
from ugs.wire.codec import DECLARATION, encode
from ugs.wire.extensions import Hello, ListPlayers, ListTables
from ugs.wire.framing import Framer
from ugs.wire.messages import (
    Error,
    GameMasterLogin,
    GameState,
    LeaveGame,
    LoginError,
    LoginResponse,
    Logout,
    Move,
    PlayerLogin,
    ThankYou,
)

Opens = Callable[..., Shell]

# Declarations.


@pytest.mark.parametrize("declares", [True, False])
async def test_a_declaration_is_given_to_who_gives_one(opens: Opens, autojump_clock: MockClock, declares: bool) -> None:
    shell = opens()
    far = shell.connects(declares=declares)
    await far.says(PlayerLogin("ann", GO))
    for _ in range(2):
        document = await far.document()
        assert document is not None
        assert document.startswith(DECLARATION) is declares


async def test_the_first_document_decides_about_all(opens: Opens, autojump_clock: MockClock) -> None:
    far = opens().connects(declares=False)
    await far.says(Error("no declaration"), DECLARATION + encode(PlayerLogin("ann", GO)))
    document = await far.document()
    assert document == encode(LoginResponse())


async def test_declarations_for_everybody(opens: Opens, autojump_clock: MockClock) -> None:
    far = opens(xml_declaration="always").connects(declares=False)
    await far.says(PlayerLogin("ann", GO))
    assert await far.document() == DECLARATION + encode(LoginResponse())


async def test_who_has_said_nothing_whole_gets_a_declaration(opens: Opens, autojump_clock: MockClock) -> None:
    far = opens().connects(declares=False)
    await far.says(b"hello")
    document = await far.document()
    assert document is not None
    assert document.startswith(DECLARATION + b'<message type="error">')


async def test_each_player_of_a_game_gets_the_state_in_its_own_way(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    master = await shell.master()
    ann = await shell.player("ann", shell.connects(declares=True))
    bob = await shell.player("bob", shell.connects(declares=False))
    for far in (ann, bob):
        await far.document()  # the table
    state = encode(turn("ann"))
    await master.hears()
    await master.says(turn("ann"))
    while (heard := await ann.document()) is not None and b"championsList" in heard:
        pass
    assert heard == DECLARATION + state
    while (heard := await bob.document()) is not None and b"championsList" in heard:
        pass
    assert heard == state


# What comes in.

STORY = b" \r\n".join(
    [
        DECLARATION + encode(PlayerLogin("ann", GO)),
        b'<message type="nonsense"/>',
        encode(ThankYou("g9")),
        b"<!-- bye --><message type='logout'/>",
    ]
)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64, 100, len(STORY)])
async def test_the_same_is_heard_in_any_segmentation(opens: Opens, autojump_clock: MockClock, size: int) -> None:
    shell = opens()
    far = shell.connects()
    for start in range(0, len(STORY), size):
        await far.says(STORY[start : start + size])
    assert await far.hears() == LoginResponse()
    for word in ("nonsense", "g9"):
        error = await far.hears()
        assert isinstance(error, Error)
        assert word in error.text
    assert await far.hears() is None


async def test_a_message_is_heard_at_its_last_byte(opens: Opens, autojump_clock: MockClock) -> None:
    far = opens().connects()
    document = encode(PlayerLogin("ann", GO))
    await far.says(document[:-1])
    await far.hears_nothing_for(1)
    await far.says(document[-1:])
    assert await far.hears() == LoginResponse()


# What goes out.


async def test_nothing_stands_between_documents(opens: Opens, autojump_clock: MockClock) -> None:
    pipe = Pipe()
    opens().attaches(pipe)
    pipe.says(PlayerLogin("ann", GO), b'<message type="a"/>', b'<message type="b"/>')
    await wait_all_tasks_blocked()
    documents = [document.raw for document in Framer().feed(pipe.written)]
    assert b"".join(documents) == pipe.written
    assert len(documents) == 4, "answer, table, two errors"


async def test_what_one_moment_brings_goes_out_in_one_write(opens: Opens, autojump_clock: MockClock) -> None:
    pipe = Pipe()
    opens().attaches(pipe)
    pipe.says(b"".join(b'<message type="nonsense %d"/>' % number for number in range(20)))
    await wait_all_tasks_blocked()
    assert len(pipe.messages()) == 20
    assert len(pipe.writes) == 1


async def test_what_many_peers_send_at_once_goes_out_to_their_partner_in_one_write(
    opens: Opens, autojump_clock: MockClock
) -> None:
    shell = opens()
    master, *players = pipes = [Pipe() for _ in range(21)]
    for pipe in pipes:
        shell.attaches(pipe)
    master.says(GameMasterLogin("m", GO, "2", "2"))
    for number, player in enumerate(players):
        player.says(PlayerLogin(f"n{number}", GO))
        await wait_all_tasks_blocked()
    movers = {game.id: next(iter(game.seats)) for game in shell.broker.games}
    master.says(*(turn(nick, game_id) for game_id, nick in movers.items()))
    await wait_all_tasks_blocked()
    before = len(master.writes)
    for game_id, nick in movers.items():
        players[int(nick[1:])].says(move(game_id))
    await wait_all_tasks_blocked()
    assert {message.game_id for message in master.messages() if isinstance(message, Move)} == set(movers)
    assert (len(movers), len(master.writes) - before) == (10, 1)


async def test_what_the_network_does_not_take_follows_in_order(opens: Opens, autojump_clock: MockClock) -> None:
    pipe = Pipe(room=10)
    opens().attaches(pipe)
    pipe.says(*(Error("heard"), b'<message type="first"/>'))
    await wait_all_tasks_blocked()
    assert len(pipe.written) == 10
    pipe.says(b'<message type="second"/>')
    await wait_all_tasks_blocked()
    pipe.makes_room(5)
    await wait_all_tasks_blocked()
    assert len(pipe.written) == 15
    pipe.makes_room()
    pipe.says(b'<message type="third"/>')
    await wait_all_tasks_blocked()
    texts = [message.text for message in pipe.messages() if isinstance(message, Error)]
    assert [word for text in texts for word in ("first", "second", "third") if word in text] == [
        "first",
        "second",
        "third",
    ]


@pytest.mark.parametrize("room", [0, 1, 50, 1000])
async def test_new_words_never_overtake_those_that_wait(opens: Opens, autojump_clock: MockClock, room: int) -> None:
    """The writer has taken a chunk out of the backlog and waits; there is room again, and it has not heard of it."""
    pipe = Pipe(room=room)
    opens(max_errors_per_minute=1000).attaches(pipe)
    for number in range(100):
        pipe.says(b'<message type="n%03d"/>' % number)
        pipe.makes_room(number % 7 * 40, announced=number % 5 == 0)
        if number % 3:
            await wait_all_tasks_blocked()
    pipe.makes_room()
    await wait_all_tasks_blocked()
    texts = [message.text for message in pipe.messages() if isinstance(message, Error)]
    assert len(texts) == 100
    for number, text in enumerate(texts):
        assert f"n{number:03d}" in text


# Peers that do not read.


async def flooded(shell: Shell, slow: Pipe) -> tuple[Far, Far]:
    """A game of ann, who can be sent nothing, and bob; the master speaks to both."""
    master = await shell.master()
    shell.attaches(slow)
    slow.says(PlayerLogin("ann", GO))
    bob = await shell.player("bob")
    await master.hears()
    return master, bob


async def test_a_peer_whose_outbox_overflows_loses_its_own_connection_only(
    opens: Opens, autojump_clock: MockClock
) -> None:
    shell = opens(max_outbox_bytes=65_536)
    slow = Pipe(room=0)
    master, bob = await flooded(shell, slow)
    big = turn("bob", payload=b"<gameState>%b</gameState>" % (b"x" * 10_000))
    with capture_logs() as lines:
        for _ in range(7):
            await master.says(big)
            assert await bob.hears() == big
    assert slow.is_closed()
    (line,) = [line for line in lines if line["event"] == "disconnected"]
    assert (line["nick"], line["reason"]) == ("ann", "does not read: more than 65536 bytes wait for it")
    await master.hears()  # playerLeftGame
    await master.says(over("bob", "ann"))
    assert await bob.hears() == over("bob", "ann")
    assert trio.current_time() == 0, "nobody had to wait for it"


async def test_nothing_more_is_made_for_a_peer_for_which_too_much_waits(
    opens: Opens, autojump_clock: MockClock
) -> None:
    """All its questions come in one segment, so nothing could have been sent before the last of them."""
    shell = opens(max_outbox_bytes=65_536, max_errors_per_minute=1_000_000)
    with capture_logs() as lines:
        await answers_in_one_turn(shell, b'<message type="nonsense"/>' * 10_000, at_most=65_536 + 200)
        await wait_all_tasks_blocked()
    (line,) = [line for line in lines if line["event"] == "disconnected"]
    assert line["reason"] == "does not read: more than 65536 bytes wait for it"


async def answers_in_one_turn(shell: Shell, said: bytes, at_most: int) -> None:
    """A peer says it, and is answered at most so many bytes before it is dropped."""
    connection = shell.peers.let_in(Pipe())
    intake = shell.status.parts.intake
    largest = 0
    intake.received(connection, said, perf_counter())
    while connection.leftover:
        largest = max(largest, connection.outbox.batch_bytes)
        intake.received(connection, b"", perf_counter())
    assert connection.closing
    assert connection.framer.pending > 0, "the rest was not even looked at"
    assert 60_000 < largest <= at_most
    assert connection.outbox.batch_bytes == 0


async def test_when_too_much_waits_for_all_together_those_go_for_whom_most_waits(
    opens: Opens, autojump_clock: MockClock
) -> None:
    shell = opens(max_outbox_total_bytes=1_048_576, max_errors_per_minute=1_000_000)
    pipes = [Pipe(room=0) for _ in range(4)]
    for pipe, messages in zip(pipes, (500, 600, 9000, 100), strict=True):
        shell.attaches(pipe)
        pipe.says(b'<message type="%b"/>' % (b"n" * 90) * messages)
    with capture_logs() as lines:
        await wait_all_tasks_blocked()
    assert [pipe.is_closed() for pipe in pipes] == [False, False, True, False]
    (line,) = [line for line in lines if line["event"] == "unsent bytes shed"]
    assert line["peers"] == 1
    for pipe in pipes:
        pipe.makes_room()
    await wait_all_tasks_blocked()
    assert [len(pipe.messages()) for pipe in pipes] == [500, 600, 0, 100]
    assert shell.peers.unsent.bytes == 0


async def test_a_peer_that_takes_no_byte_for_too_long_loses_its_own_connection_only(
    opens: Opens, autojump_clock: MockClock
) -> None:
    shell = opens(write_timeout_s=5, master_timeout_s=100, move_timeout_s=100)
    slow = Pipe(room=0)
    master, bob = await flooded(shell, slow)
    await master.says(turn("bob"))
    assert await bob.hears() == turn("bob")
    await trio.sleep(4.5)
    slow.makes_room(1)  # one byte is enough, once
    await trio.sleep(4.5)
    assert not slow.is_closed()
    with capture_logs() as lines:
        await trio.sleep(1)
    assert slow.is_closed()
    (line,) = [line for line in lines if line["event"] == "disconnected"]
    assert (line["nick"], line["reason"]) == ("ann", "does not read: took no byte in 5 s")


async def test_a_stream_that_does_not_read_is_lost_as_well(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens(write_timeout_s=5)
    far = shell.connects_without_buffers()
    await far.says(PlayerLogin("ann", GO))
    assert await far.hears() == LoginResponse()
    await far.says(b'<message type="nonsense"/>')
    await trio.sleep(6)
    assert shell.peers.count() == 0
    assert shell.broker.server.connections == {}


async def test_the_outbox_counts_only_what_still_waits(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens(max_outbox_bytes=65_536)
    slow = Pipe(room=0)
    master, bob = await flooded(shell, slow)
    big = turn("bob", payload=b"<gameState>%b</gameState>" % (b"x" * 10_000))
    for _ in range(50):
        await master.says(big)
        assert await bob.hears() == big
        slow.makes_room(len(encode(big)) + 1000)
        await wait_all_tasks_blocked()
    assert not slow.is_closed()
    assert sum(isinstance(message, GameState) for message in slow.messages()) == 50


# The end.


async def test_bytes_that_are_no_documents_get_one_error_and_the_end(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    far = shell.connects()
    await far.says(b'<message type="error">fine</message>', b"rub")
    await far.says(b"bish")
    error = await far.hears()
    assert isinstance(error, Error)
    assert "byte" in error.text
    assert await far.hears() is None
    await trio.sleep(LINGER_S + 0.1)
    assert shell.peers.count() == 0


async def test_a_peer_that_keeps_sending_rubbish_still_reads_the_one_error(
    opens: Opens, autojump_clock: MockClock, nursery: trio.Nursery
) -> None:
    shell = opens()
    far = shell.connects()

    async def rubbish() -> None:
        while True:
            await far.says(b"rubbish" * 100)
            await trio.sleep(0.01)

    @nursery.start_soon
    async def flood() -> None:
        with pytest.raises(trio.BrokenResourceError):
            await rubbish()

    assert isinstance(await far.hears(), Error)
    assert await far.hears() is None
    await trio.sleep(LINGER_S + 0.1)
    assert shell.peers.count() == 0


async def test_who_closes_only_its_own_side_still_gets_its_answers(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    far = shell.connects()
    await far.says(PlayerLogin("", GO), b"<message type='nonsense'/>")
    await far.stream.send_eof()
    assert await far.hears() == LoginResponse(LoginError.WRONG_NICK)
    assert isinstance(await far.hears(), Error)
    assert await far.hears() is None
    await trio.sleep(0.1)
    assert shell.peers.count() == 0, "there is nothing to linger for"


async def test_who_closes_its_side_and_does_not_read_is_let_go_soon(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    pipe = Pipe(room=0)
    shell.attaches(pipe)
    pipe.says(b"<message type='nonsense'/>")
    pipe.half_closes()
    await trio.sleep(LINGER_S - 0.1)
    assert not pipe.is_closed()
    await trio.sleep(0.2)
    assert pipe.is_closed()
    assert shell.peers.count() == 0


async def test_logout_is_the_end_of_a_connection_and_the_nick_is_free(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    ann = await shell.player("ann")
    await ann.says(Logout())
    assert await ann.hears() is None
    await shell.player("ann")


async def test_nothing_is_heard_from_who_has_been_told_to_go(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    far = shell.connects()
    await far.says(Logout(), PlayerLogin("ann", GO))
    await far.says(PlayerLogin("bob", GO))
    assert await far.hears() is None
    assert shell.broker.server.names.players == {}


async def test_last_words_reach_who_was_slow_to_read(opens: Opens, autojump_clock: MockClock) -> None:
    """The outbox runs empty in the very moment in which the last words are written."""
    shell = opens(login_attempts=2)
    pipe = Pipe(room=20)
    shell.attaches(pipe)
    pipe.says(PlayerLogin("", GO))
    await wait_all_tasks_blocked()
    pipe.makes_room()
    pipe.says(PlayerLogin("", GO))
    await wait_all_tasks_blocked()
    assert pipe.messages() == [LoginResponse(LoginError.WRONG_NICK)] * 2
    assert pipe.ended
    await trio.sleep(LINGER_S + 0.1)
    assert pipe.is_closed()


async def test_a_peer_that_vanishes_is_told_to_the_master_with_the_reason_in_the_log(
    opens: Opens, autojump_clock: MockClock
) -> None:
    shell = opens()
    master, ann, bob = await shell.table()
    with capture_logs() as lines:
        await ann.hangs_up()
        assert await master.hears() is not None
    (line,) = [line for line in lines if line["event"] == "disconnected"]
    assert line["nick"] == "ann"
    await master.says(over("bob", "ann"))
    assert await bob.hears() == over("bob", "ann")


async def test_a_stream_that_can_no_longer_be_written_to_does_not_stop_the_clock_of_its_game(
    opens: Opens, autojump_clock: MockClock
) -> None:
    """It neither takes a byte nor closes: the player is out of time like any other."""
    shell = opens(move_timeout_s=5)
    master = await shell.master()
    near, far = trio.testing.memory_stream_pair()
    shell.attaches(StreamTransport(near, "192.0.2.1:1"))
    ann = await shell.player("ann", Far(far))
    bob = await shell.player("bob")
    await master.hears()
    far.receive_stream.close()
    for _ in range(2):
        await master.says(turn("ann"))
        assert await bob.hears() == turn("ann")
    await trio.sleep(5.1)
    assert await master.hears() is not None, "playerLeftGame"
    await ann.hangs_up()


async def test_a_peer_that_has_gone_gets_no_lists_but_its_moves_count(
    opens: Opens, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = opens()
    pipe = Pipe()
    shell.attaches(pipe)
    pipe.says(Hello(("lobby",)), PlayerLogin("carl", GO))
    await wait_all_tasks_blocked()
    heard: list[str] = []
    handle = shell.broker.handle

    def listens(event: Event, now: float) -> list[Effect]:
        heard.extend([event.message.TYPE] if isinstance(event, Received) else [])
        return handle(event, now)

    monkeypatch.setattr(shell.broker, "handle", listens)
    pipe.says(ListTables())
    await wait_all_tasks_blocked()
    monkeypatch.setattr(pipe, "send_now", vanish)
    pipe.says(ListTables())  # the answer to this one finds out
    await wait_all_tasks_blocked()
    pipe.says(ListTables(), ListPlayers(), LeaveGame("g9"), ListTables())
    await wait_all_tasks_blocked()
    assert heard == ["x-listTables", "x-listTables", "leaveGame"]


def vanish(data: bytes) -> int:
    """What the network says when nobody is there."""
    raise Gone("connection reset by peer")
