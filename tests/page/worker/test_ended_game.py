"""Games that have ended: looked up by their whole id, their end in one line."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import pytest

from tests.why.records import OVER, VERDICT, entry, over
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.page.model import Server
from ugs.page.worker import games
from ugs.page.worker.public_journal import NotThere, PublicJournal
from ugs.page.worker.replays import replay_of
from ugs.why.answer import game_account, why_ended, words_of_end


class Journal:
    """A journal with one large game, ``Zr7kQ2mXw9``, of which no entry may be read."""

    @contextmanager
    def reading(self) -> Iterator["Journal"]:
        yield self

    def head(self, game_id: str) -> Any:
        """None, as for any id that is not whole."""
        assert game_id == "Zr7"

    def record(self, game_id: str) -> Any:
        """A reader takes the beginning of an id for it."""
        raise AssertionError(f"the whole game of {game_id!r} is read")

    def version(self) -> tuple[int, int, int]:
        """The journal is sound."""
        return 0, 0, 0


def test_nothing_is_read_for_the_beginning_of_an_id() -> None:
    with pytest.raises(NotThere, match="no game 'Zr7' is running or has ended here; pages want the whole id"):
        games.record_of(cast(PublicJournal, Journal()), "Zr7")


def test_the_reason_of_an_end_stands_once_in_the_headline() -> None:
    reason = entry(EntryKind.REASON, 30_009_000, text="points: enough points")
    record = over(Verdict(Cause.FINISHED), (Outcome.WON, Outcome.LOST), None, reason, OVER, VERDICT)
    words = words_of_end(record)
    assert words
    assert games._why(record, why_ended(record)) == [f"ann won: {words}"]


def test_a_page_of_a_game_asks_only_why_it_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exchanges and the times of the last move, which it does not show, took half of the time of the page."""
    record = over(Verdict(Cause.FINISHED), (Outcome.WON, Outcome.LOST), None, OVER, VERDICT)
    account = game_account(record, 0, 0)
    assert account["why"] == why_ended(record)
    monkeypatch.delattr("ugs.why.answer.timing_of_last_move")
    monkeypatch.delattr("ugs.why.answer.exchanges")
    page = games.ended_game(Server("", running=False, keeps=True), replay_of(record), {})
    assert page.why == games._why(record, account["why"])
