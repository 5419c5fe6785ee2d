"""Reading a journal, whether or not a server is writing it."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

from ugs.broker.verdict import Cause, GameResult, Outcome, SeatResult, Verdict
from ugs.championship.ledger import Counted, Ledger, LedgerEntry, What
from ugs.championship.ledger_text import order_text
from ugs.game_ids import not_one
from ugs.journal.acts import BannedName, ban_of, holding
from ugs.journal.corrected_results import CorrectedResults
from ugs.journal.forgotten import forgotten, games_of
from ugs.journal.journal_error import JournalError
from ugs.journal.open_journal import open_to_read
from ugs.journal.row_reader import (
    GAMES,
    NUMBERED,
    RESULTS,
    GameSummary,
    find_games,
    game_record,
    game_summary,
    latest_record,
    read_game,
)
from ugs.places import Place
from ugs.record.game import GameRecord
from ugs.record.times import wall_us
from ugs.value import value

MAX_CANDIDATES = 10
SHORTEST_BEGINNING = 6
"""Characters of an id that stand for the whole of it where the answer names no others."""
"""At most this many ids are listed when the beginning of an id fits several games."""

LEDGERS = """
    SELECT c.name, t.name, l.wall_us, l.what, l.data, l.who, l.why
    FROM championship_log AS l
    CROSS JOIN championship AS c ON c.id = l.championship
    CROSS JOIN game_type AS t ON t.id = c.game_type
    ORDER BY l.id
"""
GONE = LEDGERS.replace("ORDER BY", "WHERE l.what IN (?, ?, ?) ORDER BY")
ACTS = """
    SELECT a.wall_us, a.kind, a.subject, t.name, a.who, a.why
    FROM act AS a CROSS JOIN game_type AS t ON t.id = a.game_type
    ORDER BY a.id DESC LIMIT ?
"""
ORDERS = f"""
    SELECT wall_us, championship, what, data, who, why FROM (
        SELECT l.id, l.wall_us, c.name AS championship, l.what, l.data, l.who, l.why
        FROM championship_log AS l CROSS JOIN championship AS c ON c.id = l.championship
        WHERE l.who <> '' AND l.what NOT IN ('{What.OVER}', '{What.VOID}')
        ORDER BY l.id DESC LIMIT ?
    ) AS latest ORDER BY id
"""
"""What follows from an order to a championship, and from an act that is kept itself, is left out."""
OF_TYPE = "g.game_type IN (SELECT id FROM game_type WHERE name = ?)"
WITH_NICK = "g.id IN (SELECT game FROM seat WHERE player IN (SELECT id FROM player WHERE name = ?))"
OF_CHAMPIONSHIP = "g.championship = ?"
PUBLIC = "ifnull(g.table_facts ->> 'visibility', '') <> 'PRIVATE'"
BEGAN_BETWEEN = "g.began_us BETWEEN ? AND ?"
VERSIONED = ("result", "championship_log", "act")
PACKED = 16
"""Estimated bytes of entries per byte of a packed game: more than our games have."""
ENTRIES_BYTES = f"""
    SELECT (SELECT coalesce(sum(length(body)), 0) FROM part WHERE game = ?1)
        + {PACKED} * (SELECT coalesce(sum(length(body)), 0) FROM packed WHERE game = ?1)
"""
LOGINS = """
    SELECT l.who, l.role, t.name, l.address, l.version, l.players, l.began_us, l.ended_us, l.reason
    FROM login AS l CROSS JOIN game_type AS t ON t.id = l.game_type
    WHERE l.who = ? ORDER BY l.id
"""
HERE = """
    SELECT l.who FROM login AS l CROSS JOIN game_type AS t ON t.id = l.game_type
    WHERE l.role = ? AND l.ended_us IS NULL AND t.name = ?
        AND l.run IN (SELECT id FROM run WHERE ended_us IS NULL)
"""


@value
class LoggedEntry:
    """An entry in the ledger of a championship and its time, in microseconds since 1970 (UTC)."""

    wall_us: int
    entry: LedgerEntry


@value
class RecordedChampionship:
    """A championship and its ledger."""

    name: str
    game_type: str
    state: str
    """``announced``, ``running``, ``paused``, ``over`` or ``cancelled``."""
    ledger: tuple[LoggedEntry, ...]

    def sum(self) -> Ledger:
        """Return the state after the whole ledger: what counts now."""
        return Ledger(logged.entry for logged in self.ledger)

    @property
    def began_us(self) -> int | None:
        """Return when its field was fixed, in microseconds since 1970 (UTC); None before."""
        return self._first(What.BEGUN)

    @property
    def ended_us(self) -> int | None:
        """Return when it was over, in microseconds since 1970 (UTC); None before."""
        return self._first(What.OVER) or self._first(What.CANCELLED)

    def _first(self, what: What) -> int | None:
        return next((logged.wall_us for logged in self.ledger if logged.entry.what is what), None)


@value
class LoggedAct:
    """What an organiser did, or by a plan the server (no name), and when, in microseconds since 1970 (UTC)."""

    wall_us: int
    kind: str
    subject: str
    game_type: str
    who: str
    why: str

    @property
    def line(self) -> str:
        """Return the act as a line for people."""
        what = " ".join(filter(None, (self.kind, self.subject, self.game_type)))
        why = f" ({self.why})" if self.why else ""
        return f"{_moment(self.wall_us)}  {self.who or 'the server'}: {what}{why}"


@value
class LoggedOrder:
    """What an organiser ordered for a championship, and when, in microseconds since 1970 (UTC)."""

    wall_us: int
    championship: str
    entry: LedgerEntry

    @property
    def line(self) -> str:
        """Return the order as a line for people."""
        what = f"championship {self.championship}: {order_text(self.entry)}"
        return f"{_moment(self.wall_us)}  {self.entry.who}: {what}"


def _moment(us: int) -> str:
    return datetime.fromtimestamp(us / 1_000_000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


@value
class Login:
    """A login of a player or a master. Times in microseconds since 1970 (UTC)."""

    name: str
    role: str
    """``player`` or ``master``."""
    game_type: str
    address: str
    version: str
    players: str
    began_us: int
    ended_us: int | None
    """None while the login lasts."""
    reason: str | None
    """Why it ended, for people to read."""


@value
class Run:
    """One life of the server. Times in microseconds since 1970 (UTC)."""

    version: str
    pid: int
    began_us: int
    ended_us: int | None
    """None while it runs (or when it was lost and has not been started again)."""
    in_order: bool
    """Whether it ended in order."""
    losses: int
    """How many times writing failed."""


class Reader:
    """A read-only journal; a context manager. Every method raises :class:`JournalError` when the journal is damaged."""

    def __init__(self, place: Place, *, soon: bool = False) -> None:
        """Open the journal at this place; ``soon`` as for :func:`~ugs.journal.open_journal.open_to_read`. Raises
        :class:`JournalError` when there is no readable one."""
        self._db = open_to_read(place, soon=soon)
        self._corrected = CorrectedResults(self._db)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the files."""
        self._db.close()

    def games(
        self,
        *,
        game_type: str | None = None,
        nick: str | None = None,
        championship: str | None = None,
        limit: int | None = None,
        newest_first: bool = True,
    ) -> Iterator[GameSummary]:
        """Return at most ``limit`` games, ordered by when they began; ``newest_first`` reverses the order.

        Only those of ``game_type``, with the player ``nick``, and of ``championship`` (empty: open play), where given.
        """
        conditions = {OF_TYPE: game_type, WITH_NICK: nick, OF_CHAMPIONSHIP: championship}
        given = {condition: value for condition, value in conditions.items() if value is not None}
        where = f"WHERE {' AND '.join(given)}" if given else ""
        query = f"{GAMES} {where} ORDER BY g.id {'DESC' if newest_first else 'ASC'} LIMIT ?"
        with self._reading():
            for fields in self._db.execute(query, [*given.values(), -1 if limit is None else limit]):
                yield self._corrected.in_short(game_summary(self._db, read_game(fields)))

    def ended(
        self,
        *,
        game_type: str | None = None,
        nick: str | None = None,
        championship: str | None = None,
        before: int | None = None,
        began_us: tuple[int, int] | None = None,
        limit: int = 100,
    ) -> Iterator[tuple[int, GameSummary]]:
        """Return at most ``limit`` ended games that strangers may find, latest first, each with the number of its
        result (pass it as ``before`` to go on). With ``began_us``: those that began between these two times, also games
        that strangers may not find. The other conditions are as in :meth:`games`."""
        found = PUBLIC if began_us is None else BEGAN_BETWEEN
        conditions = {"t.name = ?": game_type, WITH_NICK: nick, OF_CHAMPIONSHIP: championship, "r.id < ?": before}
        given = {condition: value for condition, value in conditions.items() if value is not None}
        query = f"{NUMBERED} WHERE {' AND '.join([found, *given])} ORDER BY r.id DESC LIMIT ?"
        with self._reading():
            for number, *fields in self._db.execute(query, [*(began_us or ()), *given.values(), limit]):
                yield number, self._corrected.in_short(game_summary(self._db, read_game(tuple(fields))))

    def record(self, game_id: str, *, payloads: bool = True) -> GameRecord:
        """Return a game with its entries; a running game as far as it is written. ``game_id`` may be a unique beginning
        of an id. Without ``payloads`` they may be empty: who needs kinds, seats and times alone waits less. Raises
        :class:`JournalError` when no game or more than one fits."""
        with self._reading():
            self._db.execute("BEGIN")  # a consistent view of all SQL tables, despite writes meanwhile
            try:
                found = find_games(self._db, game_id, MAX_CANDIDATES + 1)
                if len(found) == 1:
                    return self._corrected.of(game_record(self._db, found[0], payloads=payloads))
            finally:
                self._db.execute("ROLLBACK")
        names = [game.game_id for game in found[:MAX_CANDIDATES]]
        raise JournalError(not_one(game_id, names, where=" in the journal", more=len(found) > MAX_CANDIDATES))

    def latest(self, game_id: str, most_entries: int, most_bytes: int) -> tuple[GameRecord, bool] | None:
        """Return the game with this id, or the only one that begins with it, and its last entries, at most
        ``most_entries`` with about ``most_bytes``, and whether these are all; None if there is no such game. These
        limits bound the cost, not the size of the game. A beginning has at least SHORTEST_BEGINNING characters."""
        with self._reading():
            self._db.execute("BEGIN")
            try:
                found = find_games(self._db, game_id, 2)
                if len(found) != 1 or (found[0].game_id != game_id and len(game_id) < SHORTEST_BEGINNING):
                    return None
                record, whole = latest_record(self._db, found[0], most_entries, most_bytes)
                return self._corrected.of(record), whole
            finally:
                self._db.execute("ROLLBACK")

    def head(self, game_id: str) -> tuple[GameSummary, int] | None:
        """Return the summary of the game with exactly this id, and roughly the bytes of its entries; None if there is
        no such game. The cost does not depend on the size of the game."""
        with self._reading():
            found = self._db.execute(f"{GAMES} WHERE g.game_id = ?", (game_id,)).fetchone()
            if found is None:
                return None
            game = read_game(found)
            (size,) = self._db.execute(ENTRIES_BYTES, (game.row,)).fetchone()
            return game_summary(self._db, game), size

    def results(self, *, game_type: str | None = None, championship: str | None = None) -> Iterator[GameResult]:
        """Yield results in the order of recording, including void ones.

        Games of open play that do not count for standings are left out; for a championship, only results that count in
        it are included (a forfeited game has no id). Raises :class:`JournalError` for an unknown championship.
        """
        if championship is None:
            return self._open_play(game_type)
        known = self.championships()
        found = next((entry for entry in known if entry.name == championship), None)
        if found is None:
            names = ", ".join(entry.name for entry in known) or "none"
            raise JournalError(f"championship {championship!r}: unknown; the journal knows {names}")
        if game_type not in (None, found.game_type):
            return iter(())
        return self._counted(found)

    def championships(self) -> list[RecordedChampionship]:
        """Return all championships, ordered by when they were announced."""
        ledgers: dict[str, tuple[str, list[LoggedEntry]]] = {}
        with self._reading():
            for name, game_type, wall_us, what, data, who, why in self._db.execute(LEDGERS):
                entry = LedgerEntry(What(what), json.loads(data), who, why)
                ledgers.setdefault(name, (game_type, []))[1].append(LoggedEntry(wall_us, entry))
            return [
                RecordedChampionship(name, game_type, Ledger(logged.entry for logged in ledger).state, tuple(ledger))
                for name, (game_type, ledger) in ledgers.items()
            ]

    def withdrawals(self, nick: str) -> list[tuple[str, LoggedEntry]]:
        """Return the championships that ``nick`` is out of for good, by name, each with the last entry about it;
        oldest first."""
        found: dict[str, LoggedEntry] = {}
        left: dict[str, LoggedEntry] = {}
        kinds = (What.WITHDRAWN.value, What.DISQUALIFIED.value, What.ENTERED.value)
        with self._reading():
            for name, _, wall_us, what, data, who, why in self._db.execute(GONE, kinds):
                entry = LedgerEntry(What(what), json.loads(data), who, why)
                if entry.data.get("nick") != nick:
                    continue
                found.pop(name, None)
                if entry.what is not What.ENTERED:
                    found[name] = LoggedEntry(wall_us, entry)
                if entry.what is What.WITHDRAWN:
                    left[name] = found[name]
                elif entry.what is What.ENTERED and name in left:
                    before = left.pop(name)
                    if not entry.data.get("back"):  # it has its place again, and plays no more
                        found[name] = left[name] = before
        return [*found.items()]

    def forgotten(self, game_type: str) -> dict[str, frozenset[str]]:
        """Return the nicks that organisers have forgotten for a game type, each with the ids of its games that no
        longer count for it."""
        with self._reading():
            return {one.nick: games_of(self._db, one) for one in forgotten(self._db) if one.game_type == game_type}

    def acts(self, latest: int = -1) -> list[LoggedAct]:
        """Return what organisers did to the server, in order; with ``latest``, only that many of the last ones."""
        with self._reading():
            return [LoggedAct(*fields) for fields in self._db.execute(ACTS, (latest,))][::-1]

    def done(self, latest: int = -1) -> list[LoggedAct | LoggedOrder]:
        """Return what organisers did to the server and to championships, in order; with ``latest``, only that many of
        the last ones."""
        with self._reading():
            orders = [
                LoggedOrder(wall_us, name, LedgerEntry(What(what), json.loads(data), who, why))
                for wall_us, name, what, data, who, why in self._db.execute(ORDERS, (latest,))
            ]
        # A stable sort: what is of the same moment stays in its order.
        every: list[LoggedAct | LoggedOrder] = [*self.acts(latest), *orders]
        done = sorted(every, key=lambda one: one.wall_us)
        return done if latest < 0 else done[-latest:]

    def logins(self, name: str) -> list[Login]:
        """Return the logins of this nick or master, oldest first."""
        with self._reading():
            return [Login(*fields) for fields in self._db.execute(LOGINS, (name,))]

    def versions(self, nick: str, most: int) -> list[tuple[str, float, float, int]]:
        """Return the programs that a player has used, latest first: name, first and last login (seconds since 1970,
        UTC), and number of logins."""
        query = """SELECT version, min(began_us) / 1e6, max(began_us) / 1e6, count(*) FROM login
            WHERE who = ? AND role = 'player' GROUP BY version ORDER BY max(began_us) DESC LIMIT ?"""
        with self._reading():
            return list(self._db.execute(query, (nick, most)))

    def programs(self, nick: str, most: int) -> list[tuple[int, str]]:
        """Return when a player has logged in last, in microseconds since 1970 (UTC), each with its program."""
        query = "SELECT began_us, version FROM login WHERE who = ? AND role = 'player' ORDER BY id DESC LIMIT ?"
        with self._reading():
            return list(self._db.execute(query, (nick, most)))

    def types_of(self, nick: str) -> list[str]:
        """Return the game types that a player has played, by name."""
        query = """
            SELECT DISTINCT t.name FROM seat AS s CROSS JOIN game AS g ON g.id = s.game
            CROSS JOIN game_type AS t ON t.id = g.game_type
            WHERE s.player IN (SELECT id FROM player WHERE name = ?) ORDER BY t.name
        """
        with self._reading():
            return [name for (name,) in self._db.execute(query, (nick,))]

    def version(self) -> tuple[int, int, int]:
        """Return a value that changes whenever standings may change: the numbers of the last result, the last ledger
        entry and the last act."""
        with self._reading():
            result, entry, act = map(self._db.last_id, VERSIONED)
        return result, entry, act

    def players_here(self, game_type: str) -> frozenset[str]:
        """Return the nicks of the players of a game type who are logged in, as far as the journal knows: none while no
        server uses it."""
        with self._reading():
            return frozenset([who for (who,) in self._db.execute(HERE, ("player", game_type))])

    def is_led(self, game_type: str) -> bool:
        """Return whether a game master of this type is logged in, as far as the journal knows."""
        with self._reading():
            return self._db.execute(HERE, ("master", game_type)).fetchone() is not None

    def paused(self, game_type: str) -> str | None:
        """Return why an organiser has paused a game type; None if none has, or it goes on again."""
        with self._reading():
            return holding(self._db, wall_us())[1].get(game_type)

    def ban(self, name: str, now_us: int) -> BannedName | None:
        """Return the ban of a name by an organiser that is in force at this time (microseconds since 1970), or None."""
        with self._reading():
            return ban_of(self._db, name, now_us)

    def runs(self) -> list[Run]:
        """Return the lives of the server, oldest first."""
        query = "SELECT version, pid, began_us, ended_us, in_order, losses FROM run ORDER BY id"
        with self._reading():
            return [
                Run(version, pid, began_us, ended_us, bool(in_order), losses)
                for version, pid, began_us, ended_us, in_order, losses in self._db.execute(query)
            ]

    def game_types(self) -> list[str]:
        """Return the game types with at least one game, sorted by name."""
        query = "SELECT name FROM game_type WHERE id IN (SELECT DISTINCT game_type FROM game) ORDER BY name"
        with self._reading():
            return [name for (name,) in self._db.execute(query)]

    def _open_play(self, game_type: str | None) -> Iterator[GameResult]:
        of_type = "" if game_type is None else "AND t.name = ?"
        query = f"{RESULTS} WHERE g.championship = '' AND g.counts <> 0 {of_type} ORDER BY r.id"
        with self._reading():
            for fields in self._db.execute(query, () if game_type is None else (game_type,)):
                result = read_game(fields).result
                assert result is not None
                yield result

    def _counted(self, championship: RecordedChampionship) -> Iterator[GameResult]:
        ledger = championship.sum()
        query = f"{RESULTS} WHERE g.championship = ?"
        with self._reading():
            games = {
                game.game_id: game.result for game in map(read_game, self._db.execute(query, (championship.name,)))
            }
        for counted in ledger.standing():
            result = games.get(counted.game_id)
            yield _as_counted(championship, ledger, counted) if result is None else _corrected(result, counted)

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Turn errors of the database and of its contents into :class:`JournalError`."""
        try:
            yield
        except self._db.Error as error:
            raise self._db.unusable(error) from error
        except ValueError as error:
            raise self._db.damaged(error) from error


def _corrected(result: GameResult, counted: Counted) -> GameResult:
    """Return the result that counts: an organiser may have corrected it."""
    outcomes = {nick: Outcome(word) for nick, word in counted.outcomes.items()}
    if outcomes == {seat.nick: seat.outcome for seat in result.seats}:
        return result
    seats = tuple([SeatResult(seat.nick, outcomes[seat.nick]) for seat in result.seats])
    drawn = {*outcomes.values()} == {Outcome.DRAWN}
    return replace(result, seats=seats, verdict=Verdict(Cause.DRAW if drawn else Cause.FINISHED))


def _as_counted(championship: RecordedChampionship, ledger: Ledger, counted: Counted) -> GameResult:
    """Return the result of a fixture without a game, from the ledger alone."""
    gone = next((nick for nick in counted.outcomes if nick in ledger.gone), None)
    return GameResult(
        counted.game_id,
        championship.game_type,
        "",
        tuple(SeatResult(nick, Outcome(outcome)) for nick, outcome in counted.outcomes.items()),
        Verdict(Cause.FORFEIT, gone),
        0,
        0.0,
        0.0,
        championship.name,
        counted.fixture,
    )
