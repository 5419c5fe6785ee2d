"""The life of a connection and the life of a game, as tables.

Each cell names the rule for an event and the possible next states of the peer (phases of the game). The rule for a game
returns its phase, which only ``ServerState.enter`` writes, and it rejects all others; for peers, tests check it. A
message that is missing from a row of :data:`CONNECTION` is answered with an ``error`` and changes nothing. Messages of
extensions are in ``extensions/``. What the table of games cannot express:

- a player who has been asked may move in any phase until CLOSING; where the master cannot take the move at once (it
  owes an answer, or there is none) the move is held back for it;
- a master that cannot read ``playerLeftGame`` never sees ALONE, since the server ends such a game;
- a player who leaves while a game is closing changes nothing in its result.

A peer that sends more than ``max_errors_per_minute`` wrong messages in a minute is closed; the table of connections
leaves that out. ``docs/life.md`` shows both as diagrams; :mod:`ugs.broker.diagrams` draws them.
"""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from ugs.broker.entrance import departures, logins
from ugs.broker.play import (
    endings,
    intake,
    leaving,
    peer_errors,
    refused_moves,
    takeover,
    thanks,
    timeouts,
    turns,
)
from ugs.broker.state.connection import PeerState
from ugs.broker.state.phases import Happening, Phase
from ugs.broker.state.server_state import Cell, GameRule, life_of
from ugs.wire.messages import (
    Error,
    GameMasterLogin,
    GameState,
    LeaveGame,
    Logout,
    Message,
    Move,
    PlayerLeftGame,
    PlayerLogin,
    ThankYou,
)

GONE = None
"""What follows when the connection is closed and forgotten."""


class MessageCell(NamedTuple):
    """One cell of the life of a connection; ``rule(server, peer, message)`` returns what is wrong with the message, or
    None."""

    rule: Callable[..., str | None]
    follow: frozenset[PeerState | None]


NEW, IDLE, PLAYING = PeerState.NEW, PeerState.IDLE, PeerState.PLAYING
OWING, MASTER, WATCHING = PeerState.OWING, PeerState.MASTER, PeerState.WATCHING


def _cell(rule: Callable[..., str | None], *follow: PeerState | None) -> MessageCell:
    return MessageCell(rule, frozenset(follow))


ConnectionLife: TypeAlias = dict[PeerState, dict[type[Message], MessageCell]]

CONNECTION: ConnectionLife = {
    NEW: {
        PlayerLogin: _cell(logins.player_login, NEW, IDLE, PLAYING, OWING, GONE),
        GameMasterLogin: _cell(logins.master_login, NEW, MASTER, GONE),
        Logout: _cell(departures.logout, GONE),
        # An error is a text for people, in any state: it needs no login and is no wrong message.
        Error: _cell(peer_errors.reported, NEW),
    },
    IDLE: {
        PlayerLogin: _cell(logins.second_login, IDLE),
        GameMasterLogin: _cell(logins.second_login, IDLE),
        Move: _cell(intake.no_game, IDLE),
        # A session that came back without lobby has no other word to get up from its table.
        LeaveGame: _cell(intake.leave_table, IDLE, PLAYING),
        ThankYou: _cell(intake.no_game, IDLE),
        Logout: _cell(departures.logout, GONE),
        Error: _cell(peer_errors.reported, IDLE),
    },
    PLAYING: {
        PlayerLogin: _cell(logins.second_login, PLAYING),
        GameMasterLogin: _cell(logins.second_login, PLAYING),
        Move: _cell(intake.move, PLAYING, IDLE),
        LeaveGame: _cell(intake.leave_game, PLAYING, IDLE),
        ThankYou: _cell(intake.no_game, PLAYING),
        Logout: _cell(departures.logout, GONE),
        Error: _cell(peer_errors.reported, PLAYING),
    },
    OWING: {
        PlayerLogin: _cell(logins.second_login, OWING),
        GameMasterLogin: _cell(logins.second_login, OWING),
        Move: _cell(intake.no_game, OWING),
        LeaveGame: _cell(intake.no_game, OWING),
        ThankYou: _cell(thanks.thank_you, OWING, IDLE, PLAYING),
        Logout: _cell(departures.logout, GONE),
        # By the specification an error is as good as a thank you.
        Error: _cell(thanks.error_as_thanks, IDLE, PLAYING),
    },
    MASTER: {
        PlayerLogin: _cell(logins.second_login, MASTER),
        GameMasterLogin: _cell(logins.second_login, MASTER),
        GameState: _cell(intake.game_state, MASTER),
        PlayerLeftGame: _cell(intake.player_left_game, MASTER),
        Logout: _cell(departures.logout, GONE),
        Error: _cell(peer_errors.reported, MASTER),
    },
    WATCHING: {
        PlayerLogin: _cell(logins.second_login, WATCHING),
        GameMasterLogin: _cell(logins.second_login, WATCHING),
        Logout: _cell(departures.logout, GONE),
        Error: _cell(peer_errors.reported, WATCHING),
    },
}
"""What each message of UGS v4 does in each state of a peer."""

BEGUN, TURN, ANSWER, ALONE = Phase.BEGUN, Phase.TURN, Phase.ANSWER, Phase.ALONE
AWAY, TAKING, CLOSING, OVER = Phase.AWAY, Phase.TAKING, Phase.CLOSING, Phase.OVER
H = Happening


def _to(rule: GameRule, *follow: Phase) -> Cell:
    return Cell(rule, frozenset(follow))


ENDED_FROM_OUTSIDE: Final = {
    H.CANCELLED: _to(endings.cancel, OVER),
    H.ADJUDICATED: _to(endings.adjudicate, CLOSING),
    H.VOIDED: _to(endings.void, OVER),
}
"""What can happen in every phase before there is a result."""

GameLife: TypeAlias = dict[Phase, dict[Happening, Cell]]

GAME: GameLife = {
    BEGUN: {
        H.STATE: _to(turns.next_turn, TURN),
        H.GAME_OVER: _to(endings.finish, CLOSING),
        H.LEFT: _to(leaving.one_less, BEGUN, CLOSING),
        H.CLOCK: _to(timeouts.no_beginning, OVER),
        H.MASTER_GONE: _to(takeover.master_gone, AWAY, OVER),
        # A game made again after a restart is BEGUN only until it waits for a master.
        H.REVIVED: _to(takeover.wait, AWAY),
        **ENDED_FROM_OUTSIDE,
    },
    TURN: {
        H.STATE: _to(turns.next_turn, TURN),
        H.GAME_OVER: _to(endings.finish, CLOSING),
        H.MOVE: _to(turns.relay_move, ANSWER),
        H.LEFT: _to(leaving.one_less, TURN, ANSWER, ALONE, CLOSING),
        H.CLOCK: _to(timeouts.player_too_slow, TURN, ANSWER, ALONE, CLOSING, OVER),
        H.GIVEN_UP: _to(timeouts.given_up, CLOSING, OVER),
        H.MASTER_GONE: _to(takeover.master_gone, AWAY, OVER),
        # Where the last player is alone with seats of a master that gives the game up.
        H.SERVER_DECIDES: _to(endings.conclude_for_master, CLOSING),
        **ENDED_FROM_OUTSIDE,
    },
    ANSWER: {
        H.STATE: _to(turns.next_turn, TURN, ANSWER),
        H.GAME_OVER: _to(endings.finish, CLOSING),
        H.MOVE: _to(turns.hold_move, ANSWER),
        H.FAULT: _to(refused_moves.refused, TURN, ANSWER, ALONE, CLOSING, OVER),
        H.LEFT: _to(leaving.one_less, ANSWER, ALONE, CLOSING),
        H.CLOCK: _to(timeouts.master_silent, CLOSING, OVER),
        H.GIVEN_UP: _to(timeouts.given_up, CLOSING, OVER),
        H.MASTER_GONE: _to(takeover.master_gone, AWAY, OVER),
        H.SERVER_DECIDES: _to(endings.conclude_for_master, CLOSING),
        **ENDED_FROM_OUTSIDE,
    },
    ALONE: {
        H.STATE: _to(turns.next_turn, TURN, ANSWER),
        H.GAME_OVER: _to(endings.finish, CLOSING),
        H.MOVE: _to(turns.pass_move_on, ALONE),
        H.LEFT: _to(leaving.one_less, CLOSING),
        H.CLOCK: _to(timeouts.last_one_wins, CLOSING),
        H.GIVEN_UP: _to(timeouts.given_up, CLOSING),
        H.MASTER_GONE: _to(takeover.master_gone, AWAY, OVER),
        H.SERVER_DECIDES: _to(endings.conclude_for_master, CLOSING),
        **ENDED_FROM_OUTSIDE,
    },
    AWAY: {
        H.MOVE: _to(turns.hold_move, AWAY),
        # Never CLOSING: without a master no player may lose, so a game that all have left is void.
        H.LEFT: _to(leaving.one_less, AWAY, OVER),
        H.CLOCK: _to(timeouts.no_successor, AWAY, OVER),
        H.HANDED_OVER: _to(takeover.hand_over, TAKING),
        **ENDED_FROM_OUTSIDE,
    },
    TAKING: {
        H.STATE: _to(takeover.taken_over, TURN, ANSWER),
        H.GAME_OVER: _to(endings.finish, CLOSING),
        H.MOVE: _to(turns.hold_move, TAKING),
        H.FAULT: _to(takeover.refused, TURN, ANSWER, ALONE, CLOSING, OVER),
        H.LEFT: _to(leaving.one_less, TAKING, OVER),
        H.CLOCK: _to(timeouts.not_taken_over, OVER),
        H.MASTER_GONE: _to(takeover.master_gone, AWAY, OVER),
        **ENDED_FROM_OUTSIDE,
    },
    CLOSING: {
        # No CLOCK: the disk has to act, and it may take its time.
        H.KEPT: _to(endings.kept, OVER),
        # The journal failed before it had the result, which then no peer ever got.
        H.VOIDED: _to(endings.void, OVER),
    },
    OVER: {
        H.CLOCK: _to(thanks.no_thanks, OVER),
    },
}
"""What each happening does in each phase of a game."""

LIFE: Final = life_of(
    GAME, entered={AWAY: takeover.seek_master, OVER: endings.announce}, left={TAKING: takeover.has_answered}
)
"""With the rules for entering and leaving a phase."""
