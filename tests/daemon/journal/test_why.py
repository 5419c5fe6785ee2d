"""Accounts of games for players who ask why: read by a thread, a few at a time, and nobody else's."""

import threading
from dataclasses import replace
from pathlib import Path

import pytest
import structlog.testing
import trio
from trio.testing import MockClock

from tests.daemon.shell import Far, Shell
from tests.why.records import BEGAN_US, RUNNING, over
from tests.why.test_player_account import illegal
from ugs.broker.effects import AskWhy, RecordBegin, RecordEntry
from ugs.broker.events import Event, WhyAnswered
from ugs.broker.values.record import EntryKind
from ugs.daemon.clocks.wall_clock import WallClock
from ugs.daemon.journal import why
from ugs.daemon.journal.why import AGAIN_S, MAX_WAITING, Accounts, read_account
from ugs.journal.importing import store
from ugs.journal.journal import Journal
from ugs.wire.extensions import Account, Failed, Family, Hello, RefusalReason, Why
from ugs.wire.messages import Error, PlayerLogin

NOW_US = BEGAN_US + 60_000_000
ASKED = AskWhy(7, "r", "g1", "bob", 60.0, 0.0, 6)
KNOWN = replace(ASKED, since_ago_s=1.0, known=("bob has lost",))
NO_GAME = "x-why: gameId id 'g1': no game of yours since you logged in, as far as is known here"


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    assert store(tmp_path, illegal())
    return tmp_path


def test_a_game_is_told_to_its_player(data_dir: Path) -> None:
    text = read_account(data_dir, ASKED, NOW_US)
    assert text is not None
    assert "bob broke a rule of the game; ann won" in text
    assert "<move>99,18</move>" in text


@pytest.mark.parametrize(
    "effect",
    [
        replace(ASKED, nick="eve"),
        replace(ASKED, game_id="g"),
        replace(ASKED, game_id="long-g", nick="eve"),
        replace(ASKED, game_id="g2"),
        replace(ASKED, since_ago_s=59.0),
        replace(ASKED, until_ago_s=61.0, since_ago_s=70.0),
    ],
    ids=["of others", "half an id", "half an id of others", "no such game", "before its login", "after its session"],
)
def test_nothing_else_is_told(data_dir: Path, effect: AskWhy) -> None:
    assert read_account(data_dir, effect, NOW_US) is None


@pytest.mark.parametrize(("since_us", "told"), [(BEGAN_US, True), (BEGAN_US + 1, False)])
def test_the_owner_of_a_nick_is_told_what_began_since_it_is_its_own(data_dir: Path, since_us: int, told: bool) -> None:
    asked = replace(ASKED, nick="Bob", since_ago_s=0.0, since_us=since_us)
    assert (read_account(data_dir, asked, NOW_US) is not None) == told


def test_a_long_beginning_of_an_id_is_enough(tmp_path: Path) -> None:
    """Lists show ids by their first eight characters, and the broker has forgotten those from before a restart."""
    record = illegal()
    assert record.result is not None
    result = replace(record.result, game_id="Zr7kQ2mXw9")
    assert store(tmp_path, replace(record, game_id="Zr7kQ2mXw9", result=result))
    assert read_account(tmp_path, replace(ASKED, game_id="Zr7kQ2mX"), NOW_US) is not None
    assert read_account(tmp_path, replace(ASKED, game_id="Zr7kQ"), NOW_US) is None


def test_what_the_broker_knows_to_be_its_own_needs_no_clock(data_dir: Path) -> None:
    """The clock on the wall may have been set meanwhile."""
    text = read_account(data_dir, KNOWN, NOW_US)
    assert text is not None
    assert text.startswith("game g1")


def test_a_game_that_runs_is_told_with_what_it_waits_for(tmp_path: Path) -> None:
    journal = Journal(tmp_path, version="0.1.0", kept=lambda _: None, lost=lambda _: None, back=lambda: None)
    journal.record(RecordBegin("g1", "chess", "m", ("ann", "bob")), BEGAN_US, 0)
    for one in RUNNING.entries:
        journal.record(
            RecordEntry("g1", one.kind, one.seat, one.audience, one.text, one.body), one.wall_us, one.mono_us
        )
    journal.flush()
    journal.close()
    standing = "game g1: it is the turn of bob"
    text = read_account(tmp_path, replace(KNOWN, known=(standing,)), NOW_US)
    assert text is not None
    assert text.startswith(f"{standing}\ngame g1 (chess)\n  began ")
    assert "<move>a</move>" not in text
    lost = read_account(tmp_path, replace(KNOWN, known=(), since_ago_s=99.0, until_ago_s=0.0), NOW_US)
    assert "the server was lost" in (lost or ""), "no server has the game"


@pytest.mark.parametrize(("limit", "most"), [("MAX_BYTES", 10), ("MAX_ENTRIES", 3)])
def test_a_very_long_game_is_told_without_what_is_packed(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int
) -> None:
    monkeypatch.setattr(why, limit, most)
    text = read_account(data_dir, ASKED, NOW_US) or ""
    assert text.startswith("game g1 (chess)")
    assert "ann won" in text
    assert "<move>" not in text
    assert text.endswith(why.LEFT_OUT)


def test_of_a_long_game_that_runs_the_last_entries_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal(tmp_path, version="0.1.0", kept=lambda _: None, lost=lambda _: None, back=lambda: None)
    journal.record(RecordBegin("g1", "chess", "m", ("ann", "bob")), BEGAN_US, 0)
    journal.record(RecordEntry("g1", EntryKind.BEGIN), BEGAN_US, 0)
    for number in range(30):
        body = b"<move>%d</move>" % number
        journal.record(RecordEntry("g1", EntryKind.MOVE, 1, 0, "", body), BEGAN_US + number, number)
        journal.flush()
        journal.close() if number == 29 else None
    monkeypatch.setattr(why, "MAX_ENTRIES", 5)
    text = read_account(tmp_path, replace(KNOWN, known=("running",), last=100, moves=30), NOW_US) or ""
    assert text.startswith("running\ngame g1 (chess)")
    assert "30 moves" in text
    assert [f"<move>{number}</move>" in text for number in (24, 25, 29)] == [False, True, True]


async def test_nothing_is_read_for_a_while_after_an_account(
    data_dir: Path, nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow:
        async def __call__(self, *_arguments: object, **_options: object) -> str:
            await trio.sleep(2)
            return "read"

    monkeypatch.setattr(trio.to_thread, "run_sync", Slow())
    sends, receives = trio.open_memory_channel[Event](9)
    performer = Accounts(data_dir, sends.send_nowait, nursery)
    began = trio.current_time()
    for _ in range(2):
        performer.explain(ASKED, 0)
    moments = []
    for _ in range(2):
        await receives.receive()
        moments.append(trio.current_time() - began)
    assert moments == [2, 2 + 2 * why.RESTS + 2]


async def test_it_is_read_and_told(data_dir: Path, nursery: trio.Nursery) -> None:
    sends, receives = trio.open_memory_channel[Event](9)
    Accounts(data_dir, sends.send_nowait, nursery).explain(KNOWN, 0)
    event = await receives.receive()
    assert isinstance(event, WhyAnswered)
    assert (event.conn, event.ref, event.game_id, event.refused) == (7, "r", "g1", None)
    assert event.text.startswith("game g1")


async def test_a_clock_that_was_set_meanwhile_changes_nothing(
    data_dir: Path, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    """The game is the player's own if it began while it was there, whatever the clock shows now."""
    begun_at = trio.current_time()
    ahead_s = BEGAN_US / 1e6 - begun_at
    wall = WallClock(lambda: int((trio.current_time() + ahead_s) * 1e6))
    sends, receives = trio.open_memory_channel[Event](9)
    performer = Accounts(data_dir, sends.send_nowait, nursery, wall)
    for jump_s in (0, 7200, -20_000):
        await trio.sleep(60)
        ahead_s += jump_s
        age_s = trio.current_time() - begun_at
        for since_s, is_own in ((60.0, True), (-30.0, False)):
            asked = replace(KNOWN, known=(), since_ago_s=age_s + since_s, until_ago_s=0.0)
            performer.explain(asked, 0)
            event = await receives.receive()
            assert isinstance(event, WhyAnswered)
            assert (event.refused is None) is is_own, (jump_s, since_s)


@pytest.mark.parametrize("directory", [None, "missing"])
async def test_without_a_journal_what_is_known_is_all(
    directory: str | None, tmp_path: Path, nursery: trio.Nursery
) -> None:
    sends, receives = trio.open_memory_channel[Event](9)
    performer = Accounts(None if directory is None else tmp_path / directory, sends.send_nowait, nursery)
    with structlog.testing.capture_logs() as lines:
        performer.explain(KNOWN, 0)
        assert await receives.receive() == WhyAnswered(7, "r", "g1", "bob has lost")
        performer.explain(ASKED, 0)
        assert await receives.receive() == WhyAnswered(7, "r", "g1", NO_GAME, RefusalReason.INVALID_GAME)
    assert [line["event"] for line in lines] == ["account not read"] * (2 if directory else 0)


async def test_only_a_few_may_wait(data_dir: Path, nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch) -> None:
    go, under_way, most = threading.Event(), 0, 0

    def slow(_directory: Path, _effect: AskWhy, _now_us: int) -> str:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        assert go.wait(60)
        under_way -= 1
        return "read"

    monkeypatch.setattr(why, "read_account", slow)
    sends, receives = trio.open_memory_channel[Event](99)
    performer = Accounts(data_dir, sends.send_nowait, nursery)
    for _ in range(MAX_WAITING + 2):
        performer.explain(ASKED, 0)
    for _ in range(2):
        refused = await receives.receive()
        assert isinstance(refused, WhyAnswered)
        assert (refused.refused, refused.wait_s) == (RefusalReason.RATE_LIMIT, AGAIN_S)
    go.set()
    told = [await receives.receive() for _ in range(MAX_WAITING)]
    assert told == [WhyAnswered(7, "r", "g1", "read")] * MAX_WAITING
    assert most == 1
    performer.explain(ASKED, 0)
    assert await receives.receive() == told[0]


async def test_a_peer_of_the_shell_is_answered(nursery: trio.Nursery, autojump_clock: trio.testing.MockClock) -> None:
    shell = Shell(nursery)
    ann: Far = shell.connects()
    await ann.says(Hello((Family.REASON.value,)), PlayerLogin("ann", "go"))
    await ann.hears()
    await ann.hears()
    await ann.says(Why("g7", ref="1"))
    answer = await ann.hears()
    while not isinstance(answer, Failed | Account | Error):
        answer = await ann.hears()
    text = "x-why: gameId id 'g7': no game of yours since you logged in, as far as is known here"
    assert answer == Failed(RefusalReason.INVALID_GAME, text, "g7", "1")


def test_a_finished_game_of_somebody_else_with_the_same_nick_is_not_told(tmp_path: Path) -> None:
    assert store(tmp_path, over())
    assert read_account(tmp_path, replace(ASKED, nick="ann", since_ago_s=59.9), NOW_US) is None
