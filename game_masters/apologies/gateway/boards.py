"""Turns what players of UGS are shown into what clients in JSON receive.

A state of UGS may come after several plays: it shows the position after the last of them, and all plays that may be
new. Clients in JSON want a board after each play. Each step of a play holds where its pawn was before, so the boards
are found by taking the plays back one after the other, from the shown position.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from game_masters.apologies.board import ALL_HOME, COLOURS, PAWNS, Pawns
from game_masters.apologies.gateway.events import HistoryItem, PlayerView, game_player_turn, game_state_change
from game_masters.apologies.plays import Change
from game_masters.apologies.views import Made, Mode, View


@dataclass(frozen=True, slots=True)
class Board:
    """The state of a game at one moment."""

    play: Made | None
    """The play that led to it; None where it is unknown, or where there was none."""
    pawns: Pawns
    turns: tuple[int, ...]
    """The number of plays of each seat."""


def boards(view: View, known: int | None) -> list[Board]:
    """Return the boards after the plays that are new to a reader who knows the first ``known`` plays, oldest first.

    For a reader who knows none (None), the first board is the one before all plays in the view. New plays
    that the view does not hold are left out: the first board is then more than one play further on.
    """
    new = len(view.since) if known is None else view.plays - known
    plays = view.since[max(0, len(view.since) - new) :]
    pawns, turns = view.pawns, [seat.turns for seat in view.seats]
    found: list[Board] = []
    for play in reversed(plays):
        found.append(Board(play, pawns, tuple(turns)))
        pawns = before(pawns, play)
        turns[play.seat] -= 1
    if known is None:
        found.append(Board(None, pawns, tuple(turns)))
    return found[::-1]


def last_board(view: View) -> Board:
    """The board that the view shows."""
    return Board(None, view.pawns, tuple(seat.turns for seat in view.seats))


def before(pawns: Pawns, change: Change) -> Pawns:
    """Return the position before a play that led to ``pawns``.

    Each step of a play holds where its pawn was before the whole play, also if several steps name the same pawn.
    """
    places = list(pawns)
    for pawn, place, _ in reversed(change.actions + change.effects):
        places[pawn] = place
    return tuple(places)


def winner(view: View) -> int | None:
    """Return the seat whose pawns are all at home; None if there is none, also when a game ended otherwise."""
    return next((number for number, seat in enumerate(view.seats) if seat.pawns == ALL_HOME), None)


# --- events -----------------------------------------------------------------------------------------------------------


def state_event(game_id: str, view: View, board: Board, seat: int, history: Iterable[HistoryItem]) -> str:
    """Return GAME_STATE_CHANGE for a seat: a board of this view, with the seat's own hand as the view shows it."""
    players = [
        PlayerView(
            number, turns, view.seats[seat].hand if number == seat else (), board.pawns[number * PAWNS :][:PAWNS]
        )
        for number, turns in enumerate(board.turns)
    ]
    return game_state_change(game_id, history, players.pop(seat), players)


def turn_event(game_id: str, handle: str, view: View) -> str:
    """Return GAME_PLAYER_TURN for the player ``handle``, whose turn it is and whose view this is."""
    return game_player_turn(handle, game_id, view.drawn if view.mode is Mode.STANDARD else None, view.offers)


# --- history ----------------------------------------------------------------------------------------------------------


def color_of(play: Made) -> str:
    """Return the colour of the player of a play: ``RED``."""
    return str(COLOURS[play.seat])


def action_text(play: Made) -> str:
    """Return what was done, for people: ``plays 8: RED1 to 30, YELLOW0 to start`` or ``forfeits, discards 12``."""
    return str(play).removeprefix(f"{color_of(play)} ")
