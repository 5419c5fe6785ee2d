"""What the players receive for a state: one ``gameState`` for all, or with ``x-views`` one for each who needs its own.

No function here remembers or decides anything, so a search for leaks can ask for the very bytes that would be sent.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from game_masters.kit.acknowledgements import Listener
from game_masters.kit.rules import AnyGame, Outcome, State
from game_masters.kit.seating import Seating
from ugs.wire.extensions import Sketch, View, Views
from ugs.wire.messages import GameState, PlayerResult, Result


@dataclass(frozen=True, slots=True)
class Manner:
    """How to speak to the server about one game: what it has granted and the game needs."""

    views: bool = False
    """Each player is shown a state of its own, since the game hides information."""
    movers: bool = False
    """Several players are asked at the same time, and the server reports who has moved."""
    table: bool = False
    """The server sends how many seats there are, and wants to know who plays what."""
    reason: bool = False
    """The server wants to know why a game ends, and who broke a rule."""
    faults: bool = False
    """The server decides what follows from a refused move."""
    sketch: bool = False
    """The server passes on how positions look."""


def next_seats(state: State[Any, Any], manner: Manner) -> tuple[int, ...]:
    """Return the seats that the next state asks; empty when the game is over."""
    return state.movers if manner.movers else state.movers[:1]


def show(
    game: AnyGame,
    seating: Seating,
    state: State[Any, Any],
    manner: Manner,
    asked: Sequence[int],
    present: Collection[int],
    since: Callable[[Listener], int],
) -> GameState | Views:
    """Return the message about a state that asks these seats, or names the winners.

    ``present`` are the players' seats that are still in the game. ``since`` gives for a seat where its part of the
    record begins.
    """
    names = seating.table.names
    write = game.notation.write_view
    results = _results(state.outcome, seating, present) if state.outcome is not None else ()
    if manner.views:
        shown = _shown(game, state, asked, sorted(present), since)
        views = tuple(View(names[seat] if seat is not None else "", body) for seat, body in shown.items())
        return Views(seating.table.game_id, tuple(names[seat] for seat in asked), results, views)
    # From where the seat begins that has read least: all get the same bytes.
    payload = write(state.view(None, min(map(since, present))))
    if manner.movers:
        public = (View("", payload),)
        # Without secrets one view, for all who have none of their own.
        return Views(seating.table.game_id, tuple(names[seat] for seat in asked), results, public)
    return GameState(seating.table.game_id, names[asked[0]] if asked else None, results or None, payload)


def _shown(
    game: AnyGame,
    state: State[Any, Any],
    asked: Collection[int],
    present: Sequence[int],
    since: Callable[[Listener], int],
) -> dict[Listener, bytes]:
    """Return the body for each seat that needs one of its own, and last, under None, the one for all others.

    In a game that declares so, a seat that waits and may see no more than a spectator needs none, until it is asked or
    the game ends: then it receives what it may have missed. The server relays, counts and keeps every body, so that
    this makes the difference between a long game that fits and one that does not.
    """

    def body(seat: Listener, first: int) -> bytes:
        return game.notation.write_view(state.view(seat, first))

    latest = since(None)
    public = body(None, latest)
    waits = (
        {seat for seat in present if seat not in asked}
        if game.conduct.waits_together and state.outcome is None
        else set()
    )
    # A seat that is not asked needs its own state only where it may see more than spectators do.
    own = [seat for seat in present if seat not in waits or body(seat, latest) != public]
    return {**{seat: body(seat, since(seat)) for seat in own}, None: public}


def sketches(
    game: AnyGame,
    seating: Seating,
    state: State[Any, Any],
    message: GameState | Views,
    since: Callable[[Listener], int],
) -> list[Sketch]:
    """Return how a state looks to each seat that is shown its own, and to all others: send this before
    ``message``, which shows it."""
    sketch = game.conduct.sketch
    if sketch is None:
        return []
    names, nicks = seating.table.names, [""]
    if isinstance(message, Views):
        nicks = [view.nick for view in message.views]
    found: list[Sketch] = []
    for nick in nicks:
        seat = names.index(nick) if nick else None
        found.append(Sketch(seating.table.game_id, sketch(state.view(seat, since(seat)), names, seat), nick))
    return found


def payloads(message: GameState | Views) -> tuple[bytes, ...]:
    """Return all ``<gameState>`` elements in a message."""
    return (message.payload,) if isinstance(message, GameState) else tuple(view.payload for view in message.views)


def winners(outcome: Outcome, seating: Seating, present: Collection[int]) -> frozenset[int]:
    """Return the seats that have won; seats that have left have not."""
    # A seat that has left has lost, even if the program played it to a win.
    return outcome.winners & {*present, *seating.programs}


def _results(outcome: Outcome, seating: Seating, present: Collection[int]) -> tuple[PlayerResult, ...]:
    """Return the results of all players, also of those who have left, as the specification wants "all the players"."""
    won = winners(outcome, seating, present)
    return tuple(
        PlayerResult(name, Result.WINNER if seat in won else Result.LOSER)
        for seat, name in enumerate(seating.table.names)
    )
