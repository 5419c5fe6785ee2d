"""Hands a running game to another master: which one may have it, what it gets, and how the game goes on.

A game can be handed over when its master was granted ``restore``: then all chance came from a seed that the server
knows, and everything else from the moves and departures in its history. Those no longer in memory are read again first;
meanwhile the game waits, and no clock runs.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ugs.broker.effects import Recall, RecordEntry
from ugs.broker.facts import MasterAwaited, MasterReady, PastRecalled
from ugs.broker.play import budgets, endings, move_clock, record_entries, refused_moves, sketching, turns
from ugs.broker.state.game_state import MasterState, named_by
from ugs.broker.state.history import ROOM_FOR_EVENT
from ugs.broker.state.model import Game, GameType, Master, Player, Setting
from ugs.broker.state.phases import Happening, Phase
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.recollection import SENT_AGAIN, PastEvent, Use, Wish
from ugs.broker.values.record import EntryKind, places_of_refused
from ugs.broker.verdict import MAX_TAKEOVERS_LOST, Cause, Reason
from ugs.broker.views.offered_options import offers_all
from ugs.wire.extensions import Family, Past, PastLeft, PastMove, PastRejoined, Restore
from ugs.wire.messages import Choice

ROOM_FOR_CHARACTER = 6
"""Bytes that a character of a nick takes in ``x-restore``, at most."""
ROOM_FOR_ENVELOPE = 65_536
"""Bytes of ``x-restore`` besides the past: seats, options, seed."""
SPLIT = 8
"""Of the games that a master was taking over when it was lost, a successor gets an eighth at a time: the one that may
be why is found by few losses, and where it was the line the games need not come one after the other."""
JUST_AFTER_S = 5.0
"""A master that is lost within this many seconds after it took a game over may be lost by that."""
LED = frozenset({Phase.TURN, Phase.ANSWER})
"""The phases of a game that a master leads."""

# Rules of ``broker/life.py``. Their arguments are the server, the game, and what happened in it.


def master_gone(server: ServerState, game: Game) -> Phase:
    """The master's connection is lost: the game is void, or waits for a successor."""
    if not (game.type.settings.master_grace_s > 0 and game.setting.seed):
        return endings.void(server, game, Cause.MASTER_LOST)
    record_entries.away(server, game)
    if game.turn.takeovers_lost >= MAX_TAKEOVERS_LOST and game.turn.taken_among == 1:
        # It alone would kill the next one, too, with all its other games.
        return endings.void(server, game, Cause.TAKEOVERS_LOST)
    # One grace per loss: successors that come and fail do not keep the players waiting for ever.
    if game.turn.successor_by is not None and server.now >= game.turn.successor_by:
        return endings.void(server, game, Cause.MASTER_LOST)
    return wait(server, game)


def wait(server: ServerState, game: Game) -> Phase:
    """Let a game wait for a successor; no player's time runs. ``master_grace_s`` counts from the loss of the master,
    not again for each successor that fails."""
    budgets.pause(server, game)
    by = game.turn.awaits_successor(server.now + game.type.settings.master_grace_s)
    server.start(game.clock, by - server.now)
    game.type.is_without_master(game)
    server.report(MasterAwaited(game))
    return Phase.AWAY


def hand_over(server: ServerState, game: Game, master: Master, earlier: Sequence[PastEvent]) -> Phase:
    """Ask this master to take the game over. ``earlier`` is the part of its past that is not in memory."""
    game.is_led_by(master)
    # It belonged to the next message of the lost master, which is not coming.
    game.reasons.lapse()
    sketching.forget(game)
    record_entries.restored(server, game)
    server.note("game handed over", master, game=game.id)
    server.send_extension([master], restore_message(game, earlier))
    server.start(game.clock, game.type.settings.begin_timeout_s)
    return Phase.TAKING


def taken_over(server: ServerState, game: Game, state: MasterState) -> Phase:
    """The successor has sent the current state. It is not sent to players who already have it and have been asked."""
    asked = {*game.turn.held, *(player.name for player in game.turn.movers)}
    _leads(server, game)
    if game.turn.owes or asked != set(named_by(state)):
        move_clock.start(server, game, game.turn.movers)  # a state that spares them does not
        return turns.next_turn(server, game, state)
    sketching.forget(game)  # they have been shown how it looks
    return turns.go_on(server, game, list(game.turn.movers))


def refused(server: ServerState, game: Game, player: Player, reason: Reason) -> Phase:
    """The successor refuses the last move, which the lost master had not answered: it leads the game from now on."""
    _leads(server, game)
    sketching.forget(game)
    move_clock.start(server, game, game.turn.movers)  # it stood still for those who may move beside this player
    server.start(game.clock, game.type.settings.master_timeout_s)
    server.enter(game, server.rules.life[Phase.TAKING][Happening.STATE], Phase.ANSWER)
    return refused_moves.refused(server, game, player, reason)


def _leads(server: ServerState, game: Game) -> None:
    """The successor leads the game from now on."""
    server.note("game taken over", game.master, game=game.id)
    game.turn.has_master(server.now, game.history.moves)
    server.report(MasterAwaited(game))


# What else happens.


def count_lost(server: ServerState, master: Master) -> None:
    """A master is lost: count the games that may be why, since it was taking them over, or else had just taken one."""
    taking = [game for game, _ in master.still_takes(_is_taking) if game.phase is Phase.TAKING]
    latest, latest_s = None, -math.inf
    for game in master.games.values():
        if game.phase in LED:
            at_s, moves = game.turn.taken_over or (-math.inf, 0)
            if server.now - at_s > JUST_AFTER_S or game.history.moves != moves:
                game.turn.was_led_on()
            elif at_s >= latest_s:
                latest, latest_s = game, at_s
    blamed = taking or ([latest] if latest is not None else [])
    for game in blamed:
        game.turn.loses_successor(len(blamed))


def seek_master(server: ServerState, game: Game) -> None:
    """A game waits from now on: hand it to another master at once if there is one."""
    _seek_master(server, game)


def has_answered(server: ServerState, game: Game) -> None:
    """A successor has sent the current state: it has room for the past of another game."""
    if game.phase in LED and game.type.orphans:
        server.report(MasterReady(game.type))


def recalled(server: ServerState, fact: PastRecalled) -> None:
    """The past of a game has been read again for its new master."""
    game = server.games.get(fact.wish.game_id)
    if fact.wish.use is not Use.TAKEOVER or game is None or game.phase is not Phase.AWAY:
        return
    game.turn.recalls_past(None)
    earlier = game.history.earlier
    if fact.found.forgotten:
        earlier.cannot_be_read()
    _seek_master(server, game, fact.found.events if fact.wish.until == earlier.events else None)
    if game.type.orphans:
        server.report(MasterReady(game.type))


def adopt(server: ServerState, game_type: GameType) -> None:
    """Hand games that wait for a successor to masters of this type that have room."""
    going_down = bool(server.condition.journal_lost) or (server.condition.draining and not server.condition.patient)
    if not game_type.orphans or going_down:
        return
    # Those that may be why a master was lost come last, and of them those that come with the fewest others.
    for game in sorted(game_type.waiting_for_master(), key=_at_once, reverse=True):
        # Handing one over may end it, which frees a master and leads here again: another may have found one meanwhile.
        if game.phase is Phase.AWAY and not _seek_master(server, game):
            return  # the others wait as well, and this is not asked again for each of them


def successors(game: Game) -> Iterator[Master]:
    """The other masters that can take the game over now, the least busy first."""
    setting = game.setting
    needed = {
        Family.RESTORE: True,
        Family.TABLE: setting.options or setting.computers or setting.setup,
        # By what the game has shown so far: without views a successor could not go on with hidden hands.
        Family.VIEWS: game.shown.private,
        Family.MOVERS: game.master.names_movers,
    }
    needs = [family for family, is_needed in needed.items() if is_needed]
    seats = setting.total or len(game.seats)
    for master in game.type.free_masters(seats, *needs):
        if master is game.master or seats > master.players_max or (setting.computers and not master.plays_seats):
            continue
        if not offers_all(master, _chosen(setting)):
            continue
        # Checked last, and only if a master could have the game: it looks at the whole past of the game.
        if master.may(Family.REJOIN) or not _any_rejoined(game):
            yield master


def _chosen(setting: Setting) -> Mapping[str, str]:
    """The options that the plan of its championship or the players of its table have chosen."""
    if setting.championship is not None:
        return setting.championship.plan.options
    return setting.table.options if setting.table is not None else {}


def _any_rejoined(game: Game) -> bool:
    history = game.history
    return history.earlier.rejoined or any(entry.kind is EntryKind.REJOINED for entry in history.entries)


def restore_message(game: Game, earlier: Sequence[PastEvent] = ()) -> Restore:
    """Return everything that the new master has to know, in the order that the old one got it. ``earlier`` is the part
    that is not in memory."""
    setting = game.setting
    options = tuple([Choice(name, value) for name, value in setting.options.items()])
    past = tuple(_happened(game, (*earlier, *game.history.entries)))
    return Restore(game.id, game.seats, options, setting.total, setting.seed, past, setting.setup)


def _seek_master(server: ServerState, game: Game, earlier: Sequence[PastEvent] | None = None) -> bool:
    """Hand a waiting game to another master, if there is one. Return False if it has to wait until a master has
    answered for its earlier games. ``earlier`` is the part that is not in memory, once it has been read."""
    if game.turn.recalled_for is not None:
        return True
    masters = list(successors(game))
    if not masters:
        return True
    known = game.history.earlier
    if known.forgotten:
        server.note(
            "game cannot be handed over: its past is forgotten", warning=True, game=game.id, limit="max_past_bytes"
        )
        server.step(game, Happening.VOIDED, Cause.MASTER_LOST)
        return True
    size = _size_of_past(game) + ROOM_FOR_ENVELOPE
    # No peer is sent a document larger than it could send: its own reader may have the same limit.
    if size > server.config.max_message_bytes:
        past = size - ROOM_FOR_ENVELOPE
        server.note("game cannot be handed over: its past is too long", warning=True, game=game.id, bytes=past)
        server.step(game, Happening.VOIDED, Cause.MASTER_LOST)
        return True
    for master in masters:
        taking = master.still_takes(_is_taking)
        # Many long pasts at once would fill its outbox, and the successor would be closed for not reading.
        is_read = sum(past for _, past in taking) + size <= server.config.max_outbox_bytes // 2
        # And of games that may kill it few are taken over at once: the others are not lost with them, or blamed.
        if not taking or (is_read and len(taking) < min(_at_once(one) for one in (game, *dict(taking)))):
            master.taking.append((game, size))
            if known.events and earlier is None:
                game.turn.recalls_past(master)
                server.emit(Recall(Wish(Use.TAKEOVER, game.id, game.id, known.events)))
            else:
                server.step(game, Happening.HANDED_OVER, master, earlier or ())
            return True
    return False


def _at_once(game: Game) -> float:
    """How many games a master may be taking over at a time, this one among them."""
    return max(1, game.turn.taken_among // SPLIT) if game.turn.takeovers_lost else math.inf


def _is_taking(master: Master, game: Game) -> bool:
    if game.phase is Phase.AWAY:
        return game.turn.recalled_for is master
    return game.phase is Phase.TAKING and game.master is master


def _size_of_past(game: Game) -> int:
    """About how many bytes the past of a game takes in ``x-restore``, at most."""
    earlier = game.history.earlier
    size = ROOM_FOR_CHARACTER * len(game.setting.setup) + earlier.retold_bytes
    size += sum(ROOM_FOR_CHARACTER * len(game.seats[seat]) * times for seat, times in earlier.retold.items())
    return size + sum(
        len(entry.body) + len(entry.text) + ROOM_FOR_EVENT + ROOM_FOR_CHARACTER * len(game.seats[entry.seat])
        for entry in game.history.entries
        if entry.seat is not None and entry.kind in SENT_AGAIN
    )


def _happened(game: Game, events: Iterable[RecordEntry | PastEvent]) -> Iterator[Past]:
    known = list(events)
    refused = places_of_refused(known)
    for place, entry in enumerate(known):
        # A refused move has changed nothing: a successor that made it would stand somewhere else.
        if entry.seat is None or place in refused:
            continue
        if entry.kind is EntryKind.MOVE:
            yield PastMove(game.seats[entry.seat], entry.body)
        elif entry.kind is EntryKind.LEFT:
            yield PastLeft(game.seats[entry.seat], entry.text)
        elif entry.kind is EntryKind.REJOINED:
            yield PastRejoined(game.seats[entry.seat])
