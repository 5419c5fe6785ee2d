"""Games that an organiser has put right: results corrected or taken out in the ledger of a championship, and games that
were voided."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ugs.broker.values.questions import ActKind
from ugs.broker.verdict import Cause, Outcome, Verdict
from ugs.championship.ledger import LedgerEntry, What
from ugs.journal.database_contract import Database
from ugs.journal.row_reader import GameSummary
from ugs.record.game import Correction, GameRecord, TakenOut

CORRECTIONS: Final = """
    SELECT l.what, l.data, l.who, l.why
    FROM championship_log AS l CROSS JOIN championship AS c ON c.id = l.championship
    WHERE c.name = ? AND l.what IN (?, ?) ORDER BY l.id
"""
VOIDED: Final = "SELECT subject, who, why FROM act WHERE kind = ? ORDER BY id"


class CorrectedResults:
    """The corrections of one journal. Those of a championship are read when its first game is needed, orders to void a
    game when the first voided one is."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._read: dict[str, dict[str, LedgerEntry]] = {}
        self._voided: dict[str, TakenOut] | None = None

    def of(self, record: GameRecord) -> GameRecord:
        """Return a game with the correction of its result, or with why it was taken out."""
        if record.result is None:
            return record
        entry = self._in(record.championship).get(record.game_id)
        if entry is None or entry.what is What.REPLAYED:
            return replace(record, taken_out=self._taken_out(record.game_id, record.result.verdict, entry))
        return replace(record, correction=_correction(entry, record.seats, record.outcomes))

    def in_short(self, game: GameSummary) -> GameSummary:
        """Return a summary with the correction, whose seats get the outcomes that count; or with why it was taken
        out."""
        entry = self._in(game.championship).get(game.game_id)
        if entry is None or entry.what is What.REPLAYED:
            taken_out = self._taken_out(game.game_id, game.verdict, entry)
            return game if taken_out is None else replace(game, counts=False, taken_out=taken_out)
        before = tuple([seat.outcome for seat in game.seats if seat.outcome is not None])
        correction = _correction(entry, [seat.nick for seat in game.seats], before)
        pairs = zip(game.seats, correction.outcomes, strict=True)
        seats = tuple([replace(seat, outcome=outcome) for seat, outcome in pairs])
        return replace(game, seats=seats, correction=correction)

    def _taken_out(self, game_id: str, verdict: Verdict | None, entry: LedgerEntry | None) -> TakenOut | None:
        """Return who has taken a game out; ``entry`` is the one that has it played again."""
        if entry is not None:
            return TakenOut(entry.who, entry.why, voided=False)
        if verdict is None or verdict.cause is not Cause.VOIDED:
            return None
        if self._voided is None:
            orders = self._db.execute(VOIDED, (str(ActKind.VOID),))
            self._voided = {subject: TakenOut(who, why, voided=True) for subject, who, why in orders}
        return self._voided.get(game_id)

    def _in(self, championship: str) -> dict[str, LedgerEntry]:
        """Return the last correction of each game, or the entry that has it played again, by game id."""
        if not championship:
            return {}
        if championship not in self._read:
            values = (championship, str(What.CORRECTED), str(What.REPLAYED))
            entries = [
                LedgerEntry(What(what), json.loads(data), who, why)
                for what, data, who, why in self._db.execute(CORRECTIONS, values)
            ]
            # A game that is played again stays taken out: the new one has a result of its own.
            self._read[championship] = {entry.data["game"]: entry for entry in entries}
        return self._read[championship]


def _correction(entry: LedgerEntry, seats: Sequence[str], before: tuple[Outcome, ...]) -> Correction:
    outcomes = entry.data["outcomes"]
    return Correction(entry.who, entry.why, tuple([Outcome(outcomes[nick]) for nick in seats]), before)
