"""Packs the entries of finished games, slice by slice, so that no other thread waits for it.

A running game has a row for each transaction that wrote entries of it. When it is over, these parts are read, packed
(:mod:`ugs.journal.packing`) and replaced, a large game bit by bit, each time in one transaction. However the server
ends, a game has either its old parts or the packed ones. ``result.entries`` marks the games that are not packed yet, so
a later life goes on where this one stopped, and also packs the games of journals from before there was packing.

Python holds the interpreter's lock while it reads entries, so a slice takes a fraction of a millisecond. zlib and
SQLite take longer, but release the lock.
"""

import json
from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice

from ugs.journal.checksums import part_checksum
from ugs.journal.database_contract import Database, Transactions
from ugs.journal.entries import each_entry
from ugs.journal.packing import Packer, pieces
from ugs.journal.row_writer import next_id, write_bodies

BYTES_AT_ONCE = 256 * 1024
"""Parts with about this many bytes are replaced in one transaction (or one part, if that is larger)."""
GAMES_AT_ONCE = 64
"""At most this many games are replaced in one transaction."""
ENTRIES_PER_SLICE = 50
"""Entries of one slice: reading them takes about a quarter of a millisecond."""
PAGES_PER_SLICE = 256
"""Free pages returned to the file system in one slice: 1 MiB."""

TO_PACK = "SELECT id, game FROM result WHERE entries = 1 AND id >= ? ORDER BY id LIMIT 1"
PART = "SELECT id, body, crc FROM part WHERE game = ? AND id > ? ORDER BY id LIMIT 1"
# A game may be pruned while it is packed, and the ids of its parts may go to other games: so check before replacing.
STILL_THERE = "SELECT game FROM result WHERE entries = 1 AND game IN (SELECT value FROM json_each(?))"
PACKED = "UPDATE result SET entries = 2 WHERE entries = 1 AND id IN (SELECT value FROM json_each(?))"


@dataclass(slots=True)
class Replacement:
    """What one transaction replaces."""

    bytes_read: int = 0
    packed: list[tuple[int, bytes]] = field(default_factory=list)
    """A game, and a piece of it."""
    gone: list[tuple[int, int]] = field(default_factory=list)
    """A part whose entries are packed, and its game."""
    whole: list[int] = field(default_factory=list)
    """Results of games that need no more packing."""

    @property
    def full(self) -> bool:
        """Whether it is large enough for a transaction."""
        return self.bytes_read >= BYTES_AT_ONCE or len(self.whole) >= GAMES_AT_ONCE

    def add(self, game: int, parts: list[int], packer: Packer) -> None:
        """Replace these parts of a game. Parts with numbers that cannot be packed stay as they are."""
        with suppress(OverflowError):
            self.packed.extend((game, piece) for piece in pieces(packer.packed(parts[-1])))
            self.gone.extend((part, game) for part in parts)

    def write(self, db: Database) -> None:
        """Replace the parts. The caller begins and ends the transaction."""
        games = json.dumps([game for game, _ in self.packed])
        there = {game for (game,) in db.execute(STILL_THERE, (games,))}
        bodies = ((game, piece) for game, piece in self.packed if game in there)
        write_bodies(db, "packed", bodies, next_id(db, "packed"))
        db.delete_parts(self.gone)
        db.execute(PACKED, (json.dumps(self.whole),))


class Compactor:
    """Packs the games of one database through one connection, which must be in no transaction."""

    def __init__(self, db: Database, committed: Transactions) -> None:
        self._db = db
        self._committed = committed
        self._following = 0
        """The next result to look at. Unpacked games before it are damaged; the check at the next start reports
        them."""
        self._slices: Iterator[None] | None = self._work()

    @property
    def busy(self) -> bool:
        """Whether there may be work to do."""
        return self._slices is not None

    def game_over(self) -> None:
        """A game has ended: there is work to do."""
        if self._slices is None:
            self._slices = self._work()

    def step(self) -> None:
        """Do a slice of the work. Raises an error of the database; then nothing is half done, and a later step tries
        again."""
        if self._slices is None:
            return
        try:
            next(self._slices)
        except StopIteration:
            self._slices = None
        # The generator is spent by the error: a new one begins where the last transaction ended.
        except BaseException:
            self._slices = self._work()
            raise

    def _work(self) -> Iterator[None]:
        """Pack all games that need it, then return the free space to the file system."""
        following, large, after = self._following, 0, 0
        while True:
            replacement = Replacement()
            while not replacement.full:
                found = self._db.execute(TO_PACK, (following,)).fetchone()
                if found is None:
                    break
                result, game = found
                try:
                    after = yield from self._pack(game, after if result == large else 0, replacement)
                except ValueError:
                    # Damaged: it stays as it is, and the check at the next start names it.
                    after, following = 0, result + 1
                    continue
                if after:
                    large = result
                else:
                    replacement.whole.append(result)
                    following = result + 1
            if not replacement.whole and not replacement.packed:
                break
            with self._committed.transaction(self._db):
                replacement.write(self._db)
            self._following = following
            yield
        # Last, since packing itself frees the space.
        while self._db.much_is_free() and self._db.give_back(PAGES_PER_SLICE):
            yield

    def _pack(self, game: int, after: int, replacement: Replacement) -> Generator[None, None, int]:
        """Pack the parts of a game after the part ``after``, or as many as fit. Returns the last packed part, or 0 when
        none is left. Raises ValueError when one is damaged."""
        packer = Packer()
        parts: list[int] = []
        done = 0
        while (row := self._db.execute(PART, (game, after)).fetchone()) is not None:
            part, body, crc = row
            # Packed, damage would get a checksum of its own and never be found.
            if part_checksum(part, game, body) != crc:
                raise ValueError(f"table part, row {part}: its content fails its checksum")
            entries = each_entry(body)
            while some := list(islice(entries, ENTRIES_PER_SLICE - done)):
                packer.add(some)
                done += len(some)
                if done == ENTRIES_PER_SLICE:
                    done = 0
                    yield
            parts.append(part)
            after = part
            replacement.bytes_read += len(body)
            if replacement.full:
                break
        if parts:
            replacement.add(game, parts, packer)
        return 0 if row is None else after
