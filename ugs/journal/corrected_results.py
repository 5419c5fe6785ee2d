"""Results of games that an organiser of a championship has corrected in its ledger."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ugs.broker.verdict import Outcome
from ugs.championship.ledger import LedgerEntry, What
from ugs.journal.database_contract import Database
from ugs.journal.row_reader import GameSummary
from ugs.record.game import Correction, GameRecord

CORRECTIONS: Final = """
    SELECT l.what, l.data, l.who, l.why
    FROM championship_log AS l CROSS JOIN championship AS c ON c.id = l.championship
    WHERE c.name = ? AND l.what IN (?, ?) ORDER BY l.id
"""


class CorrectedResults:
    """The corrections of one journal. The corrections of a championship are read when its first game is needed."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._read: dict[str, dict[str, LedgerEntry]] = {}

    def of(self, record: GameRecord) -> GameRecord:
        """Return a game with the correction of its result, if there is one."""
        entry = self._in(record.championship).get(record.game_id)
        if entry is None or record.result is None:
            return record
        return replace(record, correction=_correction(entry, record.seats, record.outcomes))

    def in_short(self, game: GameSummary) -> GameSummary:
        """Return a summary with the correction; its seats get the outcomes that count."""
        entry = self._in(game.championship).get(game.game_id)
        if entry is None:
            return game
        before = tuple([seat.outcome for seat in game.seats if seat.outcome is not None])
        correction = _correction(entry, [seat.nick for seat in game.seats], before)
        pairs = zip(game.seats, correction.outcomes, strict=True)
        seats = tuple([replace(seat, outcome=outcome) for seat, outcome in pairs])
        return replace(game, seats=seats, correction=correction)

    def _in(self, championship: str) -> dict[str, LedgerEntry]:
        """Return the last correction of each game that still counts, by game id."""
        if not championship:
            return {}
        if championship not in self._read:
            found: dict[str, LedgerEntry] = {}
            values = (championship, str(What.CORRECTED), str(What.REPLAYED))
            for what, data, who, why in self._db.execute(CORRECTIONS, values):
                entry = LedgerEntry(What(what), json.loads(data), who, why)
                if entry.what is What.CORRECTED:
                    found[entry.data["game"]] = entry
                else:
                    # It is played again, and the new game has a result of its own.
                    found.pop(entry.data["game"], None)
            self._read[championship] = found
        return self._read[championship]


def _correction(entry: LedgerEntry, seats: Sequence[str], before: tuple[Outcome, ...]) -> Correction:
    outcomes = entry.data["outcomes"]
    return Correction(entry.who, entry.why, tuple([Outcome(outcomes[nick]) for nick in seats]), before)
