"""Who sits where, as players with a lobby and spectators see it."""

from collections.abc import Callable

from ugs.broker.state.model import MAX_LISTED_SEATS, Game
from ugs.wire.extensions import SeatInfo, SeatKind, SeatState


def seat_infos(
    game: Game, state_of: Callable[[str], SeatState], programs: SeatState, changed: str = ""
) -> tuple[SeatInfo, ...]:
    """Return who sits where, for players with a lobby and spectators: the players in the order of their seats, with
    ``state_of`` each nick, then the seats that the master plays, if it has named them. Beyond MAX_LISTED_SEATS seats,
    only the seat that has ``changed``, or the first ones."""
    labels = game.shown.labels
    label_of = {label.nick: label.label for label in labels}
    nicks = game.seats if len(game.seats) <= MAX_LISTED_SEATS or not changed else (changed,)
    humans = [
        SeatInfo(nick, SeatKind.HUMAN, state_of(nick), label_of.get(nick, "")) for nick in nicks[:MAX_LISTED_SEATS]
    ]
    # A seat that the master plays on for a leaver is among the humans already.
    played = [label for label in labels if label.kind is SeatKind.PROGRAM and label.nick not in game.seat_of]
    left = max(0, MAX_LISTED_SEATS - len(nicks))
    return (*humans, *[SeatInfo(one.nick, SeatKind.PROGRAM, programs, one.label) for one in played[:left]])
