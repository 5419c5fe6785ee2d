"""What spectators may know by now."""

import time
from typing import Any

import pytest

from ugs.broker.verdict import Cause, Verdict
from ugs.journal.row_reader import GameSummary
from ugs.page.contract import SiteSettings
from ugs.page.worker.public_journal import SET_BACK_S, PublicJournal

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
