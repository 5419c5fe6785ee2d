"""What the worker knows: the public part of the journal, and the standings it has computed."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from ugs.broker.verdict import CAUSES
from ugs.journal.journal_error import JournalError
from ugs.journal.reader import Reader, RecordedChampionship
from ugs.journal.row_reader import GameSummary
from ugs.page.contract import SiteSettings
from ugs.page.drawing import DrawnGames
from ugs.page.played import Ended, SeatOutcome
from ugs.page.results import ChampionshipLine, Top
from ugs.page.seen_positions import Hands
from ugs.page.worker.move_times import MoveTimes
from ugs.page.worker.replays import Replays
from ugs.page.worker.standings_cache import StandingsCache
from ugs.places import place_of
from ugs.record.game import GameRecord
from ugs.record.times import MICRO
from ugs.wire.extensions import Visibility

SET_BACK_S: Final = 60.0
"""A clock that was set back by less may only have been put right."""

SLOW_S: Final = 0.5
"""A journal that could not be read after longer than this is not tried again at once ..."""
AGAIN_S: Final = 3.0
"""... but after this: visitors do not wait one after the other for a database that hangs."""


class FirstPage(NamedTuple):
    """What the first page shows of the journal."""

    contest: ChampionshipLine | None = None
    others: Sequence[ChampionshipLine] = ()
    """Championships besides."""
    latest: Sequence[Ended] = ()
    tops: Sequence[Top] = ()
    pending: bool = False
    """Whether standings are still being computed."""


class NotKept(Exception):
    """The server keeps no journal, so there is nothing to read."""

    def __init__(self) -> None:
        super().__init__("nothing is kept: the server has no data directory, and shows what happens now")


class NotThere(Exception):
    """What was asked for does not exist; the text lists what does."""


class PublicJournal:
    """Everything that pages are made from. Reading may raise :class:`ugs.journal.database.JournalError`."""

    def __init__(self, settings: SiteSettings, *, patient: bool = False) -> None:
        """``patient``: answers wait for standings, however long they take."""
        self.settings = settings
        self.place = place_of(settings.data_dir) if settings.data_dir else None
        self.scores = StandingsCache(self.place, patient=patient)
        self.drawing = DrawnGames()
        self.hands = Hands()
        self.replays = Replays()
        self.move_times = MoveTimes()
        self.own_replays = Replays()
        """As players saw their own games: what is in there is shown only to them."""
        self._championships: tuple[tuple[int, ...], list[RecordedChampionship]] = ((), [])
        """The version of the ledgers, and what was read then."""
        self.first_page = FirstPage()
        """As it was read last."""
        self.trouble = ""
        """Why the journal could not be read when that was tried last."""
        self._not_before = 0.0
        """When it is tried again."""

    @property
    def keeps(self) -> bool:
        """Whether there is a journal."""
        return self.place is not None

    @contextmanager
    def reading(self) -> Iterator[Reader]:
        """The journal. Raises NotKept; and JournalError within about two seconds where its database does not answer,
        then at once for a while."""
        if self.place is None:
            raise NotKept
        began = time.monotonic()
        if began < self._not_before:
            raise JournalError(self.trouble)
        try:
            with Reader(self.place, soon=True) as reader:
                yield reader
        except JournalError as error:
            if time.monotonic() - began > SLOW_S:
                self.trouble, self._not_before = str(error), time.monotonic() + AGAIN_S
            raise

    def end_may_be_known(self, record: GameRecord) -> bool:
        """Whether spectators may know by now how a game has ended; then its whole record may be shown."""
        if record.result is None:
            return False
        ended_us = record.entries[-1].wall_us if record.entries else record.began_us
        return self._is_past(ended_us, record.game_type)

    def may_be_seen(self, game: GameSummary) -> bool:
        """Whether spectators may know by now that and how a game has ended."""
        if game.ended_us is None:
            return False
        return self._is_past(game.ended_us, game.game_type)

    def _is_past(self, ended_us: int, game_type: str) -> bool:
        """Whether what spectators learn late is no secret any more. What is still to come by the clock on the wall has
        happened before that was set back: it counts as past unless it may have been just now."""
        delay_s = self.settings.delay_of(game_type)
        ago_s = time.time() - ended_us / MICRO
        return not delay_s or ago_s >= delay_s or ago_s < -max(delay_s, SET_BACK_S)

    def ended(self, reader: Reader, most: int, **chosen: str | int | None) -> tuple[list[Ended], int | None]:
        """The last games that have ended, the last one first, and where to go on ``before`` if there may be more;
        ``chosen`` as in :meth:`Reader.ended`. Games at private tables, and those whose end spectators may not know yet,
        are left out."""
        found: list[Ended] = []
        number = None
        for number, game in reader.ended(limit=most, **chosen):  # type: ignore[arg-type]  # noqa: B007
            if self.may_be_seen(game):
                found.append(ended(game))
        return found, number

    def championships(self, reader: Reader) -> list[RecordedChampionship]:
        """All championships, ordered by when they were announced. Their ledgers are read again only when an entry or an
        act has come, since the first page wants them at each request."""
        _, *version = reader.version()
        if self._championships[0] != tuple(version):
            self._championships = tuple(version), reader.championships()
        return self._championships[1]

    def names(self, reader: Reader) -> tuple[list[str], list[RecordedChampionship]]:
        """The game types that have been played, sorted, and all championships."""
        championships = self.championships(reader)
        return sorted({*reader.game_types(), *(one.game_type for one in championships)}), championships


def is_open(table: Mapping[str, str]) -> bool:
    """Whether a game at this table (empty: none) may be found by strangers."""
    return table.get("visibility") != Visibility.PRIVATE


def ended(game: GameSummary) -> Ended:
    """A game that has ended, as it is listed."""
    assert game.verdict is not None
    return Ended(
        game.game_id,
        game.game_type,
        game.championship,
        [
            SeatOutcome(seat.nick, str(seat.outcome or ""), str(seat.departure) if seat.departure else "")
            for seat in game.seats
        ],
        str(game.verdict.cause),
        game.moves,
        game.began_us / MICRO,
        (game.ended_us or game.began_us) / MICRO,
        game.counts and CAUSES[game.verdict.cause].counts,
        "" if game.correction is None else f"{game.correction.who}: {game.correction.why}",
        "" if game.taken_out is None else game.taken_out.sentence,
    )
