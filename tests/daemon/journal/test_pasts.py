"""What is not in memory of a running game is kept and read again, by threads: what a game waits for first."""

import threading
from collections.abc import Sequence

import pytest
import structlog.testing
import trio
from trio.testing import MockClock

from tests.daemon.shell import Shell
from ugs.broker.effects import KeepPast, Recall, RecordEntry, RecordResult
from ugs.broker.events import Event, Recalled
from ugs.broker.values.recollection import PastEvent, Recollected, Use, Wish
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, GameResult, Verdict
from ugs.daemon.journal import pasts as pasts_module
from ugs.daemon.journal.pasts import AGAIN_S, Pasts
from ugs.journal.journal_error import JournalError
from ugs.journal.temporary import TemporaryPast

FOUND = Recollected((PastEvent(1, 0.0, EntryKind.BEGIN, None, "", b""),), 1)


class Slow:
    """A store that answers as a test says."""

    pending_bytes = 0

    def __init__(self, *answers: Recollected | Exception | None) -> None:
        self.answers = list(answers)
        self.asked: list[Wish] = []
        self.news: list[tuple[str, int, str]] = []
        self.may_read = threading.Event()
        self.may_read.set()

    def keep(self, effect: KeepPast) -> None:
        self.news.append((effect.game_id, 7, "there is no room"))

    def over(self, game_id: str) -> None:
        self.news.append((game_id, 0, "over"))

    def forgotten(self) -> Sequence[tuple[str, int, str]]:
        return self.news

    def read(self, wish: Wish) -> Recollected | None:
        self.asked.append(wish)
        self.may_read.wait()
        answer = self.answers.pop(0) if self.answers else FOUND
        if isinstance(answer, Exception):
            raise answer
        return answer


def wish(use: Use = Use.SPECTATOR, subject: str = "7") -> Wish:
    """A wish of somebody."""
    return Wish(use, subject, "g1", 1)


async def recalled(store: Slow, *wishes: Wish) -> list[Event]:
    """The events that these wishes lead to."""
    events: list[Event] = []
    async with trio.open_nursery() as nursery:
        pasts = Pasts(lambda: store, events.append, nursery)
        for one in wishes:
            pasts.recall(Recall(one), 0.0)
    return events


async def test_what_is_wished_is_read() -> None:
    assert await recalled(Slow(), wish()) == [Recalled(wish(), FOUND)]


async def test_what_is_not_written_yet_is_looked_for_again() -> None:
    store = Slow(None, None, FOUND)
    assert await recalled(store, wish()) == [Recalled(wish(), FOUND)]
    assert len(store.asked) == 3


async def test_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pasts_module, "PATIENCE_S", 3 * AGAIN_S)
    store = Slow(*[None] * 100)
    assert await recalled(store, wish()) == [Recalled(wish(), Recollected(forgotten=True))]
    assert 1 <= len(store.asked) <= 4


async def test_whatever_is_wrong_there_is_an_answer() -> None:
    for error in (JournalError("damaged"), JournalError("disk I/O error")):
        with structlog.testing.capture_logs() as logs:
            assert await recalled(Slow(error), wish()) == [Recalled(wish(), Recollected(forgotten=True))]
        assert [(line["event"], line["game"], line["reason"]) for line in logs] == [
            ("past of a game not read", "g1", str(error))
        ]


async def test_a_bug_is_answered_too() -> None:
    events: list[Event] = []
    bug = RuntimeError("a bug")
    try:
        async with trio.open_nursery() as nursery:
            Pasts(lambda: Slow(bug), events.append, nursery).recall(Recall(wish()), 0.0)
    except* RuntimeError as group:
        assert group.exceptions == (bug,)  # noqa: PT017
    assert events == [Recalled(wish(), Recollected(forgotten=True))]


async def test_what_a_game_waits_for_does_not_wait_for_spectators() -> None:
    store = Slow()
    store.may_read.clear()
    events: list[Event] = []
    async with trio.open_nursery() as nursery:
        pasts = Pasts(lambda: store, events.append, nursery)
        for subject in "123":
            pasts.recall(Recall(wish(subject=subject)), 0.0)
        pasts.recall(Recall(wish(Use.TAKEOVER)), 0.0)
        while len(store.asked) < 2:  # noqa: ASYNC110  (threads set no event of Trio)
            await trio.sleep(0.001)
        assert sorted(one.use for one in store.asked) == [Use.SPECTATOR, Use.TAKEOVER], "and one spectator at a time"
        store.may_read.set()
    assert len(events) == 4


async def test_without_long_games_nothing_is_opened() -> None:
    async with trio.open_nursery() as nursery:

        def opens() -> Slow:
            raise AssertionError

        pasts = Pasts(opens, lambda event: None, nursery)
        verdict = Verdict(Cause.SHUTDOWN)
        pasts.over(RecordResult(GameResult("g1", "go", "m", (), verdict, 0, 0.0, 0.0)), 0.0)
        assert pasts.pending_bytes == 0


async def test_games_that_are_forgotten_are_in_the_log() -> None:
    async with trio.open_nursery() as nursery:
        store = Slow()
        pasts = Pasts(lambda: store, lambda event: None, nursery)
        with structlog.testing.capture_logs() as logs:
            pasts.keep(KeepPast("g1", 1, (), ()), 0.0)
        assert logs == [
            {
                "event": "past of a game forgotten",
                "log_level": "warning",
                "game": "g1",
                "bytes": 7,
                "reason": "there is no room",
            }
        ]


async def test_a_server_without_a_journal_has_a_file_that_is_gone_with_it(
    autojump_clock: MockClock,
) -> None:
    async with trio.open_nursery() as nursery:
        shell = Shell(nursery, max_past_bytes=1 << 20)
        assert isinstance(shell.keeping.pasts.store, TemporaryPast)
        entry = RecordEntry("g1", EntryKind.BEGIN)
        shell.keeping.pasts.keep(KeepPast("g1", 1, (entry,), (0.0,)), 0.0)
        assert (await shell.keeping.pasts.read(wish())).events == FOUND.events
        nursery.cancel_scope.cancel()
