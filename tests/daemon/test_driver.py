"""The door between the network and the broker: limits, validation, clocks, log lines."""

import socket
from collections.abc import Callable

import pytest
import trio
from structlog.testing import capture_logs
from structlog.typing import EventDict
from trio.testing import MockClock, wait_all_tasks_blocked

from tests.daemon.shell import GO, Far, Pipe, Shell, move, over, turn
from ugs.broker.events import ShutdownAsked, Timer, TimerFired, TimerKind
from ugs.daemon.clocks.wire_credit import FREE_S, MAX_STALL_S
from ugs.daemon.connections.payload_log import without_secrets
from ugs.daemon.network.transport import SocketTransport
from ugs.wire.codec import DECLARATION, encode
from ugs.wire.extensions import Hello, Resume, Session
from ugs.wire.messages import (
    BeginGame,
    Error,
    GameMasterLogin,
    GameState,
    LeaveGame,
    LoginError,
    LoginResponse,
    Message,
    Move,
    PlayerLeftGame,
    PlayerLogin,
    ServerShutdown,
    ThankYou,
)

Opens = Callable[..., Shell]

CLOCK = Timer(TimerKind.GAME, "g1")


def is_error(message: Message | None, *words: str) -> bool:
    """Whether this is an error that names all of these."""
    return isinstance(message, Error) and all(word in message.text for word in words)


# A whole game.


async def test_a_game_from_login_to_thanks(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    master, ann, bob = await shell.master(), await shell.player("ann"), await shell.player("bob")
    assert await master.hears() == BeginGame("g1", ("ann", "bob"))
    payload = b"<gameState><!-- kept --><x a='1'  b=\"&#65;\"/><![CDATA[</message>]]>\xc3\xbc</gameState>"
    await master.says(turn("ann", payload=payload))
    assert await ann.hears() == await bob.hears() == turn("ann", payload=payload)
    await ann.says(move(payload=b"<move><a:b xmlns:a='c'/></move>"))
    assert await master.hears() == move(payload=b"<move><a:b xmlns:a='c'/></move>")
    await master.says(over("ann", "bob"))
    for player in (ann, bob):
        assert await player.hears() == over("ann", "bob")
        await player.says(ThankYou("g1"))
    assert await master.hears() == BeginGame("g2", ("bob", "ann"))


async def test_time_does_not_go_back(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    fired = TimerFired(Timer(TimerKind.GAME, "no such game"))
    for moment in (
        5.0,
        4.0,
        6.0,
    ):  # bytes came at 4.0, and what they led to happened at 5.0 before all were read
        shell.driver.decide(fired, moment)
        assert shell.broker.server.now == shell.driver.now == max(5.0, moment)


# Limits.


def login_of(size: int) -> bytes:
    """A login of exactly ``size`` bytes, which is refused."""
    frame = encode(PlayerLogin("", GO)).replace(b"</message>", b"<!----></message>")
    return frame.replace(b"<!--", b"<!--" + b"x" * (size - len(frame)))


async def test_messages_are_smaller_before_the_login(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens(max_message_bytes=5000, max_message_bytes_before_login=2000)
    far = shell.connects(declares=False)
    await far.says(login_of(2000))
    assert await far.hears() == LoginResponse(LoginError.WRONG_NICK)
    await far.says(login_of(2001))
    assert is_error(await far.hears(), "2000")
    assert await far.hears() is None


async def test_messages_may_be_larger_after_the_login_even_in_the_same_segment(
    opens: Opens, autojump_clock: MockClock
) -> None:
    shell = opens(max_message_bytes=5000, max_message_bytes_before_login=2000)
    far = shell.connects(declares=False)
    await far.says(PlayerLogin("ann", GO), login_of(5000))
    assert await far.hears() == LoginResponse()
    assert is_error(await far.hears(), "logged in already")
    await far.says(login_of(5001))
    assert is_error(await far.hears(), "5000")
    assert await far.hears() is None


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (b"<message type='move'>%b</message>" % (b"<a>" * 10 + b"</a>" * 10), ("10",)),
        (b"<message type='move'><a %b/></message>" % b" ".join(b"a%d=''" % n for n in range(6)), ("5", "attributes")),
    ],
)
async def test_depth_and_attributes_are_limited(
    opens: Opens, autojump_clock: MockClock, document: bytes, words: tuple[str, ...]
) -> None:
    shell = opens(max_depth=10, max_attributes=5)
    far = shell.connects()
    await far.says(document)
    assert is_error(await far.hears(), *words)
    assert await far.hears() is None


async def test_too_many_wrong_messages_are_the_end(opens: Opens, autojump_clock: MockClock) -> None:
    far = opens(max_errors_per_minute=3).connects()
    for _ in range(3):
        await far.says(b"<message type='nonsense'/>")
        assert is_error(await far.hears(), "nonsense")
    await far.says(b"<message type='nonsense'/>")
    assert is_error(await far.hears(), "nonsense")
    assert is_error(await far.hears(), "at most 3 in a minute")
    assert await far.hears() is None


async def test_who_does_not_log_in_has_to_go(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens(login_timeout_s=7)
    silent, refused = shell.connects(), shell.connects()
    await trio.sleep(5)
    await refused.says(PlayerLogin("", GO))
    assert await refused.hears() == LoginResponse(LoginError.WRONG_NICK)
    for far in (silent, refused):
        assert is_error(await far.hears(within=2.1), "no login within 7 s")
        assert await far.hears() is None


# Validation.


async def test_the_strict_validation_lets_a_game_pass_and_names_what_is_wrong(
    opens: Opens, autojump_clock: MockClock
) -> None:
    shell = opens(validation="strict")
    master, ann, bob = await shell.table()
    await ann.says(b'<message type="move"><gameId id="g1"/><moove/></message>')
    assert is_error(await ann.hears(), "move")
    await ann.says(move())
    assert await master.hears() == move()
    await master.says(over("bob", "ann"))
    assert await bob.hears() == over("bob", "ann")


async def test_the_strict_validation_asks_the_schemas(
    opens: Opens, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[bytes] = []
    monkeypatch.setattr("ugs.daemon.intake.strict_check", lambda: checked.append)
    document = encode(PlayerLogin("ann", GO))
    for shell in (opens(validation="strict"), opens()):
        far = shell.connects(declares=False)
        await far.says(document)
        assert await far.hears() == LoginResponse()
    assert checked == [document], "one was strict, the other one was not"


# Clocks.


async def to_move(shell: Shell, mover: Pipe) -> tuple[Far, Far]:
    """A game of ann, whose transport this is, and bob: it is ann's turn. The pipe has room up to the login's answer."""
    master = await shell.master()
    shell.attaches(mover)
    mover.says(PlayerLogin("ann", GO))
    bob = await shell.player("bob")
    await master.hears()
    await master.says(turn("ann"))
    assert await bob.hears() == turn("ann")
    return master, bob


async def test_the_clock_of_a_move_counts_from_when_the_state_has_gone_out(
    opens: Opens, autojump_clock: MockClock
) -> None:
    shell = opens(move_timeout_s=10, write_timeout_s=30)
    slow = Pipe(room=100)
    master, bob = await to_move(shell, slow)
    await trio.sleep(MAX_STALL_S)
    slow.makes_room()
    await trio.sleep(9.9)
    slow.says(move())
    assert await master.hears() == move()
    await master.says(turn("ann"))
    await bob.hears()
    await trio.sleep(10.1)
    assert is_error(slow.messages()[-1], "no move within 10 s")
    assert await master.hears() == PlayerLeftGame("ann", "g1")


async def test_who_takes_its_bytes_in_trickles_cannot_keep_the_others_waiting_for_ever(
    opens: Opens, autojump_clock: MockClock
) -> None:
    shell = opens(move_timeout_s=10, write_timeout_s=30)
    slow = Pipe(room=0)
    master, _ = await to_move(shell, slow)
    start = trio.current_time()
    for _ in range(2):
        await trio.sleep(9)
        slow.makes_room(1)
    assert await master.hears(within=10) == PlayerLeftGame("ann", "g1")
    assert trio.current_time() - start == pytest.approx(MAX_STALL_S + 10, abs=2 * FREE_S)


async def test_a_clock_that_was_set_anew_is_not_moved_by_what_has_gone_out_late(
    opens: Opens, autojump_clock: MockClock
) -> None:
    """The slow player leaves while the state still waits for it: the clock is the master's by then."""
    shell = opens(move_timeout_s=10, master_timeout_s=20, write_timeout_s=100)
    slow = Pipe(room=100)
    master, bob = await to_move(shell, slow)
    slow.says(LeaveGame("g1"))
    assert await master.hears() == PlayerLeftGame("ann", "g1")
    await trio.sleep(5)
    slow.makes_room()
    await trio.sleep(14)
    await bob.hears_nothing_for(0.9)
    assert isinstance(await bob.hears(within=0.2), GameState), "the server ends it for the silent master"


async def test_what_has_arrived_at_the_deadline_is_in_time(opens: Opens, autojump_clock: MockClock) -> None:
    """The move lies in the socket when the clock is found to have run out; ten times, and never too late."""
    shell = opens(move_timeout_s=10)
    ours, peer = socket.socketpair()
    with peer:
        shell.attaches(SocketTransport(ours, "192.0.2.1:1"))
        master = await shell.master()
        peer.send(encode(PlayerLogin("ann", GO)))
        await wait_all_tasks_blocked()
        bob = await shell.player("bob")
        await master.hears()
        for _ in range(10):
            await master.says(turn("ann"))
            assert await bob.hears() == turn("ann")
            assert shell.timers.running == [CLOCK]
            peer.send(encode(move()))
            autojump_clock.jump(10)
            assert await master.hears() == move()


async def test_a_move_a_moment_after_the_deadline_is_too_late(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens(move_timeout_s=10)
    master, ann, _ = await shell.table()
    await trio.sleep(10.001)
    await ann.says(move(), move())
    assert is_error(await ann.hears(), "no move within 10 s")
    assert is_error(await ann.hears(), "this game is over")  # the second one: the first was on its way
    assert await master.hears() == PlayerLeftGame("ann", "g1")


async def test_who_sends_what_is_no_xml_reads_what_is_around_the_place(opens: Opens) -> None:
    _, ann, _ = await opens().table()
    await ann.says(b'<message type="move"><move><play id=3/></move></message>')
    assert is_error(await ann.hears(), "(invalid token), at '3/></move></message>' behind '")


# The log.


def of(lines: list[EventDict], event: str) -> EventDict:
    """The one line about that event."""
    (line,) = [line for line in lines if line["event"] == event]
    return line


async def test_lines_say_who_and_where(opens: Opens, autojump_clock: MockClock) -> None:
    with capture_logs() as lines:
        shell = opens()
        master, ann, bob = await shell.table()
        await ann.says(Error("what a position"), b"<message type='nonsense'/>")
        await ann.hears()
        await ann.says(LeaveGame("g1"))
        await master.hears()
        await master.says(over("bob", "ann"))
        await bob.hears()
        await bob.hangs_up()
        await wait_all_tasks_blocked()
    assert of(lines, "master logged in").items() >= {"conn": 1, "master": "m", "game_type": GO}.items()
    assert of(lines, "game begun").items() >= {"game": "g1", "game_type": GO, "seats": ["ann", "bob"]}.items()
    assert of(lines, "peer reports an error").items() >= {"conn": 2, "nick": "ann", "game": "g1"}.items()
    assert of(lines, "wrong message").items() >= {"conn": 2, "nick": "ann"}.items()
    assert of(lines, "player left game").items() >= {"conn": 2, "nick": "ann", "game": "g1", "cause": "left"}.items()
    assert of(lines, "game ended").items() >= {"game": "g1", "verdict": "left", "culprit": "ann"}.items()
    assert of(lines, "disconnected").items() >= {"conn": 3, "nick": "bob"}.items()
    assert {line["log_level"] for line in lines} == {"info", "warning"}


async def quiet_game(shell: Shell) -> None:
    """A few moves with something to look for in them."""
    master, ann, bob = await shell.table()
    await ann.says(move(payload=b"<move>sesame</move>"))
    await master.hears()
    await master.says(turn("bob", payload=b"<gameState>sesame</gameState>"))
    await ann.hears()
    await bob.hears()


async def test_moves_and_payloads_are_not_logged(opens: Opens, autojump_clock: MockClock) -> None:
    with capture_logs() as lines:
        await quiet_game(opens())
    assert "sesame" not in str(lines)
    assert "message" not in str(lines)


async def test_at_the_debug_level_every_document_is_logged(opens: Opens, autojump_clock: MockClock) -> None:
    with capture_logs() as lines:
        await quiet_game(opens(log_level="debug"))
    documents = [(line["event"], line["conn"], line["document"]) for line in lines if "sesame" in str(line)]
    state = (DECLARATION + encode(turn("bob", payload=b"<gameState>sesame</gameState>"))).decode()
    assert [(direction, conn) for direction, conn, _ in documents] == [
        ("in", 2),
        ("out", 1),
        ("in", 1),
        ("out", 2),
        ("out", 3),
    ]
    assert documents[-1][2] == state


async def test_tokens_and_seeds_are_in_no_log(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens(log_level="debug", master_grace_s=20)
    with capture_logs() as lines:
        master, ann, bob = shell.connects(), shell.connects(), shell.connects()
        await master.says(Hello(("restore",)), GameMasterLogin("m", GO, "2", "2"))
        for nick, player in (("ann", ann), ("bob", bob)):
            await player.says(Hello(("session",)), PlayerLogin(nick, GO))
        assert isinstance(await ann.hears(), Hello)
        assert await ann.hears() == LoginResponse()
        session = await ann.hears()
        assert isinstance(session, Session)
        again = shell.connects()
        await again.says(Hello(("session",)), Resume(session.token))
        await wait_all_tasks_blocked()
        (seed,) = [one.setting.seed for one in shell.broker.games]
    assert "x-resume" in str(lines)
    assert "beginGame" in str(lines)
    assert session.token not in str(lines)
    assert seed
    assert seed not in str(lines)


@pytest.mark.parametrize(
    ("document", "logged"),
    [
        (b"<session token='a\"b' nick='n'/>", "<session token=\"…\" nick='n'/>"),
        (b'<session nick="n"\n token = "secret"/>', '<session nick="n"\n token = "…"/>'),
        (b'<seed value="secret"/>', '<seed value="…"/>'),
        (b"<setup>pile = [1]</setup><seats/>", '<setup>"…"</setup><seats/>'),
        (b"<setup ><![CDATA[a</b]]></setup >", '<setup >"…"</setup >'),
        (b"<setup/><seats/>", "<setup/><seats/>"),
        (b'<player token="x"/>', '<player token="x"/>'),
        (b"<identity token='a\"b'/>", '<identity token="…"/>'),
        (b'<playerLogin nick="ann#se\'cret" gameType="go"/>', '<playerLogin nick="ann#…" gameType="go"/>'),
        (b"<playerLogin gameType='>' nick = 'ann#a#\"b'/>", "<playerLogin gameType='>' nick = 'ann#…'/>"),
        (b'<gameMasterLogin id="m&#35;secret"/>', '<gameMasterLogin id="m&#…"/>'),
        (b'<playerLogin nick="ann" gameType="#1"/>', '<playerLogin nick="ann" gameType="#1"/>'),
    ],
)
def test_secrets_are_found_however_they_are_written(document: bytes, logged: str) -> None:
    assert without_secrets(document) == logged


# Shutdown.


async def test_everybody_is_told_of_the_shutdown_and_closed(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    master, ann, bob = await shell.table()
    stranger = shell.connects()
    await wait_all_tasks_blocked()
    shell.driver.happens(ShutdownAsked())
    for player in (ann, bob):
        assert is_error(await player.hears(), "game void")
    for peer in (master, ann, bob):
        assert await peer.hears() == ServerShutdown()
        assert await peer.hears() is None
        await peer.hangs_up()
    assert await stranger.hears() is None, "who has not logged in is told nothing"
    assert shell.driver.stopped.is_set()
    await stranger.hangs_up()
    await shell.peers.all_gone()


async def test_a_connection_after_the_end_is_closed(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens()
    shell.driver.happens(ShutdownAsked())
    late = shell.connects()
    await late.says(PlayerLogin("ann", GO))
    assert await late.hears() is None


async def test_running_games_may_end_first(opens: Opens, autojump_clock: MockClock) -> None:
    shell = opens(drain_s=60)
    master, ann, bob = await shell.table()
    shell.driver.happens(ShutdownAsked())
    late = shell.connects()
    await late.says(PlayerLogin("cat", GO))
    assert is_error(await late.hears(), "shutting down")
    await trio.sleep(9)
    await ann.says(move())
    assert isinstance(await master.hears(), Move)
    await master.says(over("ann", "bob"))
    for player in (ann, bob):
        assert await player.hears() == over("ann", "bob")
        assert await player.hears() == ServerShutdown()


@pytest.mark.parametrize("second_signal", [False, True])
async def test_a_game_that_does_not_end_in_time_is_void(
    opens: Opens, autojump_clock: MockClock, second_signal: bool
) -> None:
    shell = opens(drain_s=20, move_timeout_s=100)
    _, ann, _ = await shell.table()
    shell.driver.happens(ShutdownAsked())
    await ann.hears_nothing_for(19)
    if second_signal:
        shell.driver.happens(ShutdownAsked())
    assert is_error(await ann.hears(within=0.1 if second_signal else 1.1), "game void")
    assert await ann.hears() == ServerShutdown()
