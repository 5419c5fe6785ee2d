"""The pictures of a recorded game, in the public view or as one player saw it."""

from collections.abc import Iterator, Mapping

from ugs.broker.values.record import EntryKind, read_results
from ugs.broker.verdict import Outcome
from ugs.pictures.album import Album
from ugs.pictures.contract import Picture, Renderer, Scene, Seat, Shown
from ugs.record.game import Entry, GameRecord
from ugs.record.narration import labels_of
from ugs.record.response_times import movers_of
from ugs.record.views import SHOWN, shown_to, sketches_of, views_of
from ugs.wire.extensions import SeatKind
from ugs.wire.messages import Result


class UnknownViewer(Exception):
    """No player of the game has that nick. The text lists the players."""


def seat_called(record: GameRecord, nick: str | None) -> int | None:
    """Return the seat of a player; None for None, the public view. Raises :class:`UnknownViewer`."""
    if nick is None:
        return None
    if nick not in record.seats:
        raise UnknownViewer(f"{nick!r} did not play in this game; players: {', '.join(record.seats)}")
    return record.seats.index(nick)


def scene_of(record: GameRecord, viewer: int | None = None) -> Scene:
    """Return what is known of a recorded game before its first state."""
    labels = {label.nick: label for entry in record.entries for label in labels_of(entry)}
    seats = [Seat(nick, labels[nick].label if nick in labels else "") for nick in record.seats]
    seats += [
        Seat(nick, label.label)
        for nick, label in labels.items()
        if nick not in record.seats and label.kind is SeatKind.PROGRAM
    ]
    return Scene(tuple(seats), viewer, dict(record.options))


def pictures(
    record: GameRecord, viewer: int | None = None, renderers: Mapping[str, Renderer] | None = None
) -> Iterator[tuple[int, Picture]]:
    """Yield the index of each STATE and OVER entry with a payload that the viewer was shown, and its picture.

    ``viewer`` is a seat, or None for the public view. Of moves, a viewer is shown its own. ``renderers`` as for
    :class:`Album`.
    """
    album = Album(record.game_type, scene_of(record, viewer), renderers)
    for place, shown in shown_states(record, viewer):
        yield place, album.show(shown)


def last_picture(record: GameRecord, viewer: int | None = None) -> Picture | None:
    """Return the picture of the last position; None if no state was sent."""
    last = None
    for _, last in pictures(record, viewer):  # noqa: B007 -- a renderer has to see all states
        pass
    return last


def shown_states(record: GameRecord, viewer: int | None) -> Iterator[tuple[int, Shown]]:
    """Yield what the viewer was shown, by the index of its entry."""
    views, sketches = views_of(record.entries), sketches_of(record.entries, viewer)
    own_move = b""
    for place, entry in enumerate(record.entries):
        if entry.kind is EntryKind.MOVE and viewer is not None and entry.seat == viewer:
            own_move = entry.body
        if entry.kind not in SHOWN:
            continue
        payload = entry.body if viewer is None else shown_to(viewer, entry, views.get(place, ()))
        if payload:
            drawn = sketches.get(place, b"")
            won = _winners(record, entry)
            lost = won == frozenset() and _all_lost(record)
            yield place, Shown(payload, tuple(movers_of(entry)), won, own_move, drawn, lost)
            # A move is shown once, with the state that it led to.
            own_move = b""


def _winners(record: GameRecord, entry: Entry) -> frozenset[int] | None:
    """The seats that have won, of an OVER; none of them where it was a draw or the record holds invalid data.

    A record names results of players only. What they all have lost, the program has won, if it played one seat.
    """
    if entry.kind is not EntryKind.OVER:
        return None
    try:
        results = read_results(entry.text)
    except ValueError:
        return frozenset()
    won = frozenset(seat for seat, word in results if word == Result.WINNER.value)
    if _drawn(record, won):
        return frozenset()
    programs = range(len(record.seats), record.seats_total)
    return frozenset(programs) if not won and len(programs) == 1 else won


def _all_lost(record: GameRecord) -> bool:
    return record.result is not None and {seat.outcome for seat in record.result.seats} == {Outcome.LOST}


def _drawn(record: GameRecord, won: frozenset[int]) -> bool:
    """Whether the game was drawn: by its verdict, and where it has none that counts, if all players are winners."""
    outcomes = {seat.outcome for seat in record.result.seats} if record.result is not None else set()
    return Outcome.DRAWN in outcomes or (outcomes <= {Outcome.VOID} and len(won) == len(record.seats) > 1)
