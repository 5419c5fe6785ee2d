"""Writes the rows that the server of a damaged journal owed (:mod:`ugs.journal.redo`), as far as that is possible."""

from typing import Final, Protocol

from ugs.journal.door import Database
from ugs.journal.redo import EMPTY, ROWS, Whole, read_whole
from ugs.journal.row_writer import RowWriter

GAME: Final = "SELECT 1 FROM game WHERE game_id = ?"
RESULT: Final = "SELECT 1 FROM result AS r CROSS JOIN game AS g ON g.id = r.game WHERE g.game_id = ?"
LOGIN: Final = "SELECT 1 FROM login WHERE id = ?"
LOGGED: Final = "SELECT 1 FROM championship_log WHERE id = ?"


class LossAccount(Protocol):
    """The account of a rescue."""

    damage: list[str]
    lost: int


def take_owed_rows(db: Database, account: LossAccount) -> None:
    """Write the rows of all batches found, within the caller's transaction, and empty the table. A batch whose rows
    cannot be written is lost."""
    for number, body in db.execute(ROWS).fetchall():
        db.execute("SAVEPOINT batch")
        try:
            whole = read_whole(body)
            # Found again on a page that is free by now: its rows were written long ago.
            if not _is_written(db, whole):
                RowWriter(db, whole.run, whole.server).write(whole.batch())
                db.execute(GAME, ("",))  # inserts that wait are executed before this
        except (ValueError, db.Error) as error:
            db.execute("ROLLBACK TO batch")
            account.lost += 1
            account.damage.append(f"table redo, row {number}: its rows cannot be written: {error}")
        db.execute("RELEASE batch")
    db.execute(EMPTY)


def _is_written(db: Database, whole: Whole) -> bool:
    """Return whether any row of a batch is there: all of them are written in one transaction."""
    keys: list[tuple[str, object]] = [(GAME, game.effect.game_id) for game in whole.begun]
    keys += [(RESULT, ended.result.game_id) for ended in whole.ended]
    keys += [(LOGIN, login.row) for login in whole.logged_in]
    keys += [(LOGGED, logged.row) for logged in whole.ledger]
    return any(db.execute(query, (key,)).fetchone() is not None for query, key in keys)
