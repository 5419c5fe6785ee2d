"""Running games after the server itself was lost: made again from what the journal knows of them.

All who are still in such a game have sessions, and come back one by one; its master is anybody who can restore it. Till
then it stands as if its master had just been lost. A game that cannot go on after all is void.
"""

from collections.abc import Mapping

from ugs.broker.desk import Desk
from ugs.broker.effects import RecordBegin, RecordEntry
from ugs.broker.events import Timer, TimerKind
from ugs.broker.extensions.tables import GameTable
from ugs.broker.game import Game, Setting
from ugs.broker.link import Link, LinkState, MasterDesk
from ugs.broker.past import PastGame
from ugs.broker.record import EntryKind, read_labels, read_movers
from ugs.broker.scribe import PUBLIC, forget_states
from ugs.broker.verdict import Cause
from ugs.wire.messages import GameState


class Memory:
    """What the entries of a game say of how it stands."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.gone: dict[str, Cause] = {}
        self.movers: list[str] = []
        self._views: dict[int, bytes] = {}

    def take(self, after_s: float, entry: RecordEntry) -> None:
        """One more entry, in their order."""
        game = self.game
        if entry.kind in PUBLIC and entry.kind not in (EntryKind.OVER, EntryKind.VERDICT):
            game.history.append((game.began_at + after_s, entry))
        nick = game.seats[entry.seat] if entry.seat is not None else ""
        if entry.kind is EntryKind.VIEW:
            self._views |= dict.fromkeys(seats_of(entry.audience), entry.body)
            return
        views, self._views = self._views, {}  # those of a result that did not come to be are of no use
        match entry.kind:
            case EntryKind.STATE:
                game.history_bytes += len(entry.body)
                self._state(entry, [game.seats[seat] for seat in read_movers(entry.seat, entry.text)], views)
            case EntryKind.MOVE:
                self.movers = [name for name in self.movers if name != nick]
                game.moves += 1
                game.owes = True
            case EntryKind.LEFT:
                game.owes = game.owes or self.movers == [nick]
                self.movers = [name for name in self.movers if name != nick]
                self.gone[nick] = Cause(entry.text)
            case EntryKind.LABELS:
                game.labels = read_labels(entry.text)

    def _state(self, entry: RecordEntry, movers: list[str], views: Mapping[int, bytes]) -> None:
        game = self.game
        for seat in seats_of(entry.audience) | views.keys():
            nick = game.seats[seat]
            mover = nick if nick in movers else movers[0]
            game.views[nick] = GameState(game.id, mover, None, views.get(seat, entry.body))
        game.latest = GameState(game.id, movers[0], None, entry.body)
        game.private = game.private or bool(views)
        game.master.names_movers = game.master.names_movers or len(movers) > 1
        self.movers = movers
        game.owes = False


class Revival:
    """Makes games again."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._masters = 0

    def revived(self, past: PastGame) -> Game:
        """The game as it was; with nobody ``present`` when it cannot go on."""
        desk, begin = self._desk, past.begin
        game_type = desk.type_named(begin.game_type)
        self._masters += 1
        master = Link(-self._masters, "", LinkState.MASTER, begin.master, game_type, away=True)
        master.master = MasterDesk(2, max(2, len(begin.seats)))
        setting = Setting(begin.options, begin.seats_total, begin.seed)
        championship = desk.championships.get(begin.championship)
        game = Game(
            begin.game_id,
            game_type,
            master,
            begin.seats,
            {},
            {nick: seat for seat, nick in enumerate(begin.seats)},
            desk.now - past.began_s_ago,
            championship,
            championship.fixture_of(begin.game_id) if championship is not None else None,
            Timer(TimerKind.GAME, begin.game_id),
            setting,
            active_at=desk.now,
        )
        memory = Memory(game)
        for after_s, entry in past.entries:
            memory.take(after_s, entry)
        forget_states(game, desk.config.watch_history_bytes)
        game.departures = memory.gone
        if (game.fixture is None) == (championship is None):
            self._seat(game, begin)
        game.movers = tuple([game.present[nick] for nick in memory.movers if nick in game.present])
        game.owes = game.owes or (len(game.present) == 1 and bool(game.departures))
        return game

    def _seat(self, game: Game, begin: RecordBegin) -> None:
        """Whoever was in it and may come back sits in it again; nobody does when somebody may not, or sits in a later
        game: then the end of this one was lost."""
        may_come = {link.name: link for link in self._desk.sessions.values() if link.type is game.type}
        still_in = [nick for nick in begin.seats if nick not in game.departures]
        needed = [*still_in, *([begin.table["owner"]] if begin.table else [])]
        if game.type.settings.master_grace_s == 0 or any(nick not in may_come for nick in needed):
            return
        if any(may_come[nick].game is not None for nick in still_in):
            return
        for nick in still_in:
            link = may_come[nick]
            game.present[nick] = link
            link.state, link.game = LinkState.PLAYING, game
        game.audience_changed()
        if begin.table:
            owner = may_come[begin.table["owner"]]
            table = GameTable.again(begin, owner)
            self._desk.tables[table.id] = table
            game.setting = Setting(begin.options, begin.seats_total, begin.seed, table)


def seats_of(audience: int) -> set[int]:
    """The seats whose bits are set."""
    return {seat for seat in range(audience.bit_length()) if audience >> seat & 1}
