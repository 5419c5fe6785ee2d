"""Whose turn it is: states that name who may move, and moves. The players' clock is in ``move_clock.py``.

Each public function above the line "Steps" is a rule of ``broker/life.py``: its arguments are the server, the game, and
what happened in it.
"""

from collections.abc import Sequence

from ugs.broker.facts import Asking
from ugs.broker.play import budgets, move_clock, record_entries, showing
from ugs.broker.state.game_state import MasterState, named_by
from ugs.broker.state.model import Game, Player
from ugs.broker.state.move_faults import accepted
from ugs.broker.state.phases import Phase
from ugs.broker.state.server_state import ServerState
from ugs.wire.extensions import Moved
from ugs.wire.messages import GameState, Move

TURN, ANSWER = Phase.TURN, Phase.ANSWER
"""The phases of nearly every moment. CPython 3.11 finds a global name faster than a member of an enumeration."""


def next_turn(server: ServerState, game: Game, state: MasterState) -> Phase:
    """Send the state to all players; those it names have to move. If the master may name several, those who were asked
    before and have not moved get no state: it would ask them for another move. A player who is no longer asked may have
    a move on the way, which is dropped silently: being slower is no mistake."""
    turn = game.turn
    if turn.plain and type(state) is GameState:  # nearly all there ever are
        assert state.next_player is not None
        mover = game.present[state.next_player]
        # A master that repeats its state made honest players answer twice: these answers are no wrong messages.
        for asked_before in turn.movers:
            asked_before.is_not_waited_for()
        showing.plain_turn(server, game, state, game.seat_of[mover.name])
        turn.is_of((mover,))
        # D16: counted from when the state has been handed to the network.
        server.start(game.clock, game.type.settings.move_limit_s(len(game.seats)), mover)
        return TURN
    accepted(game)
    named = [game.present[nick] for nick in named_by(state)]
    spared: set[str] = set()
    if game.master.names_movers:
        nicks = {player.name for player in named}
        spared = nicks & {*turn.held, *(player.name for player in turn.movers)}
        for nick in [nick for nick in turn.held if nick not in nicks]:
            del turn.held[nick]  # the state shows this player that the game has gone on without its move
    else:
        turn.held.clear()
    dropped = [player for player in turn.movers if player not in named]
    for player in dropped:
        player.need_not_move(game.id)
    for player in named:
        player.must_move()
        # Asked twice without having moved: it may answer both.
        if player in turn.movers and player.name not in spared:
            player.is_not_waited_for()
    if turn.budgets is not None:
        budgets.put_aside(server, game, turn.budgets, dropped)
        server.report(Asking(game, named))
    showing.turn(server, game, state, named, spared)
    asked = [player for player in named if player.name not in spared]
    turn.is_of(tuple([player for player in named if player.name not in turn.held]))
    return go_on(server, game, asked)


def relay_move(server: ServerState, game: Game, player: Player, message: Move) -> Phase:
    """Hand a move to the master, which has to answer."""
    pass_move_on(server, game, player, message)
    server.start(game.clock, game.type.settings.master_timeout_s)
    return ANSWER


def pass_move_on(server: ServerState, game: Game, player: Player, message: Move) -> Phase:
    """Hand a move to the master, whose clock runs on."""
    record_entries.move(server, game, player, message)
    master = game.master
    game.turn.moved(player)
    game.history.moved(server.now)
    if master.names_movers:
        server.send_extension([master], Moved(game.id, player.name, message.payload))
    else:
        server.send(master, message)
    return game.phase


def hold_move(_server: ServerState, game: Game, player: Player, message: Move) -> Phase:
    """Hold a move back until the master has answered, or a successor has."""
    game.turn.holds(player, message)
    return game.phase


# Steps.


def go_on(server: ServerState, game: Game, asked: Sequence[Player]) -> Phase:
    """After a state: the next of the moves that were held back is handed over, or the players' clock starts. Returns
    the phase that follows."""
    move_clock.start(server, game, asked)
    return relay_held(server, game)


def relay_held(server: ServerState, game: Game) -> Phase:
    """Hand over the next of the moves that were held back, if there is one. Returns the phase that follows."""
    held = game.turn.held
    if not held:
        return TURN
    # One at a time: the master answers each with a state.
    nick = next(iter(held))
    return relay_move(server, game, game.present[nick], held.pop(nick))
