"""Messages of masters and players about games, and everything else that reaches a game from outside.

Each function checks its input and lets it happen to the game: ``broker/life.py`` has the rule for the phase of the
game. Those for a message return what is wrong with it, or None.
"""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final

from ugs.broker.events import RoomNeeded, Timer, TimerKind
from ugs.broker.facts import PlayersFree, SeatsChanged, TableLeft
from ugs.broker.play import (
    budgets,
    faults,
    leaving,
    move_clock,
    reasons,
    record_entries,
    showing,
    takeover,
    wrong_messages,
)
from ugs.broker.play.endings import wrong_results
from ugs.broker.state import games_given_up
from ugs.broker.state.game_state import MasterState, payloads_of
from ugs.broker.state.model import Game, GameType, Master, Player
from ugs.broker.state.phases import Happening, Phase
from ugs.broker.state.server_state import ServerState
from ugs.broker.verdict import Cause, Outcome
from ugs.broker.verdict_sentences import MAX_NAMED
from ugs.wire.extensions import Family, Label, Stop
from ugs.wire.messages import GameState, LeaveGame, Move, PlayerLeftGame, ThankYou

LOST_AT_ONCE = 20
"""Games of a lost master that are void, or handed over, at once: about 3 ms."""
MAX_LOST_SEATS = 256
"""Seats of these games, except for a larger game, which is lost alone: about 5 ms."""

SHOWN_BYTES_PER_S = 262_144
"""How fast a master may send states of a game while no player moves: any player that reads at all keeps up with it."""
ENVELOPE_BYTES: Final = 128
"""Bytes of a message around its payload, about."""
SEAT_BYTES: Final = 64
"""Approximate bytes of a seat, besides its names, in messages about all seats."""
STANDING_BYTES: Final = 65_536
"""Bytes per seat that the current position of a game may always take, even if memory is short: so no number of ordinary
games ends one. Seats are limited by ``max_logins`` and ``max_connections_per_ip``."""
FAR_MORE = 1.5
"""How many times its share of all moves a player must have sent to be at fault for a game that is too large: a player
who has sent only a little more than others is not at fault."""

STATE, MOVE = Happening.STATE, Happening.MOVE
"""What happens all the time, and passes by ``ServerState.step``. CPython 3.11 finds a global name faster than a member
of an enumeration."""

# Masters.


def game_state(server: ServerState, master: Master, message: GameState) -> str | None:
    """A master has sent ``gameState``: a state or a result."""
    game = master.games.get(message.game_id)
    if game is None:
        return not_running(server, master, "gameState", message.game_id)
    if message.game_over is not None:
        wrong = wrong_results(game, message.game_over, "gameState")
    elif message.next_player not in game.present:
        wrong = f"gameState: nextPlayer nick {message.next_player!r}: not a player in game {game.id}"
    else:
        wrong = None
    if wrong is not None:
        return wrong
    master_shows(server, master, game, message)
    return None


def master_shows(server: ServerState, master: Master, game: Game, messages: MasterState) -> None:
    """A master has sent a valid state or result of one of its running games."""
    if master.silences:
        master.has_answered()
    game.history.is_active(server.now)
    if type(messages) is GameState:
        size = to_one = len(messages.payload)
    else:
        size, to_one = _sizes_of(messages)
    if game.turn.budgets is not None:  # they get the clocks of all
        to_one += SEAT_BYTES * len(game.seats)
    if not _has_room(server, game, size, to_one + ENVELOPE_BYTES):
        return
    if messages.game_over is not None:
        games_given_up.finished(master)
        server.step(game, Happening.GAME_OVER, messages)
        return
    if game.reasons.latest is not None:
        game.reasons.lapse()
    step = server.rules.life[game.phase][STATE]
    server.enter(game, step, step.rule(server, game, messages))


def labels_counted(server: ServerState, game: Game, labels: Sequence[Label]) -> bool:
    """A master sends new labels of the seats of a running game. Return False if that was too much: then the game is
    void."""
    size = sum([SEAT_BYTES + len(one.nick) + len(one.label) for one in labels])
    return _has_room(server, game, size, size + ENVELOPE_BYTES)


def sketch_counted(server: ServerState, game: Game, size: int) -> bool:
    """A master sends a sketch of its next message, of ``size`` bytes. Return False if that was too much: then the game
    is void."""
    return _has_room(server, game, size, size + ENVELOPE_BYTES)


def player_left_game(server: ServerState, master: Master, message: PlayerLeftGame) -> str | None:
    """A master has sent ``playerLeftGame``: it takes a player out. For a player who has left already nothing
    happens."""
    game = master.games.get(message.game_id)
    if game is None:
        return not_running(server, master, "playerLeftGame", message.game_id)
    player = game.present.get(message.nick)
    if player is None:
        if message.nick in game.departures:  # an echo of our own message, or both sent it at the same time
            server.note("ignored: player had left already", master, game=game.id, nick=message.nick)
            return None
        return f"playerLeftGame: player nick {message.nick!r}: not a player in game {game.id}"
    leaving.remove(server, game, player)
    return None


def not_running(server: ServerState, master: Master, message_type: str, game_id: str) -> str | None:
    """A message of a master about a game that it does not lead. None when the game has ended: the two may have
    crossed."""
    if game_id in master.ended:
        server.note("ignored: game has ended already", master, game=game_id, message=message_type)
        return None
    return f"{message_type}: gameId id {game_id!r}: you lead no such game"


def lose_master(server: ServerState, master: Master) -> None:
    """The connection of a master is gone: that happens to each of its games, to a few of them now."""
    takeover.count_lost(server, master)
    master.type.loses(master.games.values())
    lose_games(server, master.type)


def lose_games(server: ServerState, game_type: GameType) -> None:
    """Handle the loss of the master for a few games, and start a timer for the others, so that other peers need not
    wait for all of them."""
    for game in game_type.next_lost(_few(game_type.lost)):
        if not game.ended:
            server.step(game, Happening.MASTER_GONE)
    if game_type.lost:
        server.start(Timer(TimerKind.LOST_GAMES, game_type.name), 0)


def _few(games: Sequence[Game]) -> int:
    """Return how many of these games, from the first, lose their master in one step; at least one."""
    seats = 0
    for number, game in enumerate(islice(games, LOST_AT_ONCE)):
        seats += len(game.seats)
        if number and seats > MAX_LOST_SEATS:
            return number
    return LOST_AT_ONCE


# Players.


def move(server: ServerState, player: Player, message: Move) -> str | None:
    """A player in a game has sent ``move``."""
    game = player.game
    assert game is not None
    if message.game_id != game.id or player not in game.turn.movers:
        if _has_crossed(server, player, message):
            return None
        why = "this game has ended" if game.ended else f"it is not your turn{_whose(game)}"
        if message.game_id != game.id:
            why = no_such_game(player, message.game_id)
        text = f"move: gameId id {message.game_id!r}: {why}"
        if message.game_id == game.id and player.answers_late():
            wrong_messages.refuse(server, player, text, game.id)
            return None
        return text
    history = game.history
    history.receives_move(player.name, len(message.payload))
    most = server.config.max_game_bytes
    # Moves have half of the room, however large states are: otherwise a losing player could void the game with a few
    # moves.
    room = most - min(history.states, most // 2)
    if history.sent > room:
        why = f"its moves have {history.sent} bytes, of at most {room} beside its states (max_game_bytes)"
        _is_too_large(server, game, room, "max_game_bytes", why)
        if game.ended or player.game is not game:
            return None
    if game.turn.budgets is not None:
        budgets.moved(server, game, game.turn.budgets, player)
    step = server.rules.life[game.phase][MOVE]
    server.enter(game, step, step.rule(server, game, player, message))
    return None


def leave_game(server: ServerState, player: Player, message: LeaveGame) -> str | None:
    """A player in a game has sent ``leaveGame``. For the owner of a table that is wrong: it has to cancel the game
    instead, unless it came back without a lobby and cannot."""
    game = player.game
    assert game is not None
    if message.game_id != game.id:
        return f"leaveGame: gameId id {message.game_id!r}: {no_such_game(player, message.game_id)}"
    if game.setting.table is not None and game.setting.table.owner is player and player.may(Family.LOBBY):
        return f"leaveGame: gameId id {message.game_id!r}: you have set up this table; cancel it instead"
    leaving.give_up(server, player)
    return None


def leave_table(server: ServerState, player: Player, message: LeaveGame) -> str | None:
    """A player in no game has sent ``leaveGame``. One that came back without a lobby leaves its table so; for others it
    is wrong."""
    if player.table is None or message.game_id != player.table.id or player.may(Family.LOBBY):
        return no_game(server, player, message)
    server.report(TableLeft(player))
    return None


def no_game(server: ServerState, player: Player, message: Move | LeaveGame | ThankYou) -> str | None:
    """What is wrong with a message about a game that does not fit the state of the player: too late, too early, no
    game. None for a move that crossed the end of its game."""
    if isinstance(message, Move):
        faults.woke(server, player)
        if _has_crossed(server, player, message):
            return None
    if player.game is not None and message.game_id == player.game.id:
        why = "this game is over" if player.game.phase is Phase.OVER else "this game is not over"
    else:
        why = no_such_game(player, message.game_id)
    return f"{message.TYPE}: gameId id {message.game_id!r}: {why}"


def _has_crossed(server: ServerState, player: Player, message: Move) -> bool:
    """Whether a move was on its way when its game ended, went on without it or put it out. That is no mistake of the
    player: one such move is ignored."""
    crossed = player.has_crossed(message.game_id)
    if crossed:
        server.note("ignored: the game did not wait for it", player, game=message.game_id, message=message.TYPE)
    return crossed


def no_such_game(player: Player, game_id: str) -> str:
    """Return what is wrong with a message about a game that the player is not in."""
    return "this game is over" if game_id and game_id == player.last_game else "you are in no such game"


def _whose(game: Game) -> str:
    """Whose turn it is, for a player who thinks that it is its own."""
    movers = [player.name for player in game.turn.movers[:MAX_NAMED]]
    if not movers:
        return " (the game master is asked)"
    more = f" and {len(game.turn.movers) - len(movers)} more" if len(game.turn.movers) > len(movers) else ""
    return f" (it is that of {', '.join(movers)}{more})" if len(movers) > 1 else f" (it is {movers[0]}'s)"


def line_cut(server: ServerState, player: Player) -> None:
    """The connection of a player in a game, which may be over, is lost; its seat is kept."""
    game = player.game
    assert game is not None
    if not game.ended:
        record_entries.cut(server, game, player)
    game.audience_changed()
    server.report(SeatsChanged(game, f"the line of {player.name} is cut", player.name))


def line_back(server: ServerState, player: Player) -> None:
    """A player is back in its game: send it the last state."""
    game = player.game
    assert game is not None
    game.audience_changed()
    if not game.ended:
        record_entries.back(server, game, player)
    showing.resend(server, player)
    if player.awaited:
        player.has_come_back()
        if game.phase is Phase.TURN and player in game.turn.movers:
            move_clock.start(server, game, [player])
    server.report(SeatsChanged(game, f"{player.name} is back", player.name))


# The clock, the disk, the server, the owner of a table.


def clock(server: ServerState, game_id: str) -> None:
    """The clock of a game has run out."""
    game = server.games.get(game_id)
    if game is not None:
        server.step(game, Happening.CLOCK)


def result_kept(server: ServerState, game_id: str) -> None:
    """The result of a game is on disk; the game may have been voided meanwhile."""
    game = server.games.get(game_id)
    if game is not None and game.phase is Phase.CLOSING:
        server.step(game, Happening.KEPT)


def room_needed(server: ServerState, event: RoomNeeded) -> None:
    """Memory is short, and this game uses the most. Its past is removed from memory. If its current position is large,
    and the past was not most of its memory, the game ends."""
    game, reason = server.games.get(event.game_id), event.reason
    if game is None:
        return
    held = game.held_bytes
    # First what costs no one anything: the past can be read again.
    record_entries.put_away(server, game, 0, 0)
    stands = game.held_bytes
    if not game.ended and 2 * stands > held and stands > STANDING_BYTES * len(game.seats):
        why = f"it holds {stands} bytes as it stands, the most of those that share {event.limit}"
        _is_too_large(server, game, max(held, server.config.max_game_bytes // 8), event.limit, why, reason)


def shut_down(server: ServerState) -> None:
    """End all games that still run, through the fault of the server. A game with a result already waits for the
    disk."""
    for game in server.running:
        if not game.ended:  # also not by the end of the one before
            server.step(game, Happening.VOIDED, Cause.SHUTDOWN)


def journal_lost(server: ServerState) -> None:
    """The journal is lost: void all games, also those with a result that is not on disk."""
    for game in server.running:
        server.step(game, Happening.VOIDED, Cause.JOURNAL_LOST)


def cancel(server: ServerState, game: Game, cause: Cause, culprit: str | None = None) -> None:
    """End a game at a table that has no result yet; it does not count, and its master is informed."""
    _stop_master(server, game, cause)
    server.step(game, Happening.CANCELLED, cause, culprit)


def void(server: ServerState, game: Game, why: str) -> None:
    """Void a game without a result by order of an organiser; its master is informed."""
    _stop_master(server, game, Cause.VOIDED)
    server.step(game, Happening.VOIDED, Cause.VOIDED, why)


def spoilt(server: ServerState, game: Game) -> None:
    """Void a game because a bug in the server has cost a player its line; its master is informed."""
    _stop_master(server, game, Cause.SERVER_BUG)
    server.step(game, Happening.VOIDED, Cause.SERVER_BUG)


def adjudicate(server: ServerState, game: Game, outcomes: Mapping[str, Outcome]) -> None:
    """End a game without a result by order of an organiser, with an outcome for every player who is still in it; its
    master is informed."""
    _stop_master(server, game, Cause.ADJUDICATED)
    server.step(game, Happening.ADJUDICATED, outcomes)


def _has_room(server: ServerState, game: Game, size: int, to_one: int) -> bool:
    """A master has sent ``size`` bytes; each player gets at most ``to_one`` of them, envelopes included. Return False
    if that is too much for the game, or for the lines of players, who may read slowly without a fault: then the game is
    void."""
    history, config = game.history, server.config
    unanswered = history.add_states(size, to_one, server.now, SHOWN_BYTES_PER_S)
    if unanswered > config.max_outbox_bytes / 2 and unanswered > 2 * config.max_message_bytes:
        half, twice = config.max_outbox_bytes // 2, 2 * config.max_message_bytes
        most = f"{half} (half of max_outbox_bytes)" if half > twice else f"{twice} (twice max_message_bytes)"
        _void(
            server,
            game,
            Cause.STATES_TOO_LARGE,
            f"{unanswered:.0f} bytes for a player between two moves, of at most {most}",
        )
    elif history.states > config.max_game_bytes:
        why = f"its states have {history.states} bytes, of at most {config.max_game_bytes} (max_game_bytes)"
        _void(server, game, Cause.TOO_LARGE, why)
    else:
        return True
    return False


def _is_too_large(server: ServerState, game: Game, most: int, limit: str, why: str, reason: str = "") -> None:
    """A game takes too much room: ``why`` is for its players, ``reason`` for the log. A player whose moves exceed its
    share of these ``most`` bytes, and by far its share of all moves, is out, so that no losing player can void a game.
    If there is none, the game is void."""
    history = game.history
    nick, size = max(((nick, history.sent_by.get(nick, 0)) for nick in game.present), key=lambda one: one[1])
    if size * len(game.seats) <= max(most, FAR_MORE * history.sent):
        _void(server, game, Cause.TOO_LARGE, why, reason)
        return
    history.forget_moves(nick)
    player = game.present[nick]
    server.note(
        "moves too large", player, warning=True, game=game.id, bytes=size, most_bytes=most, reason=reason or limit
    )
    leaving.leave(server, player, Cause.MOVED_TOO_MUCH, f"its moves took {size} of at most {most} bytes ({limit})")
    text = f"your moves took {size} of at most {most} bytes ({limit}): game {game.id} is lost"
    leaving.put_out(server, game, player, text)
    server.report(PlayersFree([player]))


def _void(server: ServerState, game: Game, cause: Cause, why: str, reason: str = "") -> None:
    """Void a game that has taken too much room, so that others have theirs; its players get ``why``."""
    received, held = game.history.received, game.held_bytes
    server.note("game too large", warning=True, game=game.id, bytes=received, held_bytes=held, reason=reason or why)
    reasons.ended(game, cause, why)
    _stop_master(server, game, cause)
    server.step(game, Happening.VOIDED, cause, why)


def _sizes_of(messages: MasterState) -> tuple[int, int]:
    """Return the bytes of all payloads that a master has sent, and the maximum that one player gets."""
    private, public = payloads_of(messages)
    sizes = [len(public), *map(len, private.values())]
    return sum(sizes), max(sizes)


def _stop_master(server: ServerState, game: Game, cause: Cause) -> None:
    """Notify the master that a game ends, if it knows a message for that."""
    if game.master.may(Family.TABLE):
        server.send_extension([game.master], Stop(game.id, str(cause).upper().replace(" ", "_")))
    elif not game.type.settings.quiet_master:
        for nick in game.present:
            server.send(game.master, PlayerLeftGame(nick, game.id))
