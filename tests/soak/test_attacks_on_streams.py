"""Each attack at small scale, on memory streams: what the server does is a fact here, not a time.

In all of them a calm player moves at the same moment, and is served when each attacker has had a turn, if not before
(`Scene.meets`).
"""

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import wait_all_tasks_blocked

from tests.daemon.shell import GO, Far, Pipe, move, turn
from tests.soak.scene import ByPipe, HangsUp, Opens, Scene, documents_in
from ugs.daemon.watch.spectators import GATHER_S
from ugs.soak import traffic
from ugs.wire.extensions import Failed, Players, RefusalReason, Tables
from ugs.wire.messages import BeginGame, Error, Message

TIMES = 300


async def all_said_to(far: Far) -> list[Message]:
    """All messages that wait for this peer, and whether the connection has ended: None is last then."""
    heard: list[Message] = []
    with trio.move_on_after(0.5):
        while (message := await far.hears(10)) is not None:
            heard.append(message)
    return heard


async def is_closed(far: Far) -> bool:
    """Whether the server has ended this connection, after all it said."""
    with trio.move_on_after(0.5):
        while await far.document(10) is not None:
            pass
        return True
    return False


@pytest.mark.parametrize(
    ("families", "said", "why"),
    [
        pytest.param(["lobby"], traffic.table("t", options=5000), "more than 128 <option>", id="wide advertise"),
        pytest.param(["chat"], traffic.chat(["nobody"] * 5000), "more than 128 <to>", id="recipients"),
        pytest.param(["lobby"], traffic.padded("x-listTables", 40_000), "more than 256 elements", id="elements"),
    ],
)
async def test_a_request_that_is_too_wide_is_refused_unread(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, autojump_clock: object, families: list[str], said: bytes, why: str
) -> None:
    scene = await Scene.opens(opens, monkeypatch)
    attacker = await scene.player("p", *families)
    await scene.meets((attacker, said * 3))
    failed = [message for message in await all_said_to(attacker) if isinstance(message, Failed)]
    assert [one.code for one in failed] == [RefusalReason.INVALID_REQUEST] * 3
    assert why in failed[0].text
    await scene.goes_on()


@pytest.mark.parametrize("said", [traffic.offers(5000), traffic.labels("g", 5000)], ids=["offers", "labels"])
async def test_so_is_that_of_a_master(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, autojump_clock: object, said: bytes
) -> None:
    scene = await Scene.opens(opens, monkeypatch)
    attacker = await scene.master("table")
    await scene.meets((attacker, said))
    (failed,) = await all_said_to(attacker)
    assert isinstance(failed, Failed | Error)
    assert "more than" in failed.text
    await scene.goes_on()


async def test_elements_in_a_ping_before_any_login(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    scene = await Scene.opens(opens, monkeypatch)
    attacker = scene.shell.connects(declares=False)
    await scene.meets((attacker, traffic.hello("session") + traffic.padded("x-ping", 40_000)))
    _, failed = await all_said_to(attacker)
    assert isinstance(failed, Failed)
    assert "more than 256 elements" in failed.text


@pytest.mark.parametrize(
    ("kind", "answer", "most"),
    [("x-listPlayers", Players, 7), ("x-listTables", Tables, 140)],  # a list without rows counts a twentieth
    ids=["players", "tables"],
)
async def test_lists_are_answered_as_often_as_the_limit_says(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, autojump_clock: object, kind: str, answer: type, most: int
) -> None:
    scene = await Scene.opens(opens, monkeypatch, list_burst=7, list_rows=1)
    attackers = [await scene.player(f"p{number}", "lobby") for number in range(4)]
    await scene.meets(*((attacker, traffic.asking(kind, TIMES)) for attacker in attackers))
    for attacker in attackers:
        answers = await all_said_to(attacker)
        assert len(answers) == TIMES
        assert sum(isinstance(one, answer) for one in answers) == most
        assert {one.code for one in answers if isinstance(one, Failed)} == {RefusalReason.RATE_LIMIT}
    await scene.goes_on()


async def test_errors_cost_only_those_who_say_them(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    scene = await Scene.opens(opens, monkeypatch)
    attackers = [await scene.player(f"p{number}") for number in range(8)]
    await scene.meets(*((attacker, traffic.errors(1000)) for attacker in attackers))
    assert sum(scene.handled.values()) > 8000, "they are heard all the same, afterwards"
    await scene.goes_on()


@pytest.mark.parametrize(
    ("said", "why"),
    [
        pytest.param(traffic.attributes(10_000), "more than 64 attributes", id="attributes"),
        pytest.param(traffic.levels(10_000), "64", id="levels"),
        pytest.param(traffic.comments(200_000, most=20_000), "max_markup", id="comments"),
        pytest.param(traffic.instructions(200_000, most=20_000), "max_markup", id="instructions"),
        pytest.param(traffic.unfinished_levels(200_000, most=20_000), "max_markup", id="unfinished levels"),
        pytest.param(traffic.padded("x-listTables", 200_000), "max_markup", id="elements"),
        pytest.param(traffic.blanks(24_000), "1024 bytes of white space", id="blanks"),
        pytest.param(traffic.nuls(1), "a NUL byte", id="NUL"),
        pytest.param(traffic.ill_formed(100_000), "mismatched tag", id="ill-formed"),
        pytest.param(b"no XML" * 10_000, "begins with", id="no XML"),
        pytest.param(traffic.unfinished(2_000_000), "longer than 1048576 bytes", id="endless"),
    ],
)
async def test_what_is_no_document_closes_the_line_of_its_sender(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, autojump_clock: object, said: bytes, why: str
) -> None:
    scene = await Scene.opens(opens, monkeypatch)
    attackers = [await scene.player(f"p{number}") for number in range(3)]
    await scene.meets(*((attacker, said) for attacker in attackers))
    for attacker in attackers:
        told = await attacker.hears()
        assert isinstance(told, Error)
        assert why in told.text
        assert await is_closed(attacker)
    await scene.goes_on()


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(traffic.comments(200_000), id="comments"),
        pytest.param(traffic.instructions(200_000), id="instructions"),
    ],
)
async def test_what_is_dear_and_allowed_takes_a_turn_each(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, autojump_clock: object, said: bytes
) -> None:
    scene = await Scene.opens(opens, monkeypatch)
    attackers = [await scene.player(f"p{number}") for number in range(5)]
    await scene.meets(*((attacker, said * 3) for attacker in attackers), most_each=1)
    assert await all_said_to(attackers[0]) == []
    await scene.goes_on()


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(traffic.unfinished(100_000), id="text"),
        pytest.param(traffic.unfinished_levels(100_000), id="levels"),
    ],
)
async def test_a_document_without_an_end_has_its_time(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, autojump_clock: object, said: bytes
) -> None:
    scene = await Scene.opens(opens, monkeypatch, document_timeout_s=10, move_timeout_s=1000, master_timeout_s=1000)
    attacker = await scene.player("p")
    await scene.meets((attacker, said))
    for _ in range(9):
        await attacker.says(b"x")
        await trio.sleep(1)
    assert await all_said_to(attacker) == []
    told = await attacker.hears(2)
    assert isinstance(told, Error)
    assert "has not ended within 10 s" in told.text
    assert await is_closed(attacker)
    await scene.goes_on()


async def test_bytes_behind_a_large_beginning_are_kept_and_no_more(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    scene = await Scene.opens(opens, monkeypatch)
    pipe = Pipe()
    connection = scene.shell.attaches(pipe)
    begin = traffic.unfinished(200_000)
    pipe.says(begin)
    for _ in range(500):
        pipe.says(b"x")
    await scene.meets()
    assert connection.framer.pending == len(begin) + 500
    assert connection.number not in scene.handled
    await scene.goes_on()


@pytest.mark.parametrize("kind", ["x-listTables", "x-listPlayers"])
async def test_lists_for_somebody_who_does_not_read_are_given_up_with_it(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, autojump_clock: object, kind: str
) -> None:
    scene = await Scene.opens(opens, monkeypatch, max_outbox_bytes=65_536, list_burst=10_000)
    await scene.master("table")
    for number in range(5):
        far = await scene.player(f"owner{number}", "lobby")
        await far.says(traffic.table("t", invited=traffic.guests(100)))
    await wait_all_tasks_blocked()  # the tables are there before the attack is measured
    pipe = Pipe(room=1000)
    connection = scene.shell.attaches(pipe)
    with capture_logs() as logs:
        said = traffic.hello("lobby") + traffic.player_login("deaf") + traffic.asking(kind, TIMES)
        await scene.meets((ByPipe(pipe), said))
        await trio.sleep(100)  # who reads nothing for long goes, too
    reasons = [line["reason"] for line in logs if line["event"] == "disconnected" and line["nick"] == "deaf"]
    assert len(reasons) == 1
    assert "does not read" in reasons[0] or "took nothing" in reasons[0]
    assert connection.outbox.backlog_bytes == 0
    assert pipe.is_closed()


async def test_a_large_state_again_and_again_for_somebody_who_does_not_read(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    scene = await Scene.opens(opens, monkeypatch, max_outbox_bytes=1_000_000)
    master = await scene.master("table")
    await scene.player("p0")
    pipe = Pipe(room=1000)
    connection = scene.shell.attaches(pipe)
    pipe.says(traffic.hello("state") + traffic.player_login("p1"))
    begun = await master.hears()
    assert isinstance(begun, BeginGame)
    await master.says(traffic.state(begun.game_id, "p0", 100_000))
    await wait_all_tasks_blocked()
    largest = 0

    def looked() -> None:
        nonlocal largest
        largest = max(largest, connection.outbox.batch_bytes + connection.outbox.backlog_bytes)

    handle = scene.shell.broker.handle

    def watched(event: object, now: float) -> object:
        looked()
        return handle(event, now)  # type: ignore[arg-type]

    monkeypatch.setattr(scene.shell.broker, "handle", watched)
    await scene.meets((ByPipe(pipe), traffic.resend(begun.game_id, 400)))
    await trio.sleep(0.1)
    assert pipe.is_closed()
    assert 500_000 < largest <= 1_000_000 + 100_000 + 1000, "the limit, and the one message that went beyond it"
    await scene.goes_on()


async def test_who_hangs_up_behind_its_requests_delays_nobody(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    scene = await Scene.opens(opens, monkeypatch)
    said = traffic.hello("lobby") + traffic.player_login("p") + traffic.asking("x-listPlayers", TIMES)
    gone = [HangsUp(scene.shell.connects(declares=False)) for _ in range(5)]
    await scene.meets(*((one, said) for one in gone))
    assert sum(scene.handled.values()) <= 5 * documents_in(said) + 20
    await scene.goes_on()


async def test_a_game_that_is_too_large_ends_and_no_other_one(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    scene = await Scene.opens(opens, monkeypatch, max_game_bytes=300_000)
    master, players, game = await scene.game()
    with capture_logs() as logs:
        for number in range(4):
            await master.says(traffic.state(game, f"p{number % 2}", 50_000))
            await trio.sleep(0.1)
            await players[number % 2].says(traffic.move(game, 50_000))
            await trio.sleep(0.1)
    (ended,) = (line for line in logs if line["event"] == "game ended")
    assert (ended["game"], ended["verdict"], ended["fault"]) == (game, "too large", "nobody")
    await scene.meets()
    await scene.goes_on()


async def test_a_master_that_floods_has_its_turns_and_no_more(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    scene = await Scene.opens(opens, monkeypatch)
    master, players, game = await scene.game()
    await scene.meets((master, traffic.state(game, "p0", 100) * 2000))
    await scene.goes_on()
    assert len(players) == 2


async def test_a_master_that_is_silent_is_closed_and_its_games_are_nobodys_fault(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    scene = await Scene.opens(
        opens, monkeypatch, begin_timeout_s=1, master_strikes=3, move_timeout_s=1000, master_timeout_s=1000
    )
    with capture_logs() as logs:
        master = await scene.master()
        for number in range(4):
            await scene.player(f"p{number}")
        await trio.sleep(60)
    ended = [line for line in logs if line["event"] == "game ended"]
    assert len(ended) >= 3
    assert {(line["verdict"], line["fault"]) for line in ended} <= {
        ("no beginning", "master"),
        ("master lost", "master"),
    }
    assert all(set(line["outcomes"].values()) == {"void"} for line in ended)
    assert await is_closed(master)
    await scene.meets()
    await scene.goes_on()


async def test_spectators_that_do_not_read_are_dropped_and_the_game_goes_on(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    scene = await Scene.opens(opens, monkeypatch, max_watch_backlog_bytes=65_536)
    pipes = [Pipe(room=100) for _ in range(20)]
    connections = [scene.shell.attaches(pipe) for pipe in pipes]
    for pipe in pipes:
        pipe.says(traffic.hello("watch") + traffic.watch_type(game_type=GO))
    await wait_all_tasks_blocked()
    master, ann, bob = scene.seats
    for number in range(6):
        mover, other = (ann, "bob") if number % 2 == 0 else (bob, "ann")
        await mover.says(move())
        assert await master.hears() == move()
        state = turn(other, payload=b"<gameState>%b</gameState>" % (b"s" * 30_000))
        await master.says(state)
        assert await ann.hears() == await bob.hears() == state
        await trio.sleep(2 * GATHER_S)
        assert all(connection.outbox.backlog_bytes <= 65_536 + 31_000 for connection in connections)
    assert all(pipe.is_closed() for pipe in pipes)


async def test_chat_to_many_is_slowed_by_its_limit(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    scene = await Scene.opens(opens, monkeypatch, chat_per_minute=5)
    attackers = [await scene.player(f"p{number}", "chat") for number in range(20)]
    said = traffic.chat([f"p{number}" for number in range(20)])
    await scene.meets((attackers[0], said * 50))
    answers = [one for one in await all_said_to(attackers[0]) if isinstance(one, Failed)]
    assert len(answers) == 45
    assert {one.code for one in answers} == {RefusalReason.RATE_LIMIT}
    await scene.goes_on()


async def test_burnt_nicks_leave_nothing_behind_in_the_table(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    scene = await Scene.opens(opens, monkeypatch, move_timeout_s=1000, master_timeout_s=1000)
    for number in range(50):
        await (await scene.player(traffic.burnt_nick(number))).hangs_up()
    await trio.sleep(100)
    last = scene.shell.connects(declares=False)
    await last.says(traffic.player_login("last"))
    heard = [await last.document(), await last.document()]
    assert heard[1] is not None
    assert heard[1].count(b"<player ") == 1, "its own row"
    await scene.meets()


async def test_sessions_that_are_left_alone_end_with_their_grace(
    opens: Opens, monkeypatch: pytest.MonkeyPatch, autojump_clock: object
) -> None:
    scene = await Scene.opens(opens, monkeypatch, session_grace_s=10, move_timeout_s=1000, master_timeout_s=1000)
    for number in range(30):
        await (await scene.player(f"absent{number}", "session", "lobby")).hangs_up()
    await scene.meets()
    await trio.sleep(11)
    for number in range(30):
        await scene.player(f"absent{number}", "session", "lobby")
    await scene.goes_on()
