"""The dialogue of a spectator with a server that is played by the test."""

import pytest
import trio
from trio.testing import MockClock, memory_stream_pair, wait_all_tasks_blocked

from ugs.peer import Peer
from ugs.watch.following import WatchFailed, follow, waited_for
from ugs.wire.codec import encode
from ugs.wire.extensions import (
    Account,
    EventKind,
    Failed,
    GameEvent,
    Hello,
    Ok,
    RefusalReason,
    Unwatch,
    Watch,
    WatchFrom,
    Watching,
    Why,
)
from ugs.wire.messages import Error, LoginResponse, Message, ServerShutdown

GRANTED = Hello(("watch",))
SHOWN = Watching("g1", "chess", 2, ())
MOVED = GameEvent("g1", 3, 1, EventKind.MOVE, "ann")
ENDED = GameEvent("g1", 4, 2, EventKind.ENDED, text="finished")


async def watched(
    watch: Watch, *said: Message | bytes, closes: bool = True
) -> tuple[list[Watching | GameEvent], list[Message]]:
    """What a spectator sees when the server sends these messages, and what it sends itself."""
    ours, theirs = memory_stream_pair()
    server, seen, heard = Peer(theirs), list[Watching | GameEvent](), list[Message]()
    for one in said:
        if isinstance(one, bytes):
            await theirs.send_all(one)
        else:
            await server.send(one)
    if closes:
        await theirs.send_eof()
    async with Peer(ours) as peer:
        await follow(peer, watch, seen.append)
    while (message := await server.receive()) is not None:
        heard.append(message)
    return seen, heard


async def test_a_game_is_watched_to_its_end() -> None:
    seen, heard = await watched(Watch("g1"), GRANTED, SHOWN, MOVED, ENDED, MOVED)
    assert seen == [SHOWN, MOVED, ENDED]
    hello, watch = heard
    assert isinstance(hello, Hello)
    assert hello.families == ("watch", "reason")
    assert watch == Watch("g1")


async def test_that_its_master_is_lost_is_no_event_and_goes_where_accounts_go() -> None:
    """It was a message that is not for a spectator, and nothing was printed."""
    ours, theirs = memory_stream_pair()
    server, seen, accounts = Peer(theirs), list[Watching | GameEvent](), list[Account]()
    lost = Account("the game master has lost its line", "g1")
    for one in (GRANTED, SHOWN, lost, MOVED, ENDED):
        await server.send(one)
    async with Peer(ours) as peer:
        await follow(peer, Watch("g1"), seen.append, master=accounts.append)
    assert (seen, accounts) == ([SHOWN, MOVED, ENDED], [lost])


async def test_a_game_type_is_watched_until_the_server_stops() -> None:
    seen, _ = await watched(Watch(game_type="chess"), GRANTED, Ok(), SHOWN, ENDED, SHOWN, ServerShutdown())
    assert seen == [SHOWN, ENDED, SHOWN]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ([Hello(())], "does not grant the extension watch"),
        ([LoginResponse()], "does not grant the extension watch"),
        ([Error("x-hello: not known")], "the server answers: x-hello: not known"),
        (
            [GRANTED, Failed(RefusalReason.INVALID_GAME, "x-watch: no such game")],
            "no such game; `ugs watch` without --game",
        ),
        ([GRANTED, Failed(RefusalReason.INVALID_REQUEST, "x-watch: no")], "^x-watch: no$"),
        ([GRANTED, SHOWN, MOVED], "closed the connection"),
        ([GRANTED, SHOWN, ServerShutdown()], "the server stops"),
        ([GRANTED, SHOWN, LoginResponse()], "loginResponse, which is not a message for a spectator"),
        ([GRANTED, b"<message type='nonsense'/>"], "cannot be read"),
        ([GRANTED, b"nonsense"], "cannot be read"),
        ([], "closed the connection, without a word: this may be the port of another program, the one for HTTP"),
    ],
)
async def test_what_goes_wrong_is_named(said: list[Message | bytes], words: str) -> None:
    with pytest.raises(WatchFailed, match=words):
        await watched(Watch("g1"), *said)


async def test_a_request_that_no_message_can_hold_is_refused() -> None:
    with pytest.raises(WatchFailed, match="the request cannot be sent"):
        await watched(Watch("g\0"), GRANTED)


async def test_nobody_waits_for_ever_for_a_server_that_does_not_answer(autojump_clock: MockClock) -> None:
    with pytest.raises(WatchFailed, match="does not answer within 15 s"):
        await watched(Watch("g1"), closes=False)


async def test_a_connection_that_breaks_is_named() -> None:
    ours, theirs = memory_stream_pair()
    await trio.aclose_forcefully(theirs)
    with pytest.raises(WatchFailed, match="connection"):
        await follow(Peer(ours), Watch("g1"), lambda _: None)


BEGUN = Watching("g1", "chess", 0, ())
BEGIN = GameEvent("g1", 1, 0, EventKind.BEGIN)
STATE = GameEvent("g1", 2, 0, EventKind.STATE)


async def caught_up(watch: Watch, *said: Message) -> tuple[list[object], list[object], list[Message]]:
    """What of a game is past and what is present, and what the spectator sends."""
    ours, theirs = memory_stream_pair()
    server, past, present, heard = Peer(theirs), list[object](), list[object](), list[Message]()
    for one in said:
        await server.send(one)
    await theirs.send_eof()
    async with Peer(ours) as peer:
        await follow(peer, watch, present.append, lambda message, last: past.append((message, last)))
    while (message := await server.receive()) is not None:
        heard.append(message)
    return past, present, heard


async def test_pictures_of_a_game_are_told_what_was_before_now() -> None:
    answers = (SHOWN, MOVED, Ok("enough"), BEGUN, BEGIN, STATE, MOVED, ENDED)
    past, present, heard = await caught_up(Watch("g1", delay_s=3), GRANTED, *answers)
    assert past == [(BEGUN, False), (BEGIN, False), (STATE, True)]
    assert present == [MOVED, ENDED]
    assert heard[1:] == [
        Watch("g1", delay_s=3),
        Unwatch("g1", ref="enough"),
        Watch("g1", begin=WatchFrom.BEGIN, delay_s=3),
    ]


async def test_who_wants_the_begin_or_a_type_asks_once() -> None:
    for watch in (Watch("g1", begin=WatchFrom.BEGIN), Watch(game_type="chess")):
        past, present, heard = await caught_up(watch, GRANTED, BEGUN, ENDED, ServerShutdown())
        assert not past
        assert present == [BEGUN, ENDED]
        assert heard[1:] == [watch]


async def test_a_game_that_is_refused_at_first_is_refused() -> None:
    for said, words in (
        (Failed(RefusalReason.INVALID_GAME, "no such game"), "no such game"),
        (ServerShutdown(), "stops"),
    ):
        with pytest.raises(WatchFailed, match=words):
            await caught_up(Watch("g1"), GRANTED, said)


async def test_without_a_game_it_says_what_is_waited_for_and_again_every_minute(autojump_clock: MockClock) -> None:
    ours, theirs = memory_stream_pair()
    server, told, seen = Peer(theirs), list[tuple[float, str]](), list[Watching | GameEvent]()
    begun = trio.current_time()

    def waits(text: str) -> None:
        told.append((round(trio.current_time() - begun), text))

    async def serve() -> None:
        assert isinstance(await server.receive(), Hello)
        await server.send(Hello(("watch", "reason")), Ok())
        assert await server.receive() == Watch(game_type="chess")
        for number in range(2):
            question = await server.receive()
            assert question == Why(game_type="chess", ref="waiting")
            await server.send(Account(f"nobody is here {number}", ref="waiting"))
        assert await server.receive() == question
        await server.send(SHOWN, Account("too late", ref="waiting"))
        await trio.sleep(1000)  # while a game is shown nothing is asked
        await server.send(ENDED)
        assert await server.receive() == question
        await server.send(Failed(RefusalReason.RATE_LIMIT, "later", ref="waiting"), ServerShutdown())

    async with trio.open_nursery() as nursery, Peer(ours) as peer:
        nursery.start_soon(serve)
        await follow(peer, Watch(game_type="chess"), seen.append, waits=waits)
    assert told == [(3, "nobody is here 0"), (63, "nobody is here 1")]
    assert seen == [SHOWN, ENDED]


async def test_a_server_that_cannot_say_it_is_not_asked(autojump_clock: MockClock) -> None:
    with trio.move_on_after(500) as patience:
        await watched(Watch(game_type="chess"), GRANTED, Ok(), closes=False)
    assert patience.cancelled_caught


async def waits(*said: Message | bytes, closes: bool = True) -> str:
    """What a type waits for, when the server sends these messages."""
    ours, theirs = memory_stream_pair()
    server = Peer(theirs)
    for one in said:
        await (theirs.send_all(one) if isinstance(one, bytes) else server.send(one))
    if closes:
        await theirs.send_eof()
    async with Peer(ours) as peer:
        return await waited_for(peer, "chess")


ASKED = Hello(("watch", "reason"))


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ([ASKED, Ok(), Account("2 players wait", ref="waiting")], "2 players wait"),
        ([ASKED, SHOWN, MOVED, Account("1 game", ref="waiting")], "1 game"),
        ([ASKED, Failed(RefusalReason.INVALID_GAME, "not allowed here")], ""),
        ([GRANTED], ""),
    ],
)
async def test_what_a_type_waits_for_is_asked_once(said: list[Message], text: str) -> None:
    assert await waits(*said) == text


@pytest.mark.parametrize(
    ("said", "words"),
    [([ASKED], "closed the connection"), ([ASKED, b"\0"], "cannot be read"), ([Ok()], "does not grant")],
)
async def test_what_a_type_waits_for_cannot_be_had(said: list[Message | bytes], words: str) -> None:
    with pytest.raises(WatchFailed, match=words):
        await waits(*said)


async def test_what_a_type_waits_for_is_not_awaited_for_ever(autojump_clock: MockClock) -> None:
    with pytest.raises(WatchFailed, match="does not answer within 15 s"):
        await waits(ASKED, closes=False)


async def test_a_spectator_shows_the_token_of_its_nick() -> None:
    ours, theirs = memory_stream_pair()
    server = Peer(theirs)
    for said in (GRANTED, SHOWN, ENDED):
        await server.send(said)
    async with Peer(ours) as peer:
        await follow(peer, Watch("g1", nick="ann"), lambda one: None, token="s3cret")
    hello, watch = await server.receive(), await server.receive()
    assert isinstance(hello, Hello)
    assert hello.token == "s3cret"
    assert watch == Watch("g1", nick="ann")


async def test_what_has_come_at_once_is_known_before_the_first_of_it_is_reported() -> None:
    ours, theirs = memory_stream_pair()
    server, steps = Peer(theirs), list[object]()

    async def serve() -> None:
        await server.send(GRANTED)
        assert isinstance(await server.receive(), Hello)
        assert isinstance(await server.receive(), Watch)
        await server.send(SHOWN)
        await wait_all_tasks_blocked()
        await server.send(BEGIN, STATE, MOVED, ENDED)

    async with trio.open_nursery() as nursery, Peer(ours) as peer:
        nursery.start_soon(serve)
        await follow(peer, Watch("g1"), steps.append, ahead=lambda come: steps.append(list(come)))
    assert steps == [[SHOWN], SHOWN, [BEGIN, STATE, MOVED, ENDED], BEGIN, STATE, MOVED, ENDED]


async def test_positions_before_something_that_cannot_be_read_are_shown() -> None:
    for bad in (b"<message type='nonsense'/>", b"nonsense"):
        ours, theirs = memory_stream_pair()
        seen = list[Watching | GameEvent]()
        await theirs.send_all(b"".join(map(encode, (GRANTED, SHOWN, MOVED))) + bad)
        with pytest.raises(WatchFailed, match="cannot be read"):
            await follow(Peer(ours), Watch("g1"), seen.append)
        assert seen == [SHOWN, MOVED]
