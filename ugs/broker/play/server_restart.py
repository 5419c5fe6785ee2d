"""Running games after the server itself was lost: made again from what the journal knows of them.

All who are still in such a game have sessions, and come back one by one; any master that can restore it may lead it.
Until then it waits as if its master had just been lost. A game that cannot go on is void.
"""

from collections.abc import Mapping, Sequence

from ugs.broker.effects import RecordBegin, RecordEntry
from ugs.broker.facts import GameRevived
from ugs.broker.past import PastGame
from ugs.broker.play import beginning, budgets, refused_moves
from ugs.broker.state import remarks_made
from ugs.broker.state.connection import Connection
from ugs.broker.state.history import MAX_RECENT_BYTES, MAX_RECENT_ENTRIES
from ugs.broker.state.model import Game, Master, Player, Setting, Table
from ugs.broker.state.move_faults import MOVE_FAULTS
from ugs.broker.state.phases import Happening
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.recollection import PUBLIC
from ugs.broker.values.record import BESIDE, EntryKind, read_labels, read_movers, seats_of
from ugs.broker.verdict import Cause
from ugs.wire.extensions import Visibility
from ugs.wire.messages import GameState

SHOWN_KINDS = BESIDE | {EntryKind.STATE}
"""Entries whose bodies count for ``max_game_bytes``, besides moves."""


class RevivedState:
    """The state of a game, computed from its entries."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.movers: list[str] = []
        self._views: dict[int, bytes] = {}
        self._sketches: dict[str, bytes] = {}

    def take(self, after_s: float, entry: RecordEntry) -> None:
        """One more entry, in their order."""
        game = self.game
        if entry.kind in SHOWN_KINDS:
            game.history.receives(len(entry.body))
        history = game.history
        # An end that was not announced did not happen: no peer knows of it, and the game goes on.
        if entry.kind in PUBLIC and entry.kind not in (EntryKind.OVER, EntryKind.VERDICT):
            history.happened(history.began_at + after_s, entry)
            budgets.remember(game, history.began_at + after_s, entry)
        refused_moves.remember(game, entry)
        remarks_made.remember(game, entry)
        nick = game.seats[entry.seat] if entry.seat is not None else ""
        if entry.kind is EntryKind.VIEW:
            self._views |= dict.fromkeys(seats_of(entry.audience), entry.body)
        elif entry.kind is EntryKind.SKETCH:
            self._sketches[""] = entry.body
        elif entry.kind is EntryKind.OWNSKETCH:
            self._sketches |= dict.fromkeys([game.seats[seat] for seat in seats_of(entry.audience)], entry.body)
        else:
            self._go_on(entry, nick)

    def _go_on(self, entry: RecordEntry, nick: str) -> None:
        game, history = self.game, self.game.history
        # Those of a result that did not come to be are of no use.
        views, self._views = self._views, {}
        sketches, self._sketches = self._sketches, {}
        match entry.kind:
            case EntryKind.STATE:
                history.shorten(MAX_RECENT_ENTRIES, MAX_RECENT_BYTES)  # the journal has it
                game.shown.has_sketches(sketches)
                self._state(entry, [game.seats[seat] for seat in read_movers(entry.seat, entry.text)], views)
            case EntryKind.MOVE:
                history.receives_move(nick, len(entry.body))
                self.movers = [name for name in self.movers if name != nick]
                history.counts_move()
                game.turn.master_owes()
            case EntryKind.FAULT:
                # Its move did not count, so it has to move still.
                self.movers.append(nick)
                game.turn.owes_nothing()
            case EntryKind.LEFT:
                # It left in its own turn: the master had to answer that.
                if self.movers == [nick]:
                    game.turn.master_owes()
                self.movers = [name for name in self.movers if name != nick]
                game.departures[nick] = Cause(entry.text)
            case EntryKind.REJOINED:
                del game.departures[nick]
                game.shown.comes_back(nick)
            case EntryKind.LABELS:
                game.shown.has_labels(read_labels(entry.text))
            case EntryKind.SETUP:
                game.begins_with(entry.text)

    def _state(self, entry: RecordEntry, movers: list[str], views: Mapping[int, bytes]) -> None:
        game, shown = self.game, self.game.shown
        for seat in {*seats_of(entry.audience), *views}:
            nick = game.seats[seat]
            mover = nick if nick in movers else movers[0]
            shown.shows(nick, GameState(game.id, mover, None, views.get(seat, entry.body)))
        shown.to_most(GameState(game.id, movers[0], None, entry.body), private=bool(views))
        if len(movers) > 1:
            game.master.may_name_movers()
        self.movers = movers
        game.turn.is_of(())  # who of them is there is known at the end


def made_again(server: ServerState, games: Sequence[PastGame]) -> list[Game]:
    """Return the games as they were, ordered by when they began. One that cannot go on has no player ``present``. They
    do not run before :func:`revive`."""
    # A player sits in one game only. Where two claim it, the later one is right, hence it is made first.
    made = [_made_again(server, number, past) for number, past in enumerate(reversed(games), 1)]
    return made[::-1]


def revive(server: ServerState, games: Sequence[Game]) -> None:
    """Let games that were made again wait for masters; a game without players is void."""
    # All run before one of them ends: a game type without running games may be forgotten.
    for game in games:
        beginning.take_in(server, game)
    for game in games:
        if game.present:
            _wait(server, game)
        else:
            server.step(game, Happening.VOIDED, Cause.SERVER_LOST)


def _wait(server: ServerState, game: Game) -> None:
    server.note("game waits for its master", game=game.id, game_type=game.type.name)
    server.step(game, Happening.REVIVED)
    budgets.begin(game, budgets.used_until_now(game))
    server.report(GameRevived(game))


def _made_again(server: ServerState, number: int, past: PastGame) -> Game:
    begin = past.begin
    game_type = server.type_named(begin.game_type)
    master = Master(
        # Negative: the shell counts its connections from 1, so this stands for none.
        connection=Connection(-number, ""),
        name=begin.master,
        away=True,
        type=game_type,
        players_min=2,
        players_max=max(2, len(begin.seats)),
    )
    championship = server.championships.get(begin.championship)
    fixture = championship.fixture_of(begin.game_id) if championship is not None else None
    setting = Setting(begin.options, begin.seats_total, begin.seed, championship=championship, fixture=fixture)
    began_at = server.now - past.began_s_ago
    game = beginning.new_game(begin.game_id, game_type, setting, master, begin.seats, began_at, active_at=server.now)
    memory = RevivedState(game)
    for after_s, entry in past.entries:
        memory.take(after_s, entry)
    # The game of a championship that no longer knows it stays without players, and is void.
    if (fixture is None) == (championship is None):
        _seat(server, game, begin)
    # The last player is alone: its master had still to send who has won.
    owes = game.turn.owes or (len(game.present) == 1 and bool(game.departures))
    game.turn.is_of(tuple([game.present[nick] for nick in memory.movers if nick in game.present]))
    if owes:
        game.turn.master_owes()
        mover = game.present.get(MOVE_FAULTS.of(game).mover)
        if mover is not None:
            game.turn.waits_for_answer(mover)
    return game


def _seat(server: ServerState, game: Game, begin: RecordBegin) -> None:
    """Seat the players who were in the game and may come back. Seats none when one of them may not come back, or sits
    in a later game: then the end of this one was lost."""
    may_come = {player.name: player for player in game.type.players.values() if player.away}
    still_in = [nick for nick in begin.seats if nick not in game.departures]
    needed = [*still_in, *([begin.table["owner"]] if begin.table else [])]
    if game.type.settings.master_grace_s == 0 or any(nick not in may_come for nick in needed):
        return
    if any(may_come[nick].game is not None for nick in still_in):
        return
    game.seats_players([may_come[nick] for nick in still_in])
    if begin.table:
        table = _table_again(begin, may_come[begin.table["owner"]])
        server.tables[table.id] = table
        game.is_played_at(table)


def _table_again(begin: RecordBegin, owner: Player) -> Table:
    """Return the table of a game from before the loss of the server."""
    total = begin.seats_total or len(begin.seats)
    visibility = Visibility(begin.table["visibility"])
    return Table(
        begin.game_id,
        begin.table["name"],
        owner.type,
        owner,
        total,
        total - len(begin.seats),
        visibility,
        begin.options,
        {},
        [],
        playing=True,
    )
