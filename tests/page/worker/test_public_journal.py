"""What spectators may know by now."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.page.test_pages import ended as games_that_ended
from ugs.broker.verdict import Cause, Verdict
from ugs.journal.importing import store
from ugs.journal.journal_error import JournalError
from ugs.journal.row_reader import GameSummary
from ugs.page.contract import SiteSettings
from ugs.page.worker import public_journal
from ugs.page.worker.answers import view
from ugs.page.worker.page_views import overview
from ugs.page.worker.public_journal import AGAIN_S, SET_BACK_S, PublicJournal

NOW_S = 1_900_000_000.0
HOUR_S = 3600.0


def ended(game_type: str, ago_s: float) -> GameSummary:
    """A game that has ended so long ago by the clock on the wall."""
    at_us = int((NOW_S - ago_s) * 1e6)
    return GameSummary("g1", game_type, "m", (), Verdict(Cause.FINISHED), 3, at_us - 1000, at_us)


@pytest.mark.parametrize(
    ("game_type", "ago_s", "is_seen"),
    [
        ("go", 0.0, True),
        ("go", -3 * HOUR_S, True),
        ("cards", 61.0, True),
        ("cards", 59.0, False),
        ("cards", -59.0, False),
        ("cards", -3 * HOUR_S, True),
        ("slow", -SET_BACK_S - 1, False),
        ("slow", -3 * HOUR_S, True),
    ],
)
def test_an_end_is_seen_when_the_delay_is_over_also_if_the_clock_was_set_back(
    monkeypatch: pytest.MonkeyPatch, game_type: str, ago_s: float, is_seen: bool
) -> None:
    monkeypatch.setattr(time, "time", lambda: NOW_S)
    site = PublicJournal(SiteSettings(delays={"cards": 60.0, "slow": 600.0}))
    assert site.may_be_seen(ended(game_type, ago_s)) is is_seen


class CountingReader:
    """A journal that counts how often its ledgers are read."""

    def __init__(self) -> None:
        self.now = (0, 0, 0)
        self.read = 0

    def version(self) -> tuple[int, int, int]:
        return self.now

    def championships(self) -> list[Any]:
        self.read += 1
        return [self.now]


def test_ledgers_are_read_again_only_when_an_entry_or_an_act_has_come() -> None:
    site, reader = PublicJournal(SiteSettings()), CountingReader()
    anything: Any = reader
    for now, read in (((0, 0, 0), 1), ((9, 0, 0), 1), ((9, 1, 0), 2), ((9, 1, 4), 3), ((10, 1, 4), 3)):
        reader.now = now
        for _ in range(2):
            found: Any = site.championships(anything)
            assert found[0][1:] == now[1:]
        assert reader.read == read


def test_a_database_that_does_not_answer_keeps_one_visitor_waiting_and_not_the_next_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where it refuses at once it is asked each time: it may be back."""
    clock, opened = [100.0], list[float]()

    def reader_of(takes_s: float) -> Any:
        def open_reader(_place: object, *, soon: bool) -> None:
            assert soon
            opened.append(clock[0])
            clock[0] += takes_s
            raise JournalError("it does not answer")

        return open_reader

    def ask() -> None:
        with pytest.raises(JournalError, match="it does not answer"), site.reading():
            pass

    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    site = PublicJournal(SiteSettings("/somewhere"))
    for takes_s, times in ((0.0, [100, 100, 100]), (2.0, [100, 102 + AGAIN_S])):
        opened.clear()
        monkeypatch.setattr(public_journal, "Reader", reader_of(takes_s))
        for _ in range(3):
            ask()
        if takes_s:
            clock[0] += AGAIN_S
            ask()
        assert opened == times


def test_the_first_page_shows_what_was_read_last_while_the_journal_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = {"games": [], "game_types": [], "championships": [], "more_games": 3}
    assert store(tmp_path, games_that_ended(1))
    site = PublicJournal(SiteSettings(str(tmp_path)), patient=True)
    before = overview(site, {}, facts)
    assert (len(before.latest), before.unreadable) == (1, False)

    def open_reader(*_what: object, **_how: object) -> None:
        raise JournalError("it does not answer")

    monkeypatch.setattr(public_journal, "Reader", open_reader)
    after = overview(site, {}, facts)
    assert after == replace(before, unreadable=True)
    assert after.more_running == 3
    for form in ("html", "json", "parts"):
        answer = view(site, {"page": "overview", "form": form, "query": {}}, facts)
        assert answer.status == 200
        assert (b"Results cannot be read now" in answer.body) is (form != "json")
        assert answer.trouble == "it does not answer"
    monkeypatch.undo()
    assert overview(site, {}, facts) == before


def test_a_page_that_was_never_read_does_not_claim_that_nothing_has_ended() -> None:
    site = PublicJournal(SiteSettings("/nowhere"))
    answer = view(site, {"page": "overview", "form": "html", "query": {}}, {})
    assert answer.status == 200
    assert b"Results cannot be read now" in answer.body
    assert b"No game has ended yet" not in answer.body
