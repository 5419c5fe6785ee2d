"""A journal as a killed server leaves it, ways to damage it, and what a start makes of it."""

import random
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from unittest.mock import patch

from tests.journal.servers import BOUND_S, TYPE, JournalServer, begun
from ugs.broker.effects import RecordAct
from ugs.broker.past import Past
from ugs.broker.values.questions import ActKind
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import GameResult
from ugs.championship.ledger import LedgerEntry, What
from ugs.journal import batch_taker
from ugs.journal.committed import COMMITTED
from ugs.journal.database import DATABASE, connect
from ugs.journal.journal_error import JournalError
from ugs.journal.reader import Login, Reader
from ugs.journal.write_ahead import NAMES
from ugs.record.game import GameRecord

WAL: Final = f"{DATABASE}-wal"
NICKS: Final = ("ann", "ben", "cat", "dan")


def leaves(directory: Path, games: int, *, in_wal: int = 0) -> None:
    """A server ends as if killed: with ``games`` in the database, ``in_wal`` more in the write-ahead log only, one game
    that can go on, some of whose moves are in the write-ahead files only."""
    alive = directory.parent / f"{directory.name}-alive"
    with JournalServer(alive) as server:
        for entry in begun(*NICKS):
            server.ledger("cup", entry)
        for number, nick in enumerate(NICKS):
            server.logs_in(number, nick)
            server.session(nick)
        plays(server, range(games))
        server.journal.record(RecordAct(ActKind.FORGET, "eve", TYPE, "root", "wrong nick"), server.now_us, 1)
        server.journal.flush()
        server.settles()
        connect(alive).execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        plays(server, range(games, games + in_wal))
        server.begins("goes on", "ann", "ben", seed="secret")
        server.moves("goes on", 2)
        server.plays("last", "cat", "dan", moves=1)
        server.settles()
        with patch.multiple(batch_taker, LINGER_S=BOUND_S, QUIET_LINGER_S=BOUND_S):  # the files stay as they are
            server.moves("goes on", 3)
            server.journal.flush()
            server.happens("goes on", EntryKind.CUT, 0)
            directory.mkdir()
            for name in (DATABASE, WAL, COMMITTED, *NAMES):
                shutil.copy(alive / name, directory / name)
    shutil.rmtree(alive)


def plays(server: JournalServer, numbers: range) -> None:
    """Games of open play, and of a championship."""
    for number in numbers:
        nicks = random.Random(number).sample(NICKS, 2)
        if number % 3:
            server.plays(f"g{number}", *nicks, moves=number % 5)
            continue
        result = server.plays(f"g{number}", *nicks, championship="cup", fixture=number)
        outcomes = {seat.nick: str(seat.outcome) for seat in result.seats}
        server.ledger("cup", LedgerEntry(What.RESULT, {"game": f"g{number}", "fixture": number, "outcomes": outcomes}))


@dataclass(frozen=True, repr=False)
class Content:
    """Everything that must be the same again."""

    past: Past
    records: dict[str, GameRecord]
    results: list[GameResult]
    logins: list[Login]

    def __repr__(self) -> str:
        return f"Content of {len(self.records)} games"


def starts(directory: Path) -> Content:
    """What the next server, and readers, find. Raises JournalError."""
    with JournalServer(directory) as server:
        past = server.journal.past
    try:
        return found(directory, past)
    except JournalError as error:
        raise AssertionError("the server has started") from error


def found(directory: Path, past: Past) -> Content:
    """What readers find, beside the ``past`` that a server has found."""
    with Reader(directory) as reader:
        games = [game.game_id for game in reader.games()]
        return Content(
            Past(
                past.standings,
                past.seats,
                past.championships,
                past.sessions,
                tuple(type(game)(game.begin, 0, game.entries) for game in past.games),
            ),
            {game_id: reader.record(game_id) for game_id in games},
            list(reader.results()) + list(reader.results(championship="cup")),
            [login for nick in NICKS for login in reader.logins(nick)],
        )


def flipped(path: Path, chance: random.Random) -> str:
    """Change one byte of a file; returns what was done."""
    data = bytearray(path.read_bytes())
    place, change = (
        chance.randrange(len(data)),
        chance.choice((1, 2, 4, 8, 16, 32, 64, 128, 255, chance.randrange(1, 256))),
    )
    data[place] ^= change
    path.write_bytes(data)
    return f"{path.name}: byte {place} ^ {change:#x}"


def cut(path: Path, chance: random.Random) -> str:
    """Cut a file off; returns what was done."""
    data = path.read_bytes()
    length = chance.randrange(len(data))
    path.write_bytes(data[:length])
    return f"{path.name}: {length} of {len(data)} bytes"
