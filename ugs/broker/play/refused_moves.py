"""Moves that a master has refused: how often each player's were, and what follows by the setting ``faults``.

The table :data:`RULINGS` has a row for each ruling. The first that applies decides, in the order of :func:`ruling_of`:
the rules of the game, another try within the same clock, or the loss of the game.
"""

from collections.abc import Callable, Mapping
from typing import Final

from ugs.broker.effects import RecordEntry
from ugs.broker.facts import PlayersFree, RuleBroken
from ugs.broker.play import budgets, faults, leaving, move_clock, record_entries, showing, turns
from ugs.broker.state.model import Game, Player
from ugs.broker.state.move_faults import MOVE_FAULTS
from ugs.broker.state.phases import Phase
from ugs.broker.state.server_state import ServerState
from ugs.broker.values.record import EntryKind
from ugs.broker.verdict import Cause, Reason
from ugs.config import GameTypeSettings
from ugs.wire.extensions import Family, MoveRuling, Ruled
from ugs.wire.messages import Error


def ruling_of(settings: GameTypeSettings, refused: int) -> MoveRuling:
    """Return what follows from a move of a player of whom ``refused`` moves of this turn were refused, this one
    included."""
    if settings.faults == "rules":
        return MoveRuling.RULES
    return MoveRuling.AGAIN if refused <= settings.asks_again else MoveRuling.OUT


def count(_server: ServerState, fact: RuleBroken) -> None:
    """Count a broken rule that the master has given the reason for."""
    MOVE_FAULTS.of(fact.game).of_game[fact.reason.nick] += 1


def remember(game: Game, entry: RecordEntry) -> None:
    """Take an entry of an earlier life of the server; for each game from its begin on, in order."""
    nick = game.seats[entry.seat] if entry.seat is not None else ""
    faults = MOVE_FAULTS.of(game)
    if entry.kind is EntryKind.REASON and nick:
        faults.of_game[nick] += 1
    elif entry.kind is EntryKind.FAULT:
        faults.refused(nick)
        faults.mover = ""
    elif entry.kind is EntryKind.MOVE:
        faults.mover = nick
    elif entry.kind is EntryKind.STATE:
        faults.accepted(faults.mover)
        faults.mover = ""


# A rule of ``broker/life.py``.


def refused(server: ServerState, game: Game, player: Player, reason: Reason) -> Phase:
    """The master has refused the move that it was given last, of this player, who may have left meanwhile."""
    # It left while the master judged its move: the ruling is for the master only.
    if player.name not in game.present:
        server.send_extension([game.master], Ruled(game.id, player.name, MoveRuling.OUT))
        game.turn.owes_nothing()
        return _without(server, game)
    in_turn = MOVE_FAULTS.of(game).refused(player.name)
    ruling = ruling_of(game.type.settings, in_turn)
    server.note("move refused", player, game=game.id, ruling=str(ruling), times=in_turn, reason=reason.text)
    server.send_extension([game.master], Ruled(game.id, player.name, ruling))
    return RULINGS[ruling](server, game, player, reason)


# Rulings.


def _by_the_rules(_server: ServerState, game: Game, _player: Player, _reason: Reason) -> Phase:
    """The master goes on as if the server knew nothing of it: with a reason, and the next state."""
    # A move is ruled on once: another fault for it is an error of the master.
    MOVE_FAULTS.of(game).ruled_on = game.history.moves
    return game.phase


def _again(server: ServerState, game: Game, player: Player, reason: Reason) -> Phase:
    """Ask the player again with the state that it has; its clock runs on."""
    _record(server, game, player, reason)
    left = game.type.settings.asks_again - MOVE_FAULTS.of(game).of_turn[player.name]
    # With the family it has got x-reason; quiet_players fail at an error in the middle of a game.
    if not (player.may(Family.REASON) or game.type.settings.quiet_players):
        text = (
            f"your move is refused: {reason.text or reason.code}; move again, {left} more may be refused in this turn"
        )
        server.send(player, Error(text))
    turn = game.turn
    turn.needs_more()
    player.must_move()
    turn.asks_again(player)
    showing.resend(server, player)
    assert turn.budgets is not None, "a game where players are asked again has them from its begin"
    budgets.takes_increment_back(game, turn.budgets, player)
    if player.awaited:  # it is asked once it has come back
        move_clock.start(server, game, ())
    else:
        turn.deadlines[player.name] = server.now + budgets.goes_on(server, game, turn.budgets, player)
        move_clock.run(server, game, [one for one in turn.movers if not one.awaited], [player])
    return turns.relay_held(server, game)


def _out(server: ServerState, game: Game, player: Player, reason: Reason) -> Phase:
    """The player has lost: take it out, as one that moves too late."""
    _record(server, game, player, reason)
    game.turn.owes_nothing()
    game.reasons.of[player.name] = reason
    leaving.leave(server, player, Cause.ILLEGAL_MOVE)
    text = f"your move is refused: {reason.text or reason.code}; game {game.id} is lost"
    leaving.put_out(server, game, player, text, faults.strike(server, player))
    faults.settles(server, player)
    server.report(PlayersFree([player]))
    return _without(server, game)


def _without(server: ServerState, game: Game) -> Phase:
    """The player is out: the turn of others goes on; where there is none, the master has to answer its departure."""
    if game.phase is not Phase.ANSWER:
        return game.phase
    if game.turn.movers or game.turn.held:
        return turns.go_on(server, game, ())
    game.turn.master_owes()
    return game.phase


def _record(server: ServerState, game: Game, player: Player, reason: Reason) -> None:
    record_entries.reason(server, game, reason)
    record_entries.fault(server, game, player)
    server.report(RuleBroken(game, player, reason))


RULINGS: Final[Mapping[MoveRuling, Callable[[ServerState, Game, Player, Reason], Phase]]] = {
    MoveRuling.RULES: _by_the_rules,
    MoveRuling.AGAIN: _again,
    MoveRuling.OUT: _out,
}
"""What follows from each ruling."""
