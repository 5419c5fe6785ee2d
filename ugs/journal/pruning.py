"""Keeps a journal within its limits: entries of games that ended long ago are deleted, their results never.

Rows are deleted in small transactions between those of the writer, oldest games first, and the free pages are returned
to the file system.
"""

from ugs.journal.database_contract import Database, Transactions
from ugs.value import value

DAY_US = 86_400 * 1_000_000
GAMES_AT_ONCE = 50
LOGINS_AT_ONCE = 500
PAGES_AT_ONCE = 2000
"""Free pages returned in one step: 8 MB."""

OLDEST = "SELECT id, game, ended_us FROM result WHERE entries ORDER BY ended_us, id LIMIT ?"
OLD_LOGINS = """
    DELETE FROM login WHERE id IN (
        SELECT id FROM login WHERE ended_us IS NOT NULL AND ended_us < ? ORDER BY ended_us LIMIT ?
    )
"""
FOR_EVER_US = 1 << 62


@value
class Pruner:
    """The limits; 0 means no limit. Logins are kept as long as entries; to save space they are deleted last."""

    keep_days: float = 0
    max_bytes: int = 0
    """Maximum size of the database without its free pages."""

    @property
    def bounded(self) -> bool:
        """Whether there is any limit."""
        return bool(self.keep_days or self.max_bytes)

    def step(self, db: Database, committed: Transactions, now_us: int) -> bool:
        """Delete some rows beyond the limits, in one transaction.

        ``now_us`` is the time in microseconds since 1970. Returns whether it deleted or freed anything; then there may
        be more to do. Raises an error of the database.
        """
        before_us = now_us - round(self.keep_days * DAY_US) if self.keep_days else 0
        with committed.transaction(db):
            deleted = self._delete(db, before_us)
        return deleted or db.give_back(PAGES_AT_ONCE)

    def _delete(self, db: Database, before_us: int) -> bool:
        games = 0
        for result, game, ended_us in db.execute(OLDEST, (GAMES_AT_ONCE,)).fetchall():
            # Oldest first, so the first one within the limits ends the search.
            if ended_us >= before_us and not self._too_much(db):
                break
            for table in ("part", "packed"):
                db.execute(f"DELETE FROM {table} WHERE game = ?", (game,))
            db.execute("UPDATE result SET entries = 0 WHERE id = ?", (result,))
            games += 1
        # No entries are left to delete: only then logins go for space.
        logins_before_us = FOR_EVER_US if not games and self._too_much(db) else before_us
        logins = db.execute(OLD_LOGINS, (logins_before_us, LOGINS_AT_ONCE)).rowcount if logins_before_us else 0
        return bool(games or logins)

    def _too_much(self, db: Database) -> bool:
        return bool(self.max_bytes) and db.used_bytes() > self.max_bytes
